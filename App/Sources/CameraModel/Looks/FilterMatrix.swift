/// Colours that follow from other colours by sums of their parts.
struct FilterMatrix: Sendable {
  /// For red, green and blue: the shares of red, green and blue, and how many of 255 levels are added.
  private let rows: [SIMD4<Double>]

  /// - Parameter rows: For red, green and blue: the shares of red, green and blue, and how many of 255 levels are added.
  init(rows: [(Double, Double, Double, Double)]) {
    self.rows = rows.map { SIMD4($0.0, $0.1, $0.2, $0.3) }
  }

  /// The changed red, green and blue, without limits.
  func changed(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
    rows.map { $0.x * red + $0.y * green + $0.z * blue + $0.w }
  }
}
