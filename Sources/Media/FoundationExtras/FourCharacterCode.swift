/// Four characters packed into 32 bits, the first in the highest byte.
public typealias FourCharCode = UInt32
/// The four-character code of a type, such as a pixel format.
public typealias OSType = FourCharCode
/// A C-style result; ``noErr`` is success, everything else an error of the called framework.
public typealias OSStatus = Int32

/// Success.
public let noErr: OSStatus = 0

/// A four-character code that can be read and written as text.
///
/// `FourCharacterCode("420v").rawValue` is `kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange`, and
/// `"\(FourCharacterCode(rawValue: code))"` is what belongs into logs and error texts.
public struct FourCharacterCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The packed code.
  public var rawValue: FourCharCode

  /// The code with this packed value.
  public init(rawValue: FourCharCode) {
    self.rawValue = rawValue
  }

  /// The code spelled by exactly four ASCII characters, or `nil` for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 4, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: bytes.reduce(0) { $0 << 8 | FourCharCode($1) })
  }

  /// The four characters when all are printable, else the number in decimal.
  public var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return String(rawValue) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
