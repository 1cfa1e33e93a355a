import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import MovieTools
import Testing
import VideoToolbox

@Suite("VTDecompressionSession")
struct DecompressionTests {
  private func samples(_ count: Int = 10, _ properties: [String: Any] = [:]) throws -> [CMSampleBuffer] {
    try CodingStage.encode(0..<count, with: CodingStage.session(properties))
  }

  private func session(
    _ format: CMFormatDescription, _ attributes: [String: Any]? = nil,
    _ record: VTDecompressionOutputCallbackRecord? = nil
  ) throws -> VTDecompressionSession {
    var made: VTDecompressionSession?
    let status: OSStatus
    if var record {
      status = VTDecompressionSessionCreate(
        allocator: nil, formatDescription: format, decoderSpecification: nil,
        imageBufferAttributes: attributes, outputCallback: &record, decompressionSessionOut: &made)
    } else {
      status = VTDecompressionSessionCreate(
        allocator: nil, formatDescription: format, decoderSpecification: nil,
        imageBufferAttributes: attributes, outputCallback: nil, decompressionSessionOut: &made)
    }
    #expect(status == noErr)
    return try #require(made)
  }

  @Test("A callback gets each picture in the format and size that was asked for")
  func callback() throws {
    final class Owner: @unchecked Sendable {  // Safe because the list guards itself.
      let reports = Reports<(Int, Int, OSType, Int)>()
    }
    let samples = try samples(10, [kVTCompressionPropertyKey_AllowFrameReordering: false])
    let owner = Owner()
    let record = VTDecompressionOutputCallbackRecord(
      decompressionOutputCallback: { refcon, frame, status, _, picture, _, _ in
        guard let refcon, status == noErr, let picture else { return }
        Unmanaged<Owner>.fromOpaque(refcon).takeUnretainedValue().reports.add(
          (
            Int(bitPattern: frame), TestMovie.number(of: picture), CVPixelBufferGetPixelFormatType(picture),
            CVPixelBufferGetWidth(picture)
          ))
      }, decompressionOutputRefCon: Unmanaged.passUnretained(owner).toOpaque())
    let decoder = try session(
      try #require(samples[0].formatDescription),
      [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: 32,
        kCVPixelBufferHeightKey: 24,
      ], record)
    for (index, sample) in samples.enumerated() {
      var flags = VTDecodeInfoFlags()
      #expect(
        VTDecompressionSessionDecodeFrame(
          decoder, sampleBuffer: sample,
          flags: [._EnableAsynchronousDecompression, ._EnableTemporalProcessing],
          frameRefcon: UnsafeMutableRawPointer(bitPattern: index + 1), infoFlagsOut: &flags) == noErr)
      #expect(flags == .asynchronous)
    }
    #expect(VTDecompressionSessionFinishDelayedFrames(decoder) == noErr)
    #expect(owner.reports.all.map(\.0) == Array(1...10))
    #expect(owner.reports.all.map(\.1) == Array(0..<10))
    #expect(owner.reports.all.allSatisfy { $0.2 == kCVPixelFormatType_32BGRA && $0.3 == 32 })
    var pending: CFNumber?
    VTSessionCopyProperty(
      decoder, key: kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded, allocator: nil, valueOut: &pending
    )
    #expect(pending == 0)
    VTDecompressionSessionInvalidate(decoder)
    #expect(
      VTDecompressionSessionDecodeFrame(
        decoder, sampleBuffer: samples[0], flags: [], frameRefcon: nil, infoFlagsOut: nil)
        == kVTInvalidSessionErr)
  }

  @Test("Without reordering a picture is there when the call returns; those not wanted are left out")
  func atOnce() throws {
    let samples = try samples(
      6, [kVTCompressionPropertyKey_RealTime: true, kVTCompressionPropertyKey_AllowFrameReordering: false])
    let decoder = try session(try #require(samples[0].formatDescription))
    VTSessionSetProperty(decoder, key: kVTDecompressionPropertyKey_RealTime, value: true)
    VTSessionSetProperty(decoder, key: kVTDecompressionPropertyKey_ThreadCount, value: 1)
    for (index, sample) in samples.enumerated() {
      let reports = Reports<Bool>()
      VTDecompressionSessionDecodeFrame(
        decoder, sampleBuffer: sample, flags: index == 2 ? ._DoNotOutputFrame : [], infoFlagsOut: nil
      ) { status, flags, picture, _, _ in
        #expect(status == noErr && flags.contains(.frameDropped) == (index == 2))
        reports.add(picture != nil)
      }
      #expect(reports.all == [index != 2])
    }
  }

  @Test(
    "Each picture is there when the call returns, of streams with reordered frames, too",
    arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC],
    [VTDecodeFrameFlags(), ._EnableTemporalProcessing])
  func reordered(codec: CMVideoCodecType, flags: VTDecodeFrameFlags) throws {
    // Sizes that are no whole blocks: what is cut off must stay so.
    let coded = try CodingStage.encode(
      0..<16, with: CodingStage.session(codec: codec, width: 70, height: 50), width: 70, height: 50)
    let times = coded.map(\.presentationTimeStamp)
    #expect(times != times.sorted(), "the stream has reordered frames")
    let decoder = try session(try #require(coded[0].formatDescription))
    var numbers: [Int] = []
    for sample in coded {
      let reports = Reports<(number: Int, width: Int, height: Int, time: CMTime)>()
      let status = VTDecompressionSessionDecodeFrame(
        decoder, sampleBuffer: sample, flags: flags, infoFlagsOut: nil
      ) { status, _, picture, time, _ in
        guard status == noErr, let picture else { return }
        reports.add(
          (
            TestMovie.number(of: picture), CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture),
            time
          ))
      }
      #expect(status == noErr)
      let all = reports.all
      #expect(all.count == 1 && all[0].time == sample.presentationTimeStamp)
      #expect(all.allSatisfy { $0.width == 70 && $0.height == 50 })
      numbers += all.map(\.number)
    }
    // In the order of decoding, each at its own time.
    #expect(numbers == times.map { Int(($0.seconds * 30).rounded()) })
    #expect(VTDecompressionSessionWaitForAsynchronousFrames(decoder) == noErr)
  }

  @Test("Asynchronous pictures come as they are decoded, and in the order of showing where they may wait")
  func order() throws {
    let coded = try samples(16)
    let times = coded.map(\.presentationTimeStamp)
    let orders: [(VTDecodeFrameFlags, [CMTime])] = [
      (._EnableAsynchronousDecompression, times),
      ([._EnableAsynchronousDecompression, ._EnableTemporalProcessing], times.sorted()),
    ]
    for (flags, wanted) in orders {
      for threads in [1, 2] {
        let decoder = try session(try #require(coded[0].formatDescription))
        VTSessionSetProperty(decoder, key: kVTDecompressionPropertyKey_ThreadCount, value: threads)
        let reports = Reports<CMTime>()
        for sample in coded {
          VTDecompressionSessionDecodeFrame(decoder, sampleBuffer: sample, flags: flags, infoFlagsOut: nil) {
            status, info, picture, time, _ in
            #expect(status == noErr && picture != nil && info == .asynchronous)
            reports.add(time)
          }
        }
        VTDecompressionSessionWaitForAsynchronousFrames(decoder)
        #expect(reports.all == wanted)
      }
    }
  }

  @Test(
    "Samples that may wait and others mix: each is reported once, and the others at once from a key frame on")
  func mixed() throws {
    let coded = try samples(20, [kVTCompressionPropertyKey_MaxKeyFrameInterval: 10])
    let decoder = try session(try #require(coded[0].formatDescription))
    VTSessionSetProperty(decoder, key: kVTDecompressionPropertyKey_ThreadCount, value: 3)
    let reports = Reports<CMTime>()
    var keys = 0
    for sample in coded {
      if CodingStage.isKey(sample) { keys += 1 }
      let flags: VTDecodeFrameFlags =
        keys < 2 ? [._EnableAsynchronousDecompression, ._EnableTemporalProcessing] : []
      VTDecompressionSessionDecodeFrame(decoder, sampleBuffer: sample, flags: flags, infoFlagsOut: nil) {
        status, _, picture, time, _ in
        #expect(status == noErr && picture != nil)
        reports.add(time)
      }
      if keys > 1 { #expect(reports.all.last == sample.presentationTimeStamp) }
    }
    VTDecompressionSessionWaitForAsynchronousFrames(decoder)
    #expect(
      keys > 1 && reports.all.map(\.seconds).sorted() == coded.map(\.presentationTimeStamp.seconds).sorted())
  }

  @Test("Damaged data is an error for its own sample; the next key frame is decoded")
  func damaged() throws {
    let samples = try samples(2, [kVTCompressionPropertyKey_AllowTemporalCompression: false])
    let format = try #require(samples[0].formatDescription)
    let decoder = try session(format)
    let rubbish = CMSampleBuffer.testSample([UInt8](repeating: 0xAB, count: 200), format)
    let reports = Reports<OSStatus>()
    for sample in [rubbish, samples[0]] {
      VTDecompressionSessionDecodeFrame(decoder, sampleBuffer: sample, flags: [], infoFlagsOut: nil) {
        status, _, picture, _, _ in reports.add(picture == nil && status == noErr ? -1 : status)
      }
    }
    VTDecompressionSessionWaitForAsynchronousFrames(decoder)
    #expect(reports.all.count == 2)
    #expect(reports.all.contains(kVTVideoDecoderBadDataErr) && reports.all.contains(noErr))
  }

  @Test("A format of the same codec and size is accepted, others are not; hardware is refused")
  func formats() throws {
    let samples = try samples(1)
    let format = try #require(samples[0].formatDescription)
    let decoder = try session(format)
    #expect(VTDecompressionSessionCanAcceptFormatDescription(decoder, formatDescription: format))
    let larger = try CodingStage.encode(0..<1, with: try CodingStage.session(width: 128, height: 96))
    #expect(
      !VTDecompressionSessionCanAcceptFormatDescription(
        decoder, formatDescription: try #require(larger[0].formatDescription)))
    #expect(!VTIsHardwareDecodeSupported(kCMVideoCodecType_H264))
    var isHardware: CFBoolean?
    VTSessionCopyProperty(
      decoder, key: kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder, allocator: nil,
      valueOut: &isHardware)
    #expect(isHardware == false)
    var made: VTDecompressionSession?
    for (key, status) in [
      (kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder, kVTCouldNotFindVideoDecoderErr),
      (kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder, noErr),
    ] {
      #expect(
        VTDecompressionSessionCreate(
          allocator: nil, formatDescription: format, decoderSpecification: [key: true],
          imageBufferAttributes: nil, outputCallback: nil, decompressionSessionOut: &made) == status)
    }
  }

  @Test("An image is made of a pixel buffer, and pictures are turned and scaled into others")
  func pictures() throws {
    let source = try TestMovie.picture(5)
    var image: CGImage?
    #expect(VTCreateCGImageFromCVPixelBuffer(source, options: nil, imageOut: &image) == noErr)
    #expect(image?.width == 64 && image?.height == 48)
    var rotation: VTPixelRotationSession?
    VTPixelRotationSessionCreate(kCFAllocatorDefault, &rotation)
    let turning = try #require(rotation)
    let corner = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 4, height: 2)
    corner.planes[0].row(0)[0] = 255
    for (turn, x, y) in [(kVTRotation_CW90, 1, 0), (kVTRotation_180, 3, 1), (kVTRotation_CCW90, 0, 3)] {
      VTSessionSetProperty(turning, key: kVTPixelRotationPropertyKey_Rotation, value: turn)
      let isUpright = turn != kVTRotation_180
      let target = try CVPixelBuffer(
        format: kCVPixelFormatType_32BGRA, width: isUpright ? 2 : 4, height: isUpright ? 4 : 2)
      #expect(VTPixelRotationSessionRotateImage(turning, corner, target) == noErr)
      #expect(target.planes[0].row(y)[4 * x] == 255)
    }
    let mirrored = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 4, height: 2)
    VTSessionSetProperty(turning, key: kVTPixelRotationPropertyKey_Rotation, value: kVTRotation_0)
    VTSessionSetProperty(turning, key: kVTPixelRotationPropertyKey_FlipVerticalOrientation, value: true)
    #expect(VTPixelRotationSessionRotateImage(turning, corner, mirrored) == noErr)
    #expect(mirrored.planes[0].row(1)[0] == 255)
    VTSessionSetProperty(turning, key: kVTPixelRotationPropertyKey_FlipVerticalOrientation, value: false)
    VTSessionSetProperty(turning, key: kVTPixelRotationPropertyKey_FlipHorizontalOrientation, value: true)
    #expect(VTPixelRotationSessionRotateImage(turning, corner, mirrored) == noErr)
    #expect(mirrored.planes[0].row(0)[12] == 255)
    let wrong = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 5, height: 5)
    #expect(VTPixelRotationSessionRotateImage(turning, corner, wrong) == kVTParameterErr)
    VTPixelRotationSessionInvalidate(turning)
    #expect(VTPixelRotationSessionRotateImage(turning, corner, mirrored) == kVTInvalidSessionErr)
  }

  @Test("A transfer converts, and meets another shape as its scaling mode says")
  func transfer() throws {
    var made: VTPixelTransferSession?
    VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &made)
    let transfer = try #require(made)
    let source = try TestMovie.picture(9)
    func corner(_ mode: String) throws -> UInt8 {
      VTSessionSetProperty(transfer, key: kVTPixelTransferPropertyKey_ScalingMode, value: mode)
      let target = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 64, height: 64)
      #expect(VTPixelTransferSessionTransferImage(transfer, from: source, to: target) == noErr)
      return target.planes[0].row(1)[4]
    }
    #expect(try corner(kVTScalingMode_Normal) > 100)
    #expect(try corner(kVTScalingMode_Letterbox) < 10)
    #expect(try corner(kVTScalingMode_Trim) > 100)
    VTPixelTransferSessionInvalidate(transfer)
    #expect(VTPixelTransferSessionTransferImage(transfer, from: source, to: source) == kVTInvalidSessionErr)
  }
}

extension CMSampleBuffer {
  /// A sample of a format with any bytes.
  static func testSample(_ bytes: [UInt8], _ format: CMFormatDescription) -> CMSampleBuffer {
    CMSampleBuffer(
      data: bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: format, sampleCount: 1,
      sampleSize: bytes.count,
      timing: CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: CMTime(value: -1, timescale: 30), decodeTimeStamp: .invalid
      ))
  }
}
