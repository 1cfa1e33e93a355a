/// Colours from cold to warm, all of much the same steps to the eye.
package enum FalseColors {
  /// 256 pixels of BGRA as they lie in memory, from far to near.
  static let table: [UInt32] = (0..<256).map { index in
    let place = Float(index) / 255 * Float(stops.count - 1)
    let lower = min(stops.count - 2, Int(place))
    let share = place - Float(lower)
    let color = stops[lower] + (stops[lower + 1] - stops[lower]) * share
    let bytes = SIMD3<UInt32>(color * 255, rounding: .toNearestOrEven)
    return 0xFF00_0000 | bytes.x << 16 | bytes.y << 8 | bytes.z
  }

  /// Red, green and blue from 0 to 1 at even places from far to near.
  package static var colors: [(red: Double, green: Double, blue: Double)] {
    stops.map { (Double($0.x), Double($0.y), Double($0.z)) }
  }

  private static let stops: [SIMD3<Float>] = [
    [0.10, 0.08, 0.30], [0.16, 0.27, 0.66], [0.10, 0.55, 0.80], [0.16, 0.76, 0.60],
    [0.60, 0.85, 0.30], [0.96, 0.82, 0.22], [0.96, 0.52, 0.16], [0.80, 0.18, 0.18],
  ]
}
