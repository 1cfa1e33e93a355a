internal import Foundation
internal import FoundationExtras
internal import StillCodecs

/// The shape of a property's value and of its tag.
enum PropertyKind: Sendable {
  /// Text.
  case text
  /// An integer of 16 bits.
  case short
  /// Integers of 16 bits.
  case shorts
  /// An integer of 32 bits, or of 16 in the file.
  case long
  /// A number that is not negative.
  case rational
  /// Numbers that are not negative.
  case rationals
  /// A number.
  case signedRational
  /// An array of bytes; undefined bytes in the file.
  case bytes
  /// One byte; undefined in the file.
  case byte
  /// An array of bytes, bytes in the file.
  case plainBytes
  /// One byte, a byte in the file.
  case plainByte
  /// An array of integers such as 2, 3, 2; the digits `0232` in the file.
  case version
  /// Text; with eight bytes naming its code in the file.
  case comment
  /// Degrees as one number; degrees, minutes and seconds in the file.
  case degrees
  /// `HH:mm:ss.SS`; hours, minutes and seconds in the file.
  case time
}

// MARK: - Into the file

extension PropertyKind {
  /// The tag's value; `nil` when `value` is of the wrong kind or out of range.
  func encode(_ value: Any) -> ExifValue? {
    switch self {
    case .text: return (value as? String).map { .text($0) }
    case .short: return Self.integer(value).flatMap { UInt16(exactly: $0) }.map { .shorts([$0]) }
    case .long: return Self.integer(value).flatMap { UInt32(exactly: $0) }.map { .longs([$0]) }
    case .shorts: return Self.integers(value, as: UInt16.self).map { .shorts($0) }
    case .rational: return Self.rational(value).map { .rationals([$0]) }
    case .rationals:
      guard let numbers = value as? [Any] else { return nil }
      let fractions = numbers.compactMap(Self.rational)
      return fractions.count == numbers.count && !fractions.isEmpty ? .rationals(fractions) : nil
    case .signedRational:
      return LooseNumber.double(value).map { .signedRationals([ExifRational(approximating: $0)]) }
    case .bytes: return Self.integers(value, as: UInt8.self).map { .undefined($0) }
    case .byte: return Self.integers(value, as: UInt8.self).map { .undefined($0) }
    case .plainBytes: return Self.integers(value, as: UInt8.self).map { .bytes($0) }
    case .plainByte: return Self.integers(value, as: UInt8.self).map { .bytes($0) }
    case .version: return Self.version(value)
    case .comment: return (value as? String).map { .undefined(Self.comment($0)) }
    case .degrees: return LooseNumber.double(value).flatMap(Self.degrees)
    case .time: return (value as? String).flatMap(Self.time)
    }
  }

  /// An integer, also when it comes as a floating-point number.
  private static func integer(_ value: Any) -> Int? {
    LooseNumber.integer(value) ?? LooseNumber.double(value).flatMap { Int(exactly: $0.rounded()) }
  }

  private static func integers<Number: FixedWidthInteger>(_ value: Any, as type: Number.Type) -> [Number]? {
    if let data = value as? Data { return data.map { Number(truncatingIfNeeded: $0) } }
    let list = value as? [Any] ?? [value]
    let numbers = list.compactMap { integer($0).flatMap { Number(exactly: $0) } }
    return numbers.count == list.count && !numbers.isEmpty ? numbers : nil
  }

  private static func rational(_ value: Any) -> ExifRational? {
    guard let number = LooseNumber.double(value), number >= 0 else { return nil }
    return ExifRational(approximating: number)
  }

  private static func version(_ value: Any) -> ExifValue? {
    if let text = value as? String { return text.utf8.count == 4 ? .undefined(Array(text.utf8)) : nil }
    guard let parts = integers(value, as: UInt8.self), parts.allSatisfy({ $0 < 10 }), parts.count <= 3 else {
      return nil
    }
    var digits = [UInt8](repeating: 0x30, count: 4)
    for (index, part) in parts.enumerated() { digits[index + 1] = 0x30 + part }
    return .undefined(digits)
  }

  private static func comment(_ text: String) -> [UInt8] {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    if isASCII { return Array("ASCII\0\0\0".utf8) + Array(text.utf8) }
    // The block is written big-endian, and so is its UCS-2 text.
    return Array("UNICODE\0".utf8) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static func degrees(_ value: Double) -> ExifValue? {
    guard value.isFinite, value >= 0, value <= 360 else { return nil }
    // Hundred-thousandths of a second are a third of a millimetre; carried in whole numbers, so that 60 never appears.
    let parts = Int64((value * 3600 * 100_000).rounded())
    let (minutes, seconds) = parts.quotientAndRemainder(dividingBy: 60 * 100_000)
    return .rationals([
      ExifRational(minutes / 60, 1), ExifRational(minutes % 60, 1), ExifRational(seconds, 100_000),
    ])
  }

  private static func time(_ text: String) -> ExifValue? {
    let parts = text.split(separator: ":").map(String.init)
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
      let seconds = Double(parts[2]), (0..<24).contains(hours), (0..<60).contains(minutes), seconds >= 0,
      seconds < 61
    else { return nil }
    return .rationals([
      ExifRational(hours, 1), ExifRational(minutes, 1), ExifRational(Int64((seconds * 1000).rounded()), 1000),
    ])
  }
}

// MARK: - Out of the file

extension PropertyKind {
  /// The property's value; `nil` when the tag is of another kind than the standard says.
  func decode(_ value: ExifValue) -> Any? {
    switch self {
    case .text:
      guard case .text(let text) = value else { return nil }
      return text
    case .short, .long, .byte, .plainByte:
      return Self.integers(value)?.first
    case .shorts, .bytes, .plainBytes:
      return Self.integers(value)
    case .rational, .signedRational:
      return Self.numbers(value)?.first
    case .rationals:
      return Self.numbers(value)
    case .version:
      guard case .undefined(let digits) = value, digits.count == 4,
        digits.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      var parts = digits.dropFirst().map { Int($0) - 0x30 }
      while parts.count > 2, parts.last == 0 { parts.removeLast() }
      return parts
    case .comment:
      guard case .undefined(let bytes) = value, bytes.count >= 8 else { return nil }
      let body = bytes.dropFirst(8)
      guard bytes.starts(with: "UNICODE".utf8) else {
        return String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
      }
      let pairs = Array(body)
      let units = stride(from: 0, to: pairs.count - 1, by: 2).map {
        UInt16(pairs[$0]) << 8 | UInt16(pairs[$0 + 1])
      }
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    case .degrees:
      guard let parts = Self.numbers(value), !parts.isEmpty else { return nil }
      return zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    case .time:
      guard let parts = Self.numbers(value), parts.count == 3 else { return nil }
      let (hours, minutes) = (Int(parts[0].rounded()), Int(parts[1].rounded()))
      let hundredths = Int((parts[2] * 100).rounded())
      func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let text = "\(padded(hours)):\(padded(minutes)):\(padded(hundredths / 100))"
      return hundredths % 100 == 0 ? text : text + ".\(padded(hundredths % 100))"
    }
  }

  private static func integers(_ value: ExifValue) -> [Int]? {
    let numbers: [Int]
    switch value {
    case .bytes(let bytes), .undefined(let bytes): numbers = bytes.map(Int.init)
    case .shorts(let values): numbers = values.map(Int.init)
    case .longs(let values): numbers = values.map(Int.init)
    case .signedLongs(let values): numbers = values.map(Int.init)
    default: return nil
    }
    return numbers.isEmpty ? nil : numbers
  }

  /// `nil` also when a denominator is 0, which stands for "unknown".
  private static func numbers(_ value: ExifValue) -> [Double]? {
    switch value {
    case .rationals(let fractions), .signedRationals(let fractions):
      let numbers = fractions.compactMap(\.value)
      return numbers.count == fractions.count ? numbers : nil
    default:
      return integers(value)?.map(Double.init)
    }
  }
}
