/// Even randomness without grain: smooth hills of about one unit, and sums of ever smaller ones.
enum Noise {
  /// The value at a point of a lattice of random numbers, −1 to 1; it repeats after `period` units.
  static func hills(_ point: SIMD2<Float>, period: Int32, seed: UInt32) -> Float {
    let (floorX, floorY) = (point.x.rounded(.down), point.y.rounded(.down))
    let (x, y) = (Int32(floorX), Int32(floorY))
    let (shareX, shareY) = (smoothStep(0, 1, point.x - floorX), smoothStep(0, 1, point.y - floorY))
    let top = mix(value(x, y, period, seed), value(x + 1, y, period, seed), shareX)
    let bottom = mix(value(x, y + 1, period, seed), value(x + 1, y + 1, period, seed), shareX)
    return mix(top, bottom, shareY)
  }

  /// `octaves` layers of hills, each half as high and half as wide as the one before; −1 to 1.
  static func cloud(_ point: SIMD2<Float>, octaves: Int, period: Int32, seed: UInt32) -> Float {
    var (sum, height, scale): (Float, Float, Int32) = (0, 0.5, 1)
    for octave in 0..<octaves {
      sum += height * hills(point * Float(scale), period: period * scale, seed: seed &+ UInt32(octave))
      height /= 2
      scale *= 2
    }
    return sum
  }

  private static func value(_ x: Int32, _ y: Int32, _ period: Int32, _ seed: UInt32) -> Float {
    let column = UInt32(bitPattern: ((x % period) + period) % period)
    let row = UInt32(bitPattern: ((y % period) + period) % period)
    var mixed = column &* 0x9E37_79B1 ^ row &* 0x85EB_CA77 ^ seed &* 0xC2B2_AE3D
    mixed = (mixed ^ mixed >> 15) &* 0x2C1B_3C6D
    mixed = (mixed ^ mixed >> 12) &* 0x297A_2D39
    return Float((mixed ^ mixed >> 15) >> 8) / Float(1 << 23) - 1
  }
}
