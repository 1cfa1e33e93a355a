internal import Foundation

/// The parameter sets of a description of H.264 or HEVC, at addresses that stay.
///
/// Source: ISO/IEC 14496-15, 5.3.3.1 (`AVCDecoderConfigurationRecord`) and 8.3.3.1 (`HEVCDecoderConfigurationRecord`).
final class StoredParameterSets: @unchecked Sendable {  // Safe because nothing changes after `init`.
  /// Where each set lies: VPS, SPS, PPS.
  let ranges: [Range<Int>]
  let nalUnitHeaderLength: Int
  /// Whether they are H.264's.
  let isH264: Bool
  private let memory: UnsafeMutableBufferPointer<UInt8>

  /// The sets of a description's record; `nil` without one, and for one that is cut off.
  init?(subtype: CMMediaType, extensions: [String: Any]) {
    isH264 = subtype == kCMVideoCodecType_H264
    guard isH264 || subtype == kCMVideoCodecType_HEVC else { return nil }
    let atoms = extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] as? [String: Any]
    guard let record = atoms?[isH264 ? "avcC" : "hvcC"] as? Data, record.first == 1 else { return nil }
    let bytes = [UInt8](record)
    let lengthPlace = isH264 ? 4 : 21
    guard let ranges = isH264 ? Self.h264Ranges(bytes) : Self.hevcRanges(bytes), bytes.count > lengthPlace
    else {
      return nil
    }
    self.ranges = ranges
    nalUnitHeaderLength = Int(bytes[lengthPlace] & 3) + 1
    memory = .allocate(capacity: bytes.count)
    _ = memory.initialize(from: bytes)
  }

  private static func h264Ranges(_ bytes: [UInt8]) -> [Range<Int>]? {
    guard bytes.count >= 7 else { return nil }
    var (at, ranges) = (5, [Range<Int>]())
    for mask: UInt8 in [0x1F, 0xFF] {
      guard at < bytes.count else { return nil }
      let count = Int(bytes[at] & mask)
      at += 1
      guard addSets(count, bytes, &at, &ranges) else { return nil }
    }
    return ranges
  }

  private static func hevcRanges(_ bytes: [UInt8]) -> [Range<Int>]? {
    guard bytes.count >= 23 else { return nil }
    var (at, ranges) = (23, [Range<Int>]())
    for _ in 0..<bytes[22] {
      guard at + 3 <= bytes.count else { return nil }
      let isParameterSet = (32...34).contains(bytes[at] & 0x3F)
      let count = Int(bytes[at + 1]) << 8 + Int(bytes[at + 2])
      at += 3
      var found: [Range<Int>] = []
      guard addSets(count, bytes, &at, &found) else { return nil }
      if isParameterSet { ranges += found }
    }
    return ranges
  }

  /// Sets of which each has its length in two bytes before it.
  private static func addSets(
    _ count: Int, _ bytes: [UInt8], _ at: inout Int, _ ranges: inout [Range<Int>]
  ) -> Bool {
    for _ in 0..<count {
      guard at + 2 <= bytes.count else { return false }
      let end = at + 2 + Int(bytes[at]) << 8 + Int(bytes[at + 1])
      guard end <= bytes.count else { return false }
      ranges.append(at + 2..<end)
      at = end
    }
    return true
  }

  deinit {
    memory.deallocate()
  }

  func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: memory[ranges[index]])
  }
}
