internal import FoundationExtras

/// Reads the value of `kCVPixelBufferPixelFormatTypeKey`.
package enum PixelFormatChoice {
  /// The codes asked for, best first; empty when there is none.
  package static func codes(_ value: Any?) -> [OSType] {
    guard let choices = value as? CFArray else { return LooseNumber.code(value).map { [$0] } ?? [] }
    return choices.compactMap { LooseNumber.code($0) }
  }
}
