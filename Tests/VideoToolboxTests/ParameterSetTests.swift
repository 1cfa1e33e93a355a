import CoreMedia
import Foundation
import MovieTools
import Testing
import VideoToolbox

@Suite("Parameter sets of coded formats")
struct ParameterSetTests {
  @Test("HEVC's sets are taken out of a description and make an equal one")
  func hevc() throws {
    let session = try CodingStage.session(codec: kCMVideoCodecType_HEVC)
    let format = try #require(try CodingStage.encode(0..<1, with: session).first?.formatDescription)
    #expect(format.parameterSets.map { $0[0] >> 1 & 0x3F } == [32, 33, 34])
    var count = 0
    var header: Int32 = 0
    var sets: [Data] = []
    for index in 0..<3 {
      var pointer: UnsafePointer<UInt8>?
      var size = 0
      #expect(
        CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
          format, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
          parameterSetCountOut: &count, nalUnitHeaderLengthOut: &header) == noErr)
      sets.append(Data(bytes: try #require(pointer), count: size))
    }
    #expect(count == 3 && header == 4 && sets == format.parameterSets)
    #expect(
      CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
        format, parameterSetIndex: 3, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        == kCMFormatDescriptionBridgeError_InvalidParameter)
    let again = try CMFormatDescription(hevcParameterSets: sets, nalUnitHeaderLength: 4)
    #expect(again.dimensions.width == 64 && again.parameterSets == sets)
    var made: CMFormatDescription?
    let joined = sets.map { [UInt8]($0) }
    let status = joined[0].withUnsafeBufferPointer { first in
      joined[1].withUnsafeBufferPointer { second in
        joined[2].withUnsafeBufferPointer { third in
          CMVideoFormatDescriptionCreateFromHEVCParameterSets(
            allocator: nil, parameterSetCount: 3,
            parameterSetPointers: [first, second, third].compactMap(\.baseAddress),
            parameterSetSizes: joined.map(\.count), nalUnitHeaderLength: 4, extensions: nil,
            formatDescriptionOut: &made)
        }
      }
    }
    #expect(status == noErr && made?.dimensions.height == 48)
    #expect(throws: (any Error).self) { try CMFormatDescription(hevcParameterSets: [sets[0], sets[2]]) }
  }
}
