extension simd_float3x3 {
  /// The matrix with rows and columns exchanged.
  public var transpose: simd_float3x3 {
    let (a, b, c) = columns
    return simd_float3x3(
      simd_float3(a.x, b.x, c.x), simd_float3(a.y, b.y, c.y), simd_float3(a.z, b.z, c.z))
  }

  /// By how much the matrix enlarges volumes; 0 when it cannot be turned round.
  public var determinant: Float {
    simd_dot(columns.0, simd_cross(columns.1, columns.2))
  }

  /// The matrix that takes back what this one does; without numbers when the determinant is 0.
  public var inverse: simd_float3x3 {
    let (a, b, c) = columns
    let rows = simd_float3x3(simd_cross(b, c), simd_cross(c, a), simd_cross(a, b)).transpose
    return (1 / determinant) * rows
  }

  /// The sum, element by element.
  public static func + (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 {
    simd_float3x3(
      left.columns.0 + right.columns.0, left.columns.1 + right.columns.1, left.columns.2 + right.columns.2)
  }

  /// The difference, element by element.
  public static func - (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 {
    left + -1 * right
  }

  /// Every element times a number.
  public static func * (left: Float, right: simd_float3x3) -> simd_float3x3 {
    simd_float3x3(left * right.columns.0, left * right.columns.1, left * right.columns.2)
  }

  /// Every element times a number.
  public static func * (left: simd_float3x3, right: Float) -> simd_float3x3 {
    right * left
  }

  /// The matrix times a column.
  public static func * (left: simd_float3x3, right: simd_float3) -> simd_float3 {
    left.columns.0 * right.x + left.columns.1 * right.y + left.columns.2 * right.z
  }

  /// A row times the matrix.
  public static func * (left: simd_float3, right: simd_float3x3) -> simd_float3 {
    right.transpose * left
  }

  /// The matrix that does first what `right` does, and then what `left` does.
  public static func * (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 {
    simd_float3x3(left * right.columns.0, left * right.columns.1, left * right.columns.2)
  }
}

/// The matrix times a column.
///
/// Source: [simd_mul](https://developer.apple.com/documentation/simd/simd_mul).
public func simd_mul(_ x: simd_float3x3, _ y: simd_float3) -> simd_float3 { x * y }

/// The matrix that does first what `y` does, and then what `x` does.
///
/// Source: [simd_mul](https://developer.apple.com/documentation/simd/simd_mul).
public func simd_mul(_ x: simd_float3x3, _ y: simd_float3x3) -> simd_float3x3 { x * y }

/// The matrix that takes back what `x` does.
///
/// Source: [simd_inverse](https://developer.apple.com/documentation/simd/simd_inverse).
public func simd_inverse(_ x: simd_float3x3) -> simd_float3x3 { x.inverse }

/// The matrix with rows and columns exchanged.
///
/// Source: [simd_transpose](https://developer.apple.com/documentation/simd/simd_transpose).
public func simd_transpose(_ x: simd_float3x3) -> simd_float3x3 { x.transpose }

/// The determinant of `x`.
///
/// Source: [simd_determinant](https://developer.apple.com/documentation/simd/simd_determinant).
public func simd_determinant(_ x: simd_float3x3) -> Float { x.determinant }
