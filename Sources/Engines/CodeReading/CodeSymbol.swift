/// The symbol of a matrix code: its parameters and codewords, from which its modules can be drawn again.
package struct CodeSymbol: Sendable, Hashable {
  /// The parameters of a symbol, by the kind of code.
  package enum Shape: Sendable, Hashable {
    /// A QR code: its version from 1 to 40, its mask from 0 to 7, and how much of it may be lost: L, M, Q or H.
    case qr(version: Int, mask: Int, level: Character)
    /// An Aztec code: how many layers lie around its core, and how many codewords of the message they hold.
    case aztec(isCompact: Bool, layers: Int, codewords: Int)
    /// A Data Matrix code with Reed-Solomon correction (ECC 200): its modules, the dotted and solid edges included.
    case dataMatrix(rows: Int, columns: Int)
  }

  /// The parameters of its kind of code.
  package var shape: Shape
  /// The message as the modules have it after errors were corrected: modes, lengths, text and padding.
  package var codewords: [UInt8]

  /// A symbol that holds `codewords`.
  package init(shape: Shape, codewords: [UInt8]) {
    self.shape = shape
    self.codewords = codewords
  }
}

extension CodeSymbol {
  /// Rows, columns and bytes of the message of each Data Matrix code with Reed-Solomon correction.
  ///
  /// Source: ISO/IEC 16022, table 7.
  private static let dataMatrixSizes: [(rows: Int, columns: Int, bytes: Int)] = [
    (10, 10, 3), (12, 12, 5), (14, 14, 8), (16, 16, 12), (18, 18, 18), (20, 20, 22), (22, 22, 30),
    (24, 24, 36), (26, 26, 44), (32, 32, 62), (36, 36, 86), (40, 40, 114), (44, 44, 144), (48, 48, 174),
    (52, 52, 204), (64, 64, 280), (72, 72, 368), (80, 80, 456), (88, 88, 576), (96, 96, 696),
    (104, 104, 816), (120, 120, 1050), (132, 132, 1304), (144, 144, 1558),
    (8, 18, 5), (8, 32, 10), (12, 26, 16), (12, 36, 22), (16, 36, 32), (16, 48, 49),
  ]

  /// The size of a Data Matrix code whose message has so many bytes, and which is about `aspect` times as wide as high.
  ///
  /// Some squares hold as much as some rectangles, which are more than twice as wide as high.
  static func dataMatrixShape(bytes: Int, aspect: Double) -> Shape? {
    let fitting = dataMatrixSizes.filter { $0.bytes == bytes }
    let size =
      aspect > 1.5 ? fitting.last : fitting.first { $0.rows == $0.columns } ?? fitting.first
    return size.map { .dataMatrix(rows: $0.rows, columns: $0.columns) }
  }
}
