internal import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Values of metadata as bytes of their types; numbers have the byte of most weight first.
enum MetadataValue {
  /// Types that files name in words, and the one that their bytes are of.
  private static let bases = [
    kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709: kCMMetadataBaseDataType_UTF8,
    kCMMetadataBaseDataType_JSON: kCMMetadataBaseDataType_UTF8,
    kCMMetadataDataType_QuickTimeMetadataDirection: kCMMetadataBaseDataType_Float32,
  ]

  private static let widths: [String: (bytes: Int, isSigned: Bool)] = [
    kCMMetadataBaseDataType_SInt8: (1, true), kCMMetadataBaseDataType_SInt16: (2, true),
    kCMMetadataBaseDataType_SInt32: (4, true), kCMMetadataBaseDataType_SInt64: (8, true),
    kCMMetadataBaseDataType_UInt8: (1, false), kCMMetadataBaseDataType_UInt16: (2, false),
    kCMMetadataBaseDataType_UInt32: (4, false), kCMMetadataBaseDataType_UInt64: (8, false),
  ]

  /// The bytes of a value; `nil` when it is not of the type, or does not fit.
  static func bytes(_ value: Any?, type: String) -> Data? {
    let base = bases[type] ?? type
    if let data = value as? NSData { return data.copied }
    if let text = value as? NSString {
      switch base {
      case kCMMetadataBaseDataType_UTF8: return Data(text.description.utf8)
      case kCMMetadataBaseDataType_UTF16:
        return text.description.utf16.reduce(into: Data()) { data, unit in
          data.append(contentsOf: [UInt8(unit >> 8), UInt8(unit & 0xFF)])
        }
      default: return nil
      }
    }
    guard let number = value as? NSNumber else { return nil }
    if base == kCMMetadataBaseDataType_Float32 {
      return withUnsafeBytes(of: number.floatValue.bitPattern.bigEndian) { Data($0) }
    }
    if base == kCMMetadataBaseDataType_Float64 {
      return withUnsafeBytes(of: number.doubleValue.bitPattern.bigEndian) { Data($0) }
    }
    guard let (count, isSigned) = widths[base] else { return nil }
    let whole = isSigned ? UInt64(bitPattern: number.int64Value) : number.uint64Value
    let kept = withUnsafeBytes(of: whole.bigEndian) { Data($0.suffix(count)) }
    // What was cut off must be nothing but the sign.
    return (object(kept, type: base) as? NSNumber) == number ? kept : nil
  }

  /// The value of bytes; those that are not of the type as they are.
  static func object(_ data: Data, type: String) -> (any NSCopying & NSObjectProtocol) {
    let base = bases[type] ?? type
    func bits() -> UInt64 { data.reduce(0) { $0 << 8 | UInt64($1) } }
    switch base {
    case kCMMetadataBaseDataType_UTF8: return NSString(string: String(decoding: data, as: UTF8.self))
    case kCMMetadataBaseDataType_UTF16:
      let bytes = [UInt8](data)
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return NSString(string: String(decoding: units, as: UTF16.self))
    case kCMMetadataBaseDataType_Float32 where data.count == 4:
      return NSNumber(value: Float(bitPattern: UInt32(bits())))
    case kCMMetadataBaseDataType_Float64 where data.count == 8:
      return NSNumber(value: Double(bitPattern: bits()))
    default:
      guard let (count, isSigned) = widths[base], data.count == count else { return NSData(data: data) }
      guard isSigned else { return NSNumber(value: bits()) }
      let shift = UInt64(64 - 8 * count)
      return NSNumber(value: Int64(bitPattern: bits() << shift) >> Int64(shift))
    }
  }
}
