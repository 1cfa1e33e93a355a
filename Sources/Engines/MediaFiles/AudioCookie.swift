package import Foundation

/// The elementary stream descriptor of MPEG-4, which is AAC's magic cookie.
///
/// Source: ISO/IEC 14496-1, 7.2.6.
package enum AudioCookie {
  /// A descriptor around a decoder's configuration.
  ///
  /// - Parameters:
  ///   - configuration: AAC's `AudioSpecificConfig`.
  ///   - bitRate: Bits in a second, on average.
  package static func descriptor(configuration: Data, bitRate: Int) -> Data {
    func tagged(_ tag: UInt8, _ body: Data) -> Data {
      // Lengths of four bytes, as most programs write them.
      let count = body.count
      return Data([
        tag, 0x80 | UInt8(count >> 21 & 0x7F), 0x80 | UInt8(count >> 14 & 0x7F),
        0x80 | UInt8(count >> 7 & 0x7F), UInt8(count & 0x7F),
      ]) + body
    }
    func rate(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let decoder = Data([0x40, 0x15, 0, 0, 0] + rate(bitRate) + rate(bitRate)) + tagged(5, configuration)
    return tagged(3, Data([0, 0, 0]) + tagged(4, decoder) + tagged(6, Data([2])))
  }

  /// The decoder's configuration in a descriptor; `nil` when there is none.
  package static func decoderConfiguration(_ cookie: Data) -> Data? {
    var bytes = [UInt8](cookie)
    // As the content of an `esds` box: version and flags come first.
    if bytes.count > 4, bytes[0] == 0, bytes[4] == 3 { bytes.removeFirst(4) }
    var at = 0
    func body(_ tag: UInt8) -> Range<Int>? {
      guard at < bytes.count, bytes[at] == tag else { return nil }
      at += 1
      var count = 0
      for _ in 0..<4 {
        guard at < bytes.count else { return nil }
        let byte = bytes[at]
        at += 1
        count = count << 7 | Int(byte & 0x7F)
        if byte & 0x80 == 0 { break }
      }
      guard at + count <= bytes.count else { return nil }
      return at..<at + count
    }
    guard let stream = body(3), stream.count > 3 else { return nil }
    let flags = bytes[at + 2]
    at += 3
    if flags & 0x80 != 0 { at += 2 }
    if flags & 0x40 != 0, at < bytes.count { at += 1 + Int(bytes[at]) }
    if flags & 0x20 != 0 { at += 2 }
    guard let decoder = body(4), decoder.count > 13 else { return nil }
    at += 13
    guard let configuration = body(5), !configuration.isEmpty else { return nil }
    return Data(bytes[configuration])
  }
}
