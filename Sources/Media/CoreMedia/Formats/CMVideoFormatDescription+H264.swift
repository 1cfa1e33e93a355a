public import Foundation
public import FoundationExtras

/// An argument is missing, is no such thing, or contradicts another.
public let kCMFormatDescriptionBridgeError_InvalidParameter: OSStatus = -12712

/// Describes H.264 video by the parameter sets of its stream: size, shape of the pixels, colours, and the sets themselves.
///
/// The sets become the entry `avcC` of ``kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms``. They are copied.
///
/// - Parameters:
///   - parameterSetCount: How many sets there are: at least one sequence and one picture parameter set, in any order.
///   - parameterSetPointers: The first byte of each, its NAL header; no start code stands before it.
///   - parameterSetSizes: How many bytes each has.
///   - nalUnitHeaderLength: How many bytes stand before each NAL unit of the samples and say its length: 1, 2 or 4.
/// - Returns: ``kCMFormatDescriptionBridgeError_InvalidParameter`` for sets that cannot be read.
@discardableResult
public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
  allocator: CFAllocator?, parameterSetCount: Int,
  parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>, parameterSetSizes: UnsafePointer<Int>,
  nalUnitHeaderLength NALUnitHeaderLength: Int32,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  let sets = (0..<max(parameterSetCount, 0)).map { index in
    UnsafeRawBufferPointer(start: parameterSetPointers[index], count: max(parameterSetSizes[index], 0))
  }
  guard let description = CMFormatDescription(h264: sets, nalUnitHeaderLength: Int(NALUnitHeaderLength))
  else { return kCMFormatDescriptionBridgeError_InvalidParameter }
  formatDescriptionOut.pointee = description
  return noErr
}

/// Gives one of the parameter sets of a description of H.264, sequence parameter sets first.
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
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut NALUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  guard let sets = videoDesc.storedSets, sets.isH264, sets.ranges.indices.contains(parameterSetIndex) else {
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
  /// Describes H.264 video by the parameter sets of its stream.
  ///
  /// - Parameters:
  ///   - parameterSets: At least one sequence and one picture parameter set, each without a start code.
  ///   - nalUnitHeaderLength: How many bytes stand before each NAL unit of the samples and say its length: 1, 2 or 4.
  /// - Throws: An error with the code ``kCMFormatDescriptionBridgeError_InvalidParameter`` for sets that cannot be read.
  public convenience init(h264ParameterSets parameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
    // One piece of memory, so that all sets are at addresses at once.
    let joined = parameterSets.reduce(into: Data()) { $0 += $1 }
    let made = joined.withUnsafeBytes { bytes in
      var offset = 0
      let sets = parameterSets.map { set in
        defer { offset += set.count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + set.count])
      }
      return Self.h264Contents(sets, nalUnitHeaderLength)
    }
    guard let (extensions, dimensions) = made else {
      throw statusError(kCMFormatDescriptionBridgeError_InvalidParameter)
    }
    self.init(
      kCMMediaType_Video, kCMVideoCodecType_H264, extensions: extensions, specifics: .picture(dimensions))
  }

  /// Describes H.264 by parameter sets without start codes, which are copied; `nil` when they cannot be read.
  ///
  /// - Parameter more: What else is said by name; it counts more than what the sets say.
  package convenience init?(
    h264 sets: [UnsafeRawBufferPointer], nalUnitHeaderLength: Int = 4, extensions more: [String: Any] = [:]
  ) {
    guard let (extensions, dimensions) = Self.h264Contents(sets, nalUnitHeaderLength) else { return nil }
    self.init(
      kCMMediaType_Video, kCMVideoCodecType_H264, extensions: extensions.merging(more) { $1 },
      specifics: .picture(dimensions))
  }

  /// How many bytes stand before each NAL unit of the samples and say its length; `nil` unless the description has the
  /// parameter sets of H.264 or HEVC.
  public var nalUnitHeaderLength: Int? { storedSets?.nalUnitHeaderLength }

  /// The parameter sets of H.264 or HEVC, each without a start code, in the order in which decoders want them; empty for
  /// other descriptions.
  public var parameterSets: [Data] {
    guard let storedSets else { return [] }
    return storedSets.ranges.indices.map { Data(buffer: storedSets.bytes($0)) }
  }

  private static func h264Contents(
    _ sets: [UnsafeRawBufferPointer], _ nalUnitHeaderLength: Int
  ) -> (extensions: [String: Any], dimensions: CMVideoDimensions)? {
    guard [1, 2, 4].contains(nalUnitHeaderLength),
      sets.allSatisfy({ !$0.isEmpty && $0.count <= Int(UInt16.max) })
    else { return nil }
    func those(_ kind: UInt8) -> [UnsafeRawBufferPointer] { sets.filter { $0[0] & 0x9F == kind } }
    let (sequences, pictures, additions) = (those(7), those(8), those(13))
    guard sequences.count + pictures.count + additions.count == sets.count, !pictures.isEmpty,
      sequences.count <= 31, pictures.count <= 255, additions.count <= 255, let first = sequences.first,
      sequences.allSatisfy({ SequenceParameterSet($0) != nil }), let sequence = SequenceParameterSet(first)
    else { return nil }
    var record = Data([
      1, sequence.profile, sequence.constraints, sequence.level, 0xFC | UInt8(nalUnitHeaderLength - 1),
    ])
    func add(_ sets: [UnsafeRawBufferPointer], flags: UInt8) {
      record.append(flags | UInt8(sets.count))
      for set in sets {
        record.append(contentsOf: [UInt8(set.count >> 8), UInt8(set.count & 0xFF)])
        record.append(contentsOf: set)
      }
    }
    add(sequences, flags: 0xE0)
    add(pictures, flags: 0)
    if sequence.isHighProfile {
      record.append(contentsOf: [
        0xFC | UInt8(sequence.chromaFormat), 0xF8 | UInt8(sequence.lumaDepth - 8),
        0xF8 | UInt8(sequence.chromaDepth - 8),
      ])
      add(additions, flags: 0)
    }
    var extensions = sequence.extensions
    extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = [
      "avcC": record
    ]
    return (extensions, sequence.dimensions)
  }
}
