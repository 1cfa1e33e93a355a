package import Foundation
internal import FoundationExtras

/// Opening the picture files that users name.
package enum StillFile {
  /// The bytes of the picture file at `path`.
  ///
  /// The head decides: what is no picture, or one beyond what is ever decoded, is refused before the rest is read.
  ///
  /// - Parameter bound: The most bytes that are read.
  /// - Throws: `FileReadError`; ``StillCodecError``: `unsupported`, `damaged`, `tooLarge`.
  package static func read(_ path: String, atMost bound: Int = InputFile.pictureBound) throws -> Data {
    let file = try InputFile(path)
    let head = try file.head(1 << 20)
    guard let format = StillFormat(detecting: head) else { throw StillCodecError.noPicture }
    if file.size <= bound, let size = format.size(inHead: head) {
      try DecodeLimit.check(
        width: size.width, height: size.height, fileBytes: max(file.size, head.count), format: format)
    }
    return try file.contents(atMost: bound)
  }
}

extension StillFormat {
  /// Width and height as the head of a file says; `nil` when they stand further back.
  fileprivate func size(inHead head: Data) -> (width: Int, height: Int)? {
    switch self {
    case .jpeg: return JPEGSegments.size(of: head)
    case .heic: return HEIFBoxes(head).map { ($0.width, $0.height) }
    case .dng: return nil
    case .gif:
      guard head.count >= 10 else { return nil }
      func word(at offset: Int) -> Int {
        Int(head[head.startIndex + offset]) | Int(head[head.startIndex + offset + 1]) << 8
      }
      return (word(at: 6), word(at: 8))
    case .png:
      guard head.count >= 24 else { return nil }
      func number(at offset: Int) -> Int {
        head[(head.startIndex + offset)..<(head.startIndex + offset + 4)].reduce(0) { $0 << 8 | Int($1) }
      }
      return (number(at: 16), number(at: 20))
    }
  }
}
