import CoreMedia
import CoreVideo
import Foundation
import MovieTools
import SeededNumbers
import Testing
import VideoToolbox

/// The reports of sessions, in order.
final class Reports<Value>: @unchecked Sendable {  // Safe because the list is reached under a lock.
  private let lock = NSLock()
  private var list: [Value] = []

  func add(_ value: Value) { lock.withLock { list.append(value) } }

  var all: [Value] { lock.withLock { list } }
}

/// Codes and decodes pictures whose lightness is their number.
enum CodingStage {
  static func session(
    _ properties: [String: Any] = [:], codec: CMVideoCodecType = kCMVideoCodecType_H264, width: Int32 = 64,
    height: Int32 = 48, specification: [String: Any]? = nil
  ) throws -> VTCompressionSession {
    var made: VTCompressionSession?
    let status = VTCompressionSessionCreate(
      allocator: nil, width: width, height: height, codecType: codec, encoderSpecification: specification,
      imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
      compressionSessionOut: &made)
    #expect(status == noErr)
    let session = try #require(made)
    for (key, value) in properties { #expect(VTSessionSetProperty(session, key: key, value: value) == noErr) }
    return session
  }

  /// Codes pictures, thirty a second.
  static func encode(
    _ range: Range<Int>, with session: VTCompressionSession, keys: Set<Int> = [], width: Int = 64,
    height: Int = 48, picture: (Int) throws -> CVPixelBuffer? = { _ in nil }
  ) throws -> [CMSampleBuffer] {
    let reports = Reports<CMSampleBuffer>()
    for number in range {
      let status = VTCompressionSessionEncodeFrame(
        session, imageBuffer: try picture(number) ?? TestMovie.picture(number, width: width, height: height),
        presentationTimeStamp: CMTime(value: Int64(number), timescale: 30),
        duration: CMTime(value: 1, timescale: 30),
        frameProperties: keys.contains(number) ? [kVTEncodeFrameOptionKey_ForceKeyFrame: true] : nil,
        infoFlagsOut: nil
      ) { status, flags, sample in
        #expect(status == noErr && flags.contains(.asynchronous))
        if let sample { reports.add(sample) }
      }
      #expect(status == noErr)
    }
    #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == noErr)
    return reports.all
  }

  static func isKey(_ sample: CMSampleBuffer) -> Bool {
    sample.sampleAttachments[0][.notSync] as? Bool != true
  }

  static func size(_ samples: [CMSampleBuffer]) -> Int {
    samples.reduce(0) { $0 + ($1.dataBuffer?.dataLength ?? 0) }
  }

  /// Pictures that no encoder can foresee.
  static func noise(_ number: Int, width: Int, height: Int) throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: width, height: height)
    var numbers = SeededGenerator(seed: UInt64(number))
    for plane in buffer.planes { numbers.fill(plane.bytes) { 16 + $0 % 200 } }
    return buffer
  }
}
