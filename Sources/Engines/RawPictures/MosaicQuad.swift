internal import Foundation

/// Makes a pixel of each four of a mosaic, which have all colours among them.
struct MosaicQuad: Sendable {
  private let colors: [Int]
  private let black: [Float]
  private let factors: [Float]
  private let matrix: [Float]

  init(_ facts: RawFacts, _ pattern: MosaicPattern, exposure: Double) {
    colors = pattern.colors
    let black = (0..<4).map {
      facts.blackLevels.count == 4 ? facts.blackLevels[$0] : facts.blackLevels.first ?? 0
    }
    self.black = black.map { Float($0) }
    let gains = facts.gains / max(min(facts.gains.x, facts.gains.y, facts.gains.z), 1e-6)
    let white = Double(min(max(facts.whiteLevel, 1), 65535))
    factors = (0..<4).map { place in
      Float(gains[pattern.colors[place]] / max(white - black[place], 1))
    }
    let factor = exp2(exposure)
    matrix = facts.matrix.map { Float($0 * factor) }
  }

  /// Develops `count` pixels of two rows into red, green, blue and alpha.
  func develop(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, into pixels: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for x in 0..<count {
      var light = SIMD3<Float>.zero
      for place in 0..<4 {
        let number = Float((place < 2 ? upper : lower)[2 * x + place & 1])
        let share = min((number - black[place]) * factors[place], 1)
        light[colors[place]] += colors[place] == 1 ? share / 2 : share
      }
      for row in 0..<3 {
        pixels[4 * x + row] =
          matrix[3 * row] * light.x + matrix[3 * row + 1] * light.y + matrix[3 * row + 2] * light.z
      }
      pixels[4 * x + 3] = 1
    }
  }
}

extension RawDeveloper.LinearRendering {
  /// Bends a row's light by the curve, and cuts off what is too bright.
  func finish(_ pixels: UnsafeMutablePointer<Float>, _ count: Int) {
    guard !curve.isEmpty || most.isFinite else { return }
    let last = curve.count - 1
    curve.withUnsafeBufferPointer { curve in
      for index in 0..<4 * count where index & 3 != 3 {
        var light = pixels[index]
        if last > 0, light > 0 {
          let place = light * Float(last)
          let step = min(Int(min(place, 1e6)), last - 1)
          light = curve[step] + (curve[step + 1] - curve[step]) * (place - Float(step))
        }
        pixels[index] = min(light, most)
      }
    }
  }
}
