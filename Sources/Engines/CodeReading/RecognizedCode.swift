package import Foundation

/// A code that was read in a picture.
package struct RecognizedCode: Sendable, Hashable {
  /// The kind of code.
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
  /// The symbol of QR, Aztec and Data Matrix codes, where the library reports it (Debian 12's does); `nil` of others.
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

  /// Whether `other` is this code, found once more in the same picture: it says the same in the same place.
  func isSeenAgain(as other: RecognizedCode) -> Bool {
    guard kind == other.kind, bytes == other.bytes else { return false }
    let (mine, its) = (bounds.insetBy(dx: -1, dy: -1), other.bounds.insetBy(dx: -1, dy: -1))
    return mine.contains(CGPoint(x: its.midX, y: its.midY))
      || its.contains(CGPoint(x: mine.midX, y: mine.midY))
  }
}
