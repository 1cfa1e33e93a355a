package import Foundation

/// A code that was read in a picture.
package struct RecognizedCode: Sendable, Hashable {
  /// What sort of code.
  package var kind: CodeKind
  /// The payload as the symbol holds it, before any character set.
  package var bytes: [UInt8]
  /// The payload as text; `nil` where the code says that it holds something else, or the text is not valid Unicode.
  ///
  /// Converted from the character set that the code names, or that its bytes look like. Bytes with control codes are text
  /// where they are UTF-8 without a NUL.
  package var text: String?
  /// The code's own top left, top right, bottom right and bottom left corner, in pixels of the picture from its top left.
  ///
  /// Of the symbol without its quiet zone. A row of bars has corners where it was scanned; they may lie on one line.
  package var corners: [CGPoint]
  /// How the modules hold it: of QR, Aztec and Data Matrix codes, where the library says so (Debian 12's does); `nil` of others.
  package var symbol: CodeSymbol?

  /// A code at `corners`.
  package init(kind: CodeKind, bytes: [UInt8], text: String?, corners: [CGPoint]) {
    self.kind = kind
    self.bytes = bytes
    self.text = text
    self.corners = corners
  }

  /// The smallest upright rectangle around the corners, in pixels.
  package var bounds: CGRect {
    guard let first = corners.first else { return .zero }
    var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
    for corner in corners.dropFirst() {
      (left, top) = (min(left, corner.x), min(top, corner.y))
      (right, bottom) = (max(right, corner.x), max(bottom, corner.y))
    }
    return CGRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
