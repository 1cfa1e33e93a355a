public import Foundation
public import FoundationExtras

/// Describes HEVC by the parameter sets of its stream: size, and the sets themselves.
///
/// The sets become the entry `hvcC` of ``kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms``. They are copied.
///
/// - Parameters:
///   - parameterSetCount: How many sets there are: at least one each of video, sequence and picture, in any order.
///   - parameterSetPointers: The first byte of each, its NAL header; no start code stands before it.
///   - parameterSetSizes: How many bytes each has.
///   - nalUnitHeaderLength: How many bytes stand before each NAL unit of the samples and say its length: 1, 2 or 4.
///   - extensions: What else is said by name; it counts more than what the sets say.
/// - Returns: ``kCMFormatDescriptionBridgeError_InvalidParameter`` for sets that cannot be read.
@discardableResult
public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
  allocator: CFAllocator?, parameterSetCount: Int,
  parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>, parameterSetSizes: UnsafePointer<Int>,
  nalUnitHeaderLength NALUnitHeaderLength: Int32, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  let sets = (0..<max(parameterSetCount, 0)).map { index in
    UnsafeRawBufferPointer(start: parameterSetPointers[index], count: max(parameterSetSizes[index], 0))
  }
  guard
    let description = CMFormatDescription(
      hevc: sets, nalUnitHeaderLength: Int(NALUnitHeaderLength), extensions: extensions ?? [:])
  else { return kCMFormatDescriptionBridgeError_InvalidParameter }
  formatDescriptionOut.pointee = description
  return noErr
}

/// Gives one of the parameter sets of a description of HEVC: video, sequence, then picture parameter sets.
///
/// Each of the last four may be `nil`.
///
/// - Parameters:
///   - parameterSetIndex: Which one, from 0.
///   - parameterSetPointerOut: Its first byte, valid as long as the description lives.
///   - parameterSetSizeOut: How many bytes it has.
///   - parameterSetCountOut: How many there are.
///   - nalUnitHeaderLengthOut: How many bytes stand before each NAL unit of the samples and say its length.
/// - Returns: ``kCMFormatDescriptionBridgeError_InvalidParameter`` for a description without parameter sets, and when there
///   is no such set.
@discardableResult
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut NALUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  guard let sets = videoDesc.storedSets, !sets.isH264, sets.ranges.indices.contains(parameterSetIndex) else {
    return kCMFormatDescriptionBridgeError_InvalidParameter
  }
  let set = sets.bytes(parameterSetIndex)
  parameterSetPointerOut?.pointee = set.baseAddress
  parameterSetSizeOut?.pointee = set.count
  parameterSetCountOut?.pointee = sets.ranges.count
  NALUnitHeaderLengthOut?.pointee = Int32(sets.nalUnitHeaderLength)
  return noErr
}

extension CMFormatDescription {
  /// Describes HEVC by the parameter sets of its stream.
  ///
  /// - Parameters:
  ///   - parameterSets: At least one each of video, sequence and picture, each without a start code.
  ///   - nalUnitHeaderLength: How many bytes stand before each NAL unit of the samples and say its length: 1, 2 or 4.
  ///   - extensions: What else is said by name.
  /// - Throws: An error with the code ``kCMFormatDescriptionBridgeError_InvalidParameter`` for sets that cannot be read.
  public convenience init(
    hevcParameterSets parameterSets: [Data], nalUnitHeaderLength: Int = 4, extensions: Extensions? = nil
  ) throws {
    let joined = parameterSets.reduce(into: Data()) { $0 += $1 }
    let made = joined.withUnsafeBytes { bytes in
      var offset = 0
      let sets = parameterSets.map { set in
        defer { offset += set.count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + set.count])
      }
      return Self.hevcContents(sets, nalUnitHeaderLength, [:])
    }
    guard let (contents, dimensions) = made else {
      throw statusError(kCMFormatDescriptionBridgeError_InvalidParameter)
    }
    self.init(
      kCMMediaType_Video, kCMVideoCodecType_HEVC,
      extensions: contents.merging(extensions?.base as? [String: Any] ?? [:]) { $1 },
      specifics: .picture(dimensions))
  }

  /// Describes HEVC by parameter sets without start codes, which are copied; `nil` when they cannot be read.
  ///
  /// They become the entry `hvcC` of ``kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms``. Source: ISO/IEC 14496-15, 8.3.3.1 (`HEVCDecoderConfigurationRecord`).
  ///
  /// - Parameter extensions: What else is said by name.
  package convenience init?(
    hevc sets: [UnsafeRawBufferPointer], nalUnitHeaderLength: Int = 4, extensions: [String: Any] = [:]
  ) {
    guard let (contents, dimensions) = Self.hevcContents(sets, nalUnitHeaderLength, extensions) else {
      return nil
    }
    self.init(
      kCMMediaType_Video, kCMVideoCodecType_HEVC, extensions: contents, specifics: .picture(dimensions))
  }

  private static func hevcContents(
    _ sets: [UnsafeRawBufferPointer], _ nalUnitHeaderLength: Int, _ extensions: [String: Any]
  ) -> (extensions: [String: Any], dimensions: CMVideoDimensions)? {
    guard [1, 2, 4].contains(nalUnitHeaderLength) else { return nil }
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
      UInt8(sequence.temporalLayers) << 3 | (sequence.isTemporallyNested ? 4 : 0)
        | UInt8(nalUnitHeaderLength - 1),
      3,
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
    return (extensions, sequence.dimensions)
  }
}

/// A sequence parameter set of HEVC, read as far as a description needs it.
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
