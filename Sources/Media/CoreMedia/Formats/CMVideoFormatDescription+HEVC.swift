internal import Foundation
internal import FoundationExtras

extension CMFormatDescription {
  /// Describes HEVC by parameter sets without start codes, which are copied; `nil` when they cannot be read.
  ///
  /// They become the entry `hvcC` of ``kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms``, for samples with four
  /// bytes of length before each NAL unit. Source: ISO/IEC 14496-15, 8.3.3.1 (`HEVCDecoderConfigurationRecord`).
  ///
  /// - Parameter extensions: What else is said by name.
  package convenience init?(hevc sets: [UnsafeRawBufferPointer], extensions: [String: Any] = [:]) {
    func those(_ kind: UInt8) -> [UnsafeRawBufferPointer] {
      sets.filter { $0.count > 2 && $0.count <= Int(UInt16.max) && $0[0] >> 1 & 0x3F == kind }
    }
    let arrays: [(UInt8, [UnsafeRawBufferPointer])] = [32, 33, 34].map { ($0, those($0)) }
    guard arrays.allSatisfy({ !$0.1.isEmpty && $0.1.count < 256 }), let first = arrays[1].1.first,
      let sequence = HEVCSequenceParameterSet(first)
    else { return nil }
    var record = Data([1])
    record.append(contentsOf: sequence.profileTierLevel)
    record.append(contentsOf: [
      0xF0, 0, 0xFC, 0xFC | UInt8(sequence.chromaFormat), 0xF8 | UInt8(sequence.lumaDepth - 8),
      0xF8 | UInt8(sequence.chromaDepth - 8), 0, 0,
      UInt8(sequence.temporalLayers) << 3 | (sequence.isTemporallyNested ? 4 : 0) | 3, 3,
    ])
    for (kind, sets) in arrays {
      record.append(contentsOf: [0x80 | kind, 0, UInt8(sets.count)])
      for set in sets {
        record.append(contentsOf: [UInt8(set.count >> 8), UInt8(set.count & 0xFF)])
        record.append(contentsOf: set)
      }
    }
    var extensions = extensions
    extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = ["hvcC": record]
    self.init(
      kCMMediaType_Video, kCMVideoCodecType_HEVC, extensions: extensions,
      specifics: .picture(sequence.dimensions))
  }
}

/// What a sequence parameter set of HEVC says of the pictures, as far as a description needs it.
///
/// Source: ITU-T H.265, 7.3.2.2.1 and 7.3.3.
struct HEVCSequenceParameterSet {
  /// The twelve bytes from `general_profile_space` to `general_level_idc`.
  let profileTierLevel: [UInt8]
  let temporalLayers: Int
  let isTemporallyNested: Bool
  let chromaFormat: Int
  let lumaDepth: Int
  let chromaDepth: Int
  let dimensions: CMVideoDimensions

  /// Reads a set with its NAL header, and without a start code; `nil` for what is none or contradicts itself.
  init?(_ unit: UnsafeRawBufferPointer) {
    guard unit.count > 2, unit[0] >> 1 & 0x3F == 33 else { return nil }
    var bits = NALBits(UnsafeRawBufferPointer(rebasing: unit.dropFirst(2)))
    _ = bits.read(4)
    let further = bits.read(3)
    temporalLayers = further + 1
    isTemporallyNested = bits.read(1) == 1
    profileTierLevel = (0..<12).map { _ in UInt8(bits.read(8)) }
    Self.passLayers(&bits, further)
    _ = bits.readCount()
    chromaFormat = bits.readCount()
    if chromaFormat == 3 { _ = bits.read(1) }
    // More than any level allows, and small enough to multiply.
    var width = min(bits.readCount(), 0xFFFF)
    var height = min(bits.readCount(), 0xFFFF)
    if bits.read(1) == 1 {
      let across = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
      let down = chromaFormat == 1 ? 2 : 1
      width -= (min(bits.readCount(), width) + min(bits.readCount(), width)) * across
      height -= (min(bits.readCount(), height) + min(bits.readCount(), height)) * down
    }
    lumaDepth = 8 + bits.readCount()
    chromaDepth = 8 + bits.readCount()
    guard !bits.isOver, further < 7, chromaFormat <= 3, lumaDepth <= 15, chromaDepth <= 15, width > 0,
      height > 0
    else { return nil }
    dimensions = CMVideoDimensions(width: Int32(width), height: Int32(height))
  }

  private static func passLayers(_ bits: inout NALBits, _ count: Int) {
    guard count > 0 else { return }
    let present = (0..<count).map { _ in (profile: bits.read(1) == 1, level: bits.read(1) == 1) }
    for _ in count..<8 { _ = bits.read(2) }
    for layer in present {
      if layer.profile { for _ in 0..<11 { _ = bits.read(8) } }
      if layer.level { _ = bits.read(8) }
    }
  }
}
