import Foundation

/// The state of the scanner screen.
package struct ScanState: Sendable, Equatable {
  /// The part of the picture that is searched, in fractions of the picture as it is shown.
  package var region = CGRect(x: 0.12, y: 0.14, width: 0.76, height: 0.72)
  /// The codes in view; while the scanner rests, the one that it has found.
  package var codes: [FoundCode] = []
  /// The code that was found; the scanner rests until it is dismissed.
  package var hit: FoundCode?

  /// A scanner that has found nothing.
  package init() {}
}

/// A code in the picture.
package struct FoundCode: Sendable, Equatable {
  /// The symbology's name: `QR`, `EAN-13`.
  package var kind: String
  package var content: CodeContent
  /// Its corners in its own order, in fractions of the picture as it is shown.
  package var corners: [CGPoint]
}
