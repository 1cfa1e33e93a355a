/// A matrix of four columns and three rows, as Apple's `simd` has it: a turn and a shift, or a projection.
///
/// Apple: `simd_float4x3`.
public struct simd_float4x3: Sendable, Equatable, CustomDebugStringConvertible {
  /// The columns, left to right.
  ///
  /// Apple: `simd_float4x3.columns`.
  public var columns: (simd_float3, simd_float3, simd_float3, simd_float3)

  /// All zero.
  public init() {
    columns = (.zero, .zero, .zero, .zero)
  }

  /// The matrix of these columns.
  public init(columns: (simd_float3, simd_float3, simd_float3, simd_float3)) {
    self.columns = columns
  }

  /// The matrix of these columns.
  public init(_ first: simd_float3, _ second: simd_float3, _ third: simd_float3, _ fourth: simd_float3) {
    columns = (first, second, third, fourth)
  }

  /// A column, 0 to 3; another number traps.
  public subscript(column: Int) -> simd_float3 {
    get {
      switch column {
      case 0: columns.0
      case 1: columns.1
      case 2: columns.2
      case 3: columns.3
      default: preconditionFailure("A matrix of four columns has no column \(column).")
      }
    }
    set {
      switch column {
      case 0: columns.0 = newValue
      case 1: columns.1 = newValue
      case 2: columns.2 = newValue
      case 3: columns.3 = newValue
      default: preconditionFailure("A matrix of four columns has no column \(column).")
      }
    }
  }

  /// The product with a vector.
  public static func * (matrix: simd_float4x3, vector: simd_float4) -> simd_float3 {
    let (a, b, c, d) = matrix.columns
    return a * vector.x + b * vector.y + c * vector.z + d * vector.w
  }

  /// Whether all columns are the same.
  public static func == (left: simd_float4x3, right: simd_float4x3) -> Bool { left.columns == right.columns }

  /// The columns, as Apple writes them.
  public var debugDescription: String {
    "simd_float4x3([\((0..<4).map { "\(self[$0])" }.joined(separator: ", "))])"
  }
}

/// The older name.
public typealias matrix_float4x3 = simd_float4x3

/// The name without a prefix.
public typealias float4x3 = simd_float4x3
