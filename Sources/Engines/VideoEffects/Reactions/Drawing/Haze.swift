internal import CReactions

/// Clouds of haze in light, which drift.
enum Haze {
  private static let side = 128

  /// One round of noise that repeats, in 1/256.
  private static let clouds: [UInt16] = (0..<side * side).map { index in
    let place = SIMD2(Float(index % side), Float(index / side)) / Float(side) * 6
    return UInt16(clamp(Noise.cloud(place, octaves: 5, period: 6, seed: 7) * 0.95 + 0.5) * 256)
  }

  /// Takes light away where there is no haze: two layers of clouds drift over each other.
  static func fill(_ light: ReactionCanvas, amount: Float, time: Float) {
    let weights = UnsafeMutablePointer<UInt16>.allocate(capacity: light.width)
    defer { weights.deallocate() }
    // One round of the noise is a little wider than the shorter side.
    let step = Float(side) / 1.3 / Float(min(light.width, light.height))
    clouds.withUnsafeBufferPointer { clouds in
      guard let clouds = clouds.baseAddress else { return }
      let near = Layer(clouds: clouds, step: step, start: SIMD2(time * 4.5, time))
      let far = Layer(clouds: clouds, step: step * 1.6, start: SIMD2(45 - time * 3, 30 - time * 1.3))
      let keep = UInt32((1 - clamp(amount)) * 256)
      for y in 0..<light.height {
        let (nearRow, farRow) = (near.row(y), far.row(y))
        for x in 0..<light.width {
          let both = near.value(nearRow, x) &+ far.value(farRow, x)
          weights[x] = UInt16(truncatingIfNeeded: keep &+ ((256 &- keep) &* both) >> 8)
        }
        reactions_scale(light.luma + y * light.lumaPitch, weights, light.width)
        guard y.isMultiple(of: 2) else { continue }
        for x in 0..<light.width / 2 { weights[x] = weights[2 &* x] }
        if !light.width.isMultiple(of: 2) { weights[light.width / 2] = weights[light.width - 1] }
        reactions_scale_chroma(light.chroma + y / 2 * light.chromaPitch, weights, light.chromaWidth)
      }
    }
  }

  /// One of the layers: a picture of noise, repeated, of which each pixel of light meets a place between four.
  private struct Layer {
    let clouds: UnsafePointer<UInt16>
    /// Pixels of noise for one of light.
    let step: Int
    let startX: Int
    let start: SIMD2<Float>
    let stepY: Float

    init(clouds: UnsafePointer<UInt16>, step: Float, start: SIMD2<Float>) {
      self.clouds = clouds
      self.step = Int(step * 65536)
      startX = Int(start.x * 65536)
      self.start = start
      stepY = step
    }

    typealias Row = (upper: UnsafePointer<UInt16>, lower: UnsafePointer<UInt16>, share: UInt32)

    func row(_ y: Int) -> Row {
      let place = start.y + Float(y) * stepY
      let whole = place.rounded(.down)
      let index = Int(whole)
      return (
        clouds + (index & (side - 1)) * side, clouds + ((index + 1) & (side - 1)) * side,
        UInt32((place - whole) * 256)
      )
    }

    @inline(__always) func value(_ row: Row, _ x: Int) -> UInt32 {
      let place = startX &+ x &* step
      let left = (place >> 16) & (side &- 1)
      let right = (left &+ 1) & (side &- 1)
      let share = UInt32(truncatingIfNeeded: place >> 8) & 255
      let upper = UInt32(row.upper[left]) &* (256 &- share) &+ UInt32(row.upper[right]) &* share
      let lower = UInt32(row.lower[left]) &* (256 &- share) &+ UInt32(row.lower[right]) &* share
      return (upper &* (256 &- row.share) &+ lower &* row.share) >> 16
    }
  }
}
