import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Testing

@Suite struct `Descriptions of H.264` {
  /// High profile, 64×48, square pixels, the colours of HDTV, as x264 writes it.
  static let high: [UInt8] = [
    0x67, 0x64, 0x00, 0x0A, 0xAC, 0xB4, 0x23, 0xD8, 0x0B, 0x50, 0x10, 0x10, 0x14, 0x00, 0x00, 0x03, 0x00,
    0x04, 0x00, 0x00, 0x03, 0x00, 0xF2, 0x3C, 0x48, 0x9A, 0x80,
  ]
  static let picture: [UInt8] = [0x68, 0xEF, 0x02, 0x5C, 0xB0]

  private func create(
    _ sets: [[UInt8]], header: Int32 = 4
  ) -> (status: OSStatus, description: CMFormatDescription?) {
    var description: CMFormatDescription?
    let joined: [UInt8] = Array(sets.joined()) + [0]
    let status = joined.withUnsafeBufferPointer { bytes in
      var offset = 0
      let pointers = sets.compactMap { set -> UnsafePointer<UInt8>? in
        defer { offset += set.count }
        return bytes.baseAddress.map { $0 + offset }
      }
      return CMVideoFormatDescriptionCreateFromH264ParameterSets(
        allocator: kCFAllocatorDefault, parameterSetCount: sets.count, parameterSetPointers: pointers,
        parameterSetSizes: sets.map(\.count), nalUnitHeaderLength: header, formatDescriptionOut: &description)
    }
    return (status, description)
  }

  @Test func `parameter sets say size, colours and the record that files have`() throws {
    let description = try #require(create([Self.high, Self.picture]).description)
    #expect(description.mediaType == .video && description.mediaSubType == .h264)
    #expect(description.dimensions == CMVideoDimensions(width: 64, height: 48))
    #expect(description.extensions[.colorPrimaries] == .colorPrimaries(.itu_R_709_2))
    #expect(
      CMFormatDescriptionGetExtension(
        description, extensionKey: kCMFormatDescriptionExtension_TransferFunction) as? String
        == kCMFormatDescriptionTransferFunction_ITU_R_709_2)
    let atoms =
      CMFormatDescriptionGetExtension(
        description, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
      as? [String: Any]
    let record: [UInt8] =
      [1, 0x64, 0, 0x0A, 0xFF, 0xE1, 0, UInt8(Self.high.count)] + Self.high
      + [1, 0, UInt8(Self.picture.count)] + Self.picture + [0xFD, 0xF8, 0xF8, 0]
    #expect(atoms?["avcC"] as? Data == Data(record))
  }

  @Test func `each set can be had again, sequence parameter sets first`() throws {
    // In another order than they come out.
    let description = try #require(create([Self.picture, Self.high], header: 2).description)
    var pointer: UnsafePointer<UInt8>?
    var size = 0, count = 0
    var header: Int32 = 0
    for (index, set) in [Self.high, Self.picture].enumerated() {
      #expect(
        CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
          description, parameterSetIndex: index, parameterSetPointerOut: &pointer,
          parameterSetSizeOut: &size, parameterSetCountOut: &count, nalUnitHeaderLengthOut: &header) == noErr)
      #expect(Array(UnsafeBufferPointer(start: pointer, count: size)) == set)
    }
    #expect(count == 2 && header == 2 && description.nalUnitHeaderLength == 2)
    #expect(
      CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        description, parameterSetIndex: 2, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        == kCMFormatDescriptionBridgeError_InvalidParameter)
    let other = try CMFormatDescription(videoCodecType: .h264, width: 64, height: 48)
    #expect(
      CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        other, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        == kCMFormatDescriptionBridgeError_InvalidParameter)
    #expect(other.nalUnitHeaderLength == nil)
  }

  @Test func `the Swift initialiser makes the same`() throws {
    let made = try CMFormatDescription(h264ParameterSets: [Data(Self.high), Data(Self.picture)])
    #expect(made == create([Self.high, Self.picture]).description)
    #expect(made.nalUnitHeaderLength == 4)
    let error = #expect(throws: NSError.self) {
      try CMFormatDescription(h264ParameterSets: [Data(Self.picture)])
    }
    #expect(error?.code == Int(kCMFormatDescriptionBridgeError_InvalidParameter))
    // A description that was written down and read again has the sets as well.
    let again = try CMFormatDescription(
      videoCodecType: .h264, width: 64, height: 48, extensions: made.extensions)
    #expect(again.nalUnitHeaderLength == 4)
  }

  @Test func `sets that cannot be read are refused`() {
    let wrong: [[[UInt8]]] = [
      [], [Self.high], [Self.picture], [Self.high, Self.picture, [0x65, 0x88]], [Self.high, []],
      [[0, 0, 0, 1] + Self.high, [0, 0, 0, 1] + Self.picture], [Array(Self.high.prefix(5)), Self.picture],
      [[0xE7] + Self.high.dropFirst(), Self.picture],
    ]
    for sets in wrong {
      let (status, description) = create(sets)
      #expect(status == kCMFormatDescriptionBridgeError_InvalidParameter && description == nil, "\(sets)")
    }
    #expect(create([Self.high, Self.picture], header: 3).description == nil)
    #expect(create([Self.high, Self.picture], header: 0).description == nil)
  }

  @Test func `a set that breaks off anywhere is refused or has the size, and never crashes`() {
    for count in 1..<Self.high.count {
      let description = create([Array(Self.high.prefix(count)), Self.picture]).description
      #expect(description == nil || description?.dimensions == CMVideoDimensions(width: 64, height: 48))
    }
    for index in Self.high.indices.dropFirst() {
      for bit in 0..<8 {
        var set = Self.high
        set[index] ^= 1 << bit
        guard let size = create([set, Self.picture]).description?.dimensions else { continue }
        #expect(size.width > 0 && size.height > 0)
      }
    }
  }

  @Test func `a picture of 1080 rows is not one of 1088`() throws {
    // Baseline, 120 by 68 macroblocks, four pairs of rows cut off at the bottom, no further words.
    var bits = "01000010" + "00000000" + "00101000" + "1" + "1" + "1" + "1" + "010" + "0"
    func count(_ value: Int) -> String {
      let text = String(value + 1, radix: 2)
      return String(repeating: "0", count: text.count - 1) + text
    }
    bits += count(119) + count(67) + "1" + "1" + "1" + count(0) + count(0) + count(0) + count(4) + "0" + "1"
    bits += String(repeating: "0", count: (8 - bits.count % 8) % 8)
    let bytes = stride(from: 0, to: bits.count, by: 8).map { offset in
      UInt8(bits.dropFirst(offset).prefix(8), radix: 2) ?? 0
    }
    let description = try #require(create([[0x67] + bytes, [0x68, 0xCE, 0x38, 0x80]]).description)
    #expect(description.dimensions == CMVideoDimensions(width: 1920, height: 1080))
  }
}
