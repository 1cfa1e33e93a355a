/// The model of a depth sensor: the deviation of its distances, and the places that it cannot measure.
///
/// It is modelled on cameras that light the scene with a pattern, seen from beside. Such a camera measures a shift of the
/// pattern that grows with one over the distance, so that an equal error of the shift is an error of distance that grows with
/// its square (Khoshelham and Elberink, "Accuracy and Resolution of Kinect Depth Data for Indoor Mapping Applications", 2012,
/// whose camera has some 0.0014 · z² metres). Ours has the deviation `0.001 · z²`: a millimetre at 1 m, nine at 3 m. Places
/// that the pattern's source cannot see are unknown: it stands left of the camera, so to the right of what is near lies a
/// shadow on what is far. Nearer than 0.15 m and farther than 5 m nothing is known.
struct DepthSensor: Sendable {
  /// The baseline from the pattern's source to the camera, in metres times the focal length in widths of the frame: a thing
  /// at 0.45 m before a wall at 3 m has a shadow of five pixels in maps of 640.
  static let baseline = 0.004
  /// The deviation of the distance, over its square, in one over metres.
  static let deviation: Float = 0.001
  /// The distances that can be measured, in metres.
  static let range: ClosedRange<Float> = 0.15...5

  /// Of one layer.
  private struct Surface {
    var depth: Float
    /// NaN where it cannot be measured.
    var metres: Float
    /// In metres, for each 256th of a quantile.
    var deviation: Float
    /// The pixels to the left from which its light comes.
    var shift: Float
  }

  private let surfaces: [Surface]
  private let pixelsPerDioptre: Double
  private let noise: UInt64?

  /// A sensor that knows everything exactly.
  ///
  /// - Parameter depths: Of each layer in metres, the background's first.
  init(depths: [Double]) {
    surfaces = depths.map { Surface(depth: Float($0), metres: Float($0), deviation: 0, shift: 0) }
    pixelsPerDioptre = 0
    noise = nil
  }

  /// A sensor with faults.
  ///
  /// - Parameters:
  ///   - pixelsPerDioptre: How many pixels the pattern shifts for each dioptre.
  ///   - noise: The map's own chance; each row and pixel derives its own from it.
  init(depths: [Double], pixelsPerDioptre: Double, noise: UInt64) {
    surfaces = depths.map { Self.surface($0, pixelsPerDioptre) }
    self.pixelsPerDioptre = pixelsPerDioptre
    self.noise = noise
  }

  private static func surface(_ depth: Double, _ pixelsPerDioptre: Double) -> Surface {
    let metres = Float(depth)
    return Surface(
      depth: metres, metres: range.contains(metres) ? metres : .nan,
      deviation: deviation * metres * metres / 256,
      shift: Float(pixelsPerDioptre / max(depth, 0.01)))
  }

  /// Writes the distances of a row of layers, each less what stands out there.
  func measure(
    _ owners: UnsafeMutablePointer<UInt32>, relief: UnsafeMutablePointer<Float>, count: Int, row: Int,
    into metres: UnsafeMutablePointer<Float>
  ) {
    surfaces.withUnsafeBufferPointer { surfaces in
      guard let noise else {
        for column in 0..<count { metres[column] = surfaces[Int(owners[column])].metres - relief[column] }
        return
      }
      SensorTable.quantiles.withUnsafeBufferPointer { quantiles in
        var state = Chance.mix(noise ^ UInt64(row))
        var chance: UInt64 = 0
        // The rightmost ray of the pattern that has hit something: rays further left cannot reach what lies behind it.
        var reach = -Float.infinity
        for column in 0..<count {
          if column & 7 == 0 {
            state &+= 0x9E37_79B9_7F4A_7C15
            chance = Chance.mix(state)
          }
          var surface = surfaces[Int(owners[column])]
          if relief[column] != 0 {
            surface = Self.surface(Double(surface.depth - relief[column]), pixelsPerDioptre)
          }
          let ray = Float(column) + surface.shift
          let error = surface.deviation * Float(quantiles[Int(chance & 0xFF)])
          metres[column] = ray < reach ? .nan : surface.metres + error
          reach = max(reach, ray)
          chance >>= 8
        }
      }
    }
  }
}
