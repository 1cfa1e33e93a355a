/// A matrix of three columns and three rows, in memory column by column, each as long as four `Float`s.
///
/// Source: [simd_float3x3](https://developer.apple.com/documentation/simd/simd_float3x3).
public struct simd_float3x3: Sendable, Equatable, CustomDebugStringConvertible {
  /// The columns, from left to right.
  public var columns: (simd_float3, simd_float3, simd_float3)

  /// A matrix of zeros.
  public init() {
    columns = (.zero, .zero, .zero)
  }

  /// A matrix with `scalar` on its diagonal and zeros elsewhere.
  public init(_ scalar: Float) {
    self.init(diagonal: simd_float3(repeating: scalar))
  }

  /// A matrix with these numbers on its diagonal and zeros elsewhere.
  public init(diagonal: simd_float3) {
    columns = (
      simd_float3(diagonal.x, 0, 0), simd_float3(0, diagonal.y, 0), simd_float3(0, 0, diagonal.z)
    )
  }

  /// A matrix of three columns; any other number of them ends the program.
  public init(_ columns: [simd_float3]) {
    precondition(columns.count == 3, "A simd_float3x3 has three columns.")
    self.columns = (columns[0], columns[1], columns[2])
  }

  /// A matrix of three rows; any other number of them ends the program.
  public init(rows: [simd_float3]) {
    precondition(rows.count == 3, "A simd_float3x3 has three rows.")
    self = simd_float3x3(rows).transpose
  }

  /// A matrix of these columns.
  public init(columns: (simd_float3, simd_float3, simd_float3)) {
    self.columns = columns
  }

  /// A matrix of these columns.
  public init(_ col0: simd_float3, _ col1: simd_float3, _ col2: simd_float3) {
    columns = (col0, col1, col2)
  }

  /// One column, from 0 to 2; any other number ends the program.
  public subscript(column: Int) -> simd_float3 {
    get {
      switch column {
      case 0: columns.0
      case 1: columns.1
      case 2: columns.2
      default: preconditionFailure("A simd_float3x3 has the columns 0, 1 and 2.")
      }
    }
    set {
      switch column {
      case 0: columns.0 = newValue
      case 1: columns.1 = newValue
      case 2: columns.2 = newValue
      default: preconditionFailure("A simd_float3x3 has the columns 0, 1 and 2.")
      }
    }
  }

  /// One element; both numbers are from 0 to 2, any other ends the program.
  public subscript(column: Int, row: Int) -> Float {
    get { self[column][row] }
    set { self[column][row] = newValue }
  }

  /// The elements, row by row.
  public var debugDescription: String {
    let rows = transpose
    return
      "simd_float3x3([\([rows.columns.0, rows.columns.1, rows.columns.2].map(Self.text).joined(separator: ", "))])"
  }

  private static func text(_ row: simd_float3) -> String { "[\(row.x), \(row.y), \(row.z)]" }

  /// Whether all elements are equal.
  public static func == (left: simd_float3x3, right: simd_float3x3) -> Bool {
    left.columns == right.columns
  }
}

/// The older name of ``simd_float3x3``.
///
/// Source: [matrix_float3x3](https://developer.apple.com/documentation/simd/matrix_float3x3).
public typealias matrix_float3x3 = simd_float3x3

/// The name of ``simd_float3x3`` in Swift's older overlay.
public typealias float3x3 = simd_float3x3

/// The matrix that changes nothing.
///
/// Source: [matrix_identity_float3x3](https://developer.apple.com/documentation/simd/matrix_identity_float3x3).
public let matrix_identity_float3x3 = simd_float3x3(1)
