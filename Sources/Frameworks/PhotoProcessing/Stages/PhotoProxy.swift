package import CaptureDevice
package import Foundation
internal import ImageIO
package import StillCodecs

/// The picture that stands for a photo until it is finished: a complete file of half its size that names its frames.
package enum PhotoProxy {
  /// Pixels of the longer side, at most.
  package static let longerSide = 2048
  /// The start of the maker note, before the identifier.
  private static let mark = Array("Obscura deferred photo ".utf8)

  /// The size of the proxy of a photo of `size`: half of each side, and no more than ``longerSide``.
  package static func size(of size: FrameSize) -> FrameSize {
    let limit = min(longerSide, max(2, max(size.width, size.height) / 2))
    return PhotoDeveloper.size(size, within: limit, limit)
  }

  /// EXIF's maker note in the proxy of the photo with `identifier`.
  ///
  /// - Parameter note: What the photo's own note will say in Apple's form; the proxy's says it, too.
  package static func makerNote(_ identifier: String, beside note: AppleMakerNote? = nil) -> Data {
    let own = mark + identifier.utf8
    guard var note else { return Data(own) }
    note.rest = own
    return Data(note.bytes)
  }

  /// The identifier in the bytes of a proxy's file, whatever else its metadata says; `nil` for any other file.
  package static func identifier(in file: Data) -> String? {
    guard let facts = try? StillFacts(file) else { return nil }
    let bytes: [UInt8]
    switch facts.exifBlock?[ExifTag(.exif, 0x927C)] {
    case .undefined(let note)?, .bytes(let note)?: bytes = AppleMakerNote(note)?.rest ?? note
    default: return nil
    }
    guard bytes.starts(with: mark) else { return nil }
    let identifier = String(decoding: bytes.dropFirst(mark.count), as: UTF8.self)
    return isIdentifier(identifier) ? identifier : nil
  }

  /// A new identifier: 32 hexadecimal digits, by chance.
  package static func newIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<32).map { _ in Int.random(in: 0..<16, using: &generator) }
    return digits.map { String($0, radix: 16) }.joined()
  }

  /// Whether `text` has an identifier's form; what has not names no file.
  package static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
