package import Foundation

extension NSData {
  /// The same bytes as a value.
  ///
  /// `as Data` asks this library's `NSMutableData` for each byte by itself, which takes longer than the coding of a picture.
  package var copied: Data { Data(bytes: bytes, count: length) }
}
