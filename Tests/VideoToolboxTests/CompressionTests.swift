import CoreMedia
import CoreVideo
import Foundation
import MovieTools
import Testing
import VideoToolbox

@Suite("VTCompressionSession")
struct CompressionTests {
  @Test(
    "Every frame becomes one sample with its own times, and decodes to its picture",
    arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC, kCMVideoCodecType_JPEG])
  func roundTrip(codec: CMVideoCodecType) throws {
    let session = try CodingStage.session(codec: codec)
    #expect(VTCompressionSessionPrepareToEncodeFrames(session) == noErr)
    let samples = try CodingStage.encode(0..<20, with: session)
    let times = samples.map(\.presentationTimeStamp).sorted()
    #expect(times == (0..<20).map { CMTime(value: $0, timescale: 30) })
    #expect(samples.allSatisfy { $0.duration == CMTime(value: 1, timescale: 30) })
    #expect(CodingStage.isKey(samples[0]))
    let format = try #require(samples[0].formatDescription)
    #expect(CMFormatDescriptionGetMediaSubType(format) == codec)
    VTCompressionSessionInvalidate(session)
    var made: VTDecompressionSession?
    let attributes = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]
    #expect(
      VTDecompressionSessionCreate(
        allocator: nil, formatDescription: format, decoderSpecification: nil,
        imageBufferAttributes: attributes, outputCallback: nil, decompressionSessionOut: &made) == noErr)
    let decoder = try #require(made)
    let pictures = Reports<(Int, CMTime)>()
    for sample in samples {
      let status = VTDecompressionSessionDecodeFrame(
        decoder, sampleBuffer: sample,
        flags: [._EnableAsynchronousDecompression, ._EnableTemporalProcessing],
        infoFlagsOut: nil
      ) { status, _, picture, time, duration in
        #expect(status == noErr && duration == CMTime(value: 1, timescale: 30))
        if let picture { pictures.add((TestMovie.number(of: picture), time)) }
      }
      #expect(status == noErr)
    }
    #expect(VTDecompressionSessionWaitForAsynchronousFrames(decoder) == noErr)
    #expect(pictures.all.map(\.0) == (0..<20).map { $0 % 16 })
    #expect(pictures.all.map(\.1) == times)
  }

  @Test("A callback gets the session's and the frame's references")
  func callback() throws {
    final class Owner: @unchecked Sendable {  // Safe because the list guards itself.
      let reports = Reports<Int>()
    }
    let owner = Owner()
    var made: VTCompressionSession?
    VTCompressionSessionCreate(
      allocator: kCFAllocatorDefault, width: 64, height: 48, codecType: kCMVideoCodecType_H264,
      encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
      outputCallback: { refcon, frame, status, _, sample in
        guard let refcon, status == noErr, sample != nil else { return }
        Unmanaged<Owner>.fromOpaque(refcon).takeUnretainedValue().reports.add(Int(bitPattern: frame))
      }, refcon: Unmanaged.passUnretained(owner).toOpaque(), compressionSessionOut: &made)
    let session = try #require(made)
    for number in 1...5 {
      var flags = VTEncodeInfoFlags()
      #expect(
        VTCompressionSessionEncodeFrame(
          session, imageBuffer: try TestMovie.picture(number),
          presentationTimeStamp: CMTime(value: Int64(number), timescale: 30), duration: .invalid,
          frameProperties: nil, sourceFrameRefcon: UnsafeMutableRawPointer(bitPattern: number),
          infoFlagsOut: &flags) == noErr)
      #expect(flags == .asynchronous)
    }
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect(owner.reports.all.sorted() == [1, 2, 3, 4, 5])
    VTCompressionSessionInvalidate(session)
    #expect(
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: try TestMovie.picture(0), presentationTimeStamp: CMTime(value: 9, timescale: 1),
        duration: .invalid, frameProperties: nil, sourceFrameRefcon: nil, infoFlagsOut: nil)
        == kVTInvalidSessionErr)
  }

  @Test("A frame before the one it follows is reported as an error, and the others go on")
  func timeGoesBack() throws {
    let session = try CodingStage.session()
    let reports = Reports<(OSStatus, Bool)>()
    for time in [5, 4, 6] {
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: try TestMovie.picture(time),
        presentationTimeStamp: CMTime(value: Int64(time), timescale: 30), duration: .invalid,
        frameProperties: nil, infoFlagsOut: nil
      ) { status, _, sample in reports.add((status, sample != nil)) }
    }
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect(reports.all.count == 3)
    #expect(reports.all.filter { $0.0 == kVTParameterErr && !$0.1 }.count == 1)
    #expect(reports.all.filter { $0.0 == noErr && $0.1 }.count == 2)
  }

  @Test("Key frames come where they are forced, and as often as is asked")
  func keyFrames() throws {
    let forced = try CodingStage.session()
    let samples = try CodingStage.encode(0..<12, with: forced, keys: [7])
    let keys = samples.filter(CodingStage.isKey).map(\.presentationTimeStamp.value)
    #expect(keys.sorted() == [0, 7])
    let often = try CodingStage.session(
      [kVTCompressionPropertyKey_MaxKeyFrameInterval: NSNumber(value: 4)] as [String: Any])
    let regular = try CodingStage.encode(0..<12, with: often).filter(CodingStage.isKey)
    #expect(regular.map(\.presentationTimeStamp.value).sorted() == [0, 4, 8])
    let timed = try CodingStage.session([kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: 0.2])
    let seconds = try CodingStage.encode(0..<12, with: timed).filter(CodingStage.isKey)
    #expect(seconds.map(\.presentationTimeStamp.value).sorted() == [0, 6])
    let alone = try CodingStage.session([kVTCompressionPropertyKey_AllowTemporalCompression: false])
    #expect(try CodingStage.encode(0..<5, with: alone).allSatisfy(CodingStage.isKey))
  }

  @Test("Without reordering, samples come in the order of showing; in real time each before the next frame")
  func order() throws {
    let plain = try CodingStage.session([kVTCompressionPropertyKey_AllowFrameReordering: false])
    let samples = try CodingStage.encode(0..<12, with: plain)
    #expect(samples.map(\.presentationTimeStamp) == samples.map(\.presentationTimeStamp).sorted())
    for (properties, specification) in [
      (
        [kVTCompressionPropertyKey_RealTime: true, kVTCompressionPropertyKey_AllowFrameReordering: false], nil
      ),
      ([kVTCompressionPropertyKey_MaxFrameDelayCount: 0], nil),
      ([:], [kVTVideoEncoderSpecification_EnableLowLatencyRateControl: true]),
    ] as [([String: Any], [String: Any]?)] {
      let session = try CodingStage.session(properties, specification: specification)
      for number in 0..<4 {
        let reports = Reports<CMTime>()
        let time = CMTime(value: Int64(number), timescale: 30)
        VTCompressionSessionEncodeFrame(
          session, imageBuffer: try TestMovie.picture(number), presentationTimeStamp: time,
          duration: .invalid, frameProperties: nil, infoFlagsOut: nil
        ) { _, _, sample in if let sample { reports.add(sample.presentationTimeStamp) } }
        // Before the frame's own time nothing has to be brought out: this only waits for the queue.
        VTCompressionSessionCompleteFrames(
          session, untilPresentationTimeStamp: CMTime(value: -1, timescale: 1))
        #expect(reports.all == [time])
      }
      var pending: NSNumber?
      #expect(
        VTSessionCopyProperty(
          session, key: kVTCompressionPropertyKey_NumberOfPendingFrames, allocator: nil, valueOut: &pending)
          == noErr)
      #expect(pending == 0)
    }
  }

  @Test("A session is used from its own callback without waiting for itself")
  func fromCallback() throws {
    let session = try CodingStage.session([kVTCompressionPropertyKey_MaxFrameDelayCount: 0])
    let reports = Reports<Int>()
    let next = try TestMovie.picture(1)
    VTCompressionSessionEncodeFrame(
      session, imageBuffer: try TestMovie.picture(0), presentationTimeStamp: .zero, duration: .invalid,
      frameProperties: nil, infoFlagsOut: nil
    ) { _, _, _ in
      reports.add(0)
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: next, presentationTimeStamp: CMTime(value: 1, timescale: 30),
        duration: .invalid, frameProperties: nil, infoFlagsOut: nil
      ) { _, _, _ in reports.add(1) }
      VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .zero)
    }
    for _ in 0..<2 { VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) }
    #expect(reports.all == [0, 1])
  }
}
