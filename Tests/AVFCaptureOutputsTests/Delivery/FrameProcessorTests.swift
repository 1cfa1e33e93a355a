import AVFCapture
import AVFoundation
import CameraFrames
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import FoundationExtras
import Linux
import PixelTransforms
import SimulatedDevices
import StillCodecs
import Testing
import Waiting

@Suite("FrameProcessor: a compressed frame is decoded once for all outputs")
struct FrameProcessorTests {
  private func frame(_ sequence: UInt32) throws -> CapturedFrame {
    var block: CMBlockBuffer?
    #expect(
      CMBlockBufferCreateWithMemoryBlock(
        allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: 4, blockAllocator: kCFAllocatorDefault,
        customBlockSource: nil, offsetToData: 0, dataLength: 4, flags: kCMBlockBufferAssureMemoryNowFlag,
        blockBufferOut: &block) == kCMBlockBufferNoErr)
    return CapturedFrame(
      picture: .jpeg(try #require(block), FrameSize(width: 16, height: 16)),
      timestamp: MonotonicInstant(nanoseconds: Int64(sequence)), sequence: sequence)
  }

  private static func picture() throws -> CVPixelBuffer {
    try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 16, height: 16, attributes: [:])
  }

  @Test func `each frame is decoded once for consumers that lie a few frames apart`() throws {
    let decodes = Locked(0)
    let processor = FrameProcessor { _ in
      decodes.withLock { $0 += 1 }
      return try Self.picture()
    }
    func open(_ frame: CapturedFrame) throws -> CVPixelBuffer { try processor.picture(of: frame) }
    let frames = try (7..<12).map { try frame($0) }
    let shown = try frames.map(open)
    #expect(decodes.withLock { $0 } == 5)
    for (frame, picture) in zip(frames, shown).dropFirst() { #expect(try open(frame) === picture) }
    #expect(decodes.withLock { $0 } == 5)
    // Of what lies further back the picture is not kept, and decoding it again takes none from the newer ones.
    #expect(try open(frames[0]) !== shown[0] && open(frames[4]) === shown[4] && decodes.withLock { $0 } == 6)
    // Another frame of the same number, after the stream has begun anew.
    #expect(try open(try frame(11)) !== shown[4] && decodes.withLock { $0 } == 7)
    withExtendedLifetime(frames) {}
  }

  @Test func `what an effect has made is kept for a whole history, and another one changes it anew`() throws {
    let count = Locked(0)
    func effect() -> FrameEffect {
      FrameEffect(pixelFormats: [kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]) { _, _, _ in
        count.withLock { $0 += 1 }
      }
    }
    let first = FrameProcessor(effects: [effect()]) { _ in try Self.picture() }
    let frames = try (0..<12).map { try frame($0) }
    let pictures = try frames.map { try first.picture(of: $0) }
    for (frame, picture) in zip(frames, pictures) { #expect(try first.picture(of: frame) === picture) }
    #expect(count.withLock { $0 } == 12)
    let second = FrameProcessor(effects: [effect()], after: first)
    #expect(try second.isOfStream(first) && second.picture(of: frames[11]) !== pictures[11])
    #expect(count.withLock { $0 } == 13)
    #expect(!FrameProcessor().isOfStream(first))
  }

  @Test func `what an effect throws is thrown for everyone, and it is not asked again`() throws {
    struct Refusal: Error {}
    let count = Locked(0)
    let effect = FrameEffect(pixelFormats: [kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]) { _, _, _ in
      count.withLock { $0 += 1 }
      throw Refusal()
    }
    let processor = FrameProcessor(effects: [effect]) { _ in try Self.picture() }
    let frame = try frame(0)
    for _ in 0..<3 { #expect(throws: Refusal.self) { try processor.picture(of: frame) } }
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `who asks while another thread decodes gets its picture`() throws {
    let decodes = Locked(0)
    let asked = Monitor(0)
    let processor = FrameProcessor { _ in
      decodes.withLock { $0 += 1 }
      // Another comes while this goes on.
      #expect(asked.wait { $0 > 1 })
      return try Self.picture()
    }
    let frame = try frame(0)
    let pictures = Locked<[CVPixelBuffer]>([])
    let ended = Monitor(0)
    // Threads of their own, as a machine with one core has a pool of one.
    for _ in 0..<8 {
      Thread.detachNewThread {
        asked.withLock { $0 += 1 }
        let picture = try? processor.picture(of: frame)
        if let picture { pictures.withLock { $0.append(picture) } }
        ended.withLock { $0 += 1 }
      }
    }
    #expect(ended.wait(for: 8))
    let all = pictures.withLock { $0 }
    #expect(decodes.withLock { $0 } == 1 && all.count == 8)
    #expect(all.allSatisfy { $0 === all[0] })
  }

  @Test func `damage is damage for everyone, want of memory only for who wants it`() throws {
    let outcomes = Locked<[Result<CVPixelBuffer, any Error>]>([
      .failure(PixelTransformError.poolExhausted), .failure(StillCodecError.damagedJPEG("x")),
      .success(try Self.picture()),
    ])
    let processor = FrameProcessor { _ in try outcomes.withLock { $0.removeFirst() }.get() }
    let frame = try frame(0)
    #expect(throws: PixelTransformError.self) { try processor.picture(of: frame) }
    #expect(throws: StillCodecError.self) { try processor.picture(of: frame) }
    #expect(throws: StillCodecError.self) { try processor.picture(of: frame) }
    #expect(outcomes.withLock { $0.count } == 1)
  }
}

extension DeviceSuites {
  @Suite("A camera that sends JPEG, with several outputs")
  struct SharedDecodingTests {
    @Test func `a data output and a preview show the same decoded picture`() throws {
      let stage = SessionStage(devices: [
        .camera(
          uniqueID: "stage.jpeg", sizes: [SessionStage.small], encodings: [.motionJPEG], sensorRotation: 0)
      ])
      try stage.session.addInput(
        AVCaptureDeviceInput(device: #require(AVCaptureDevice(uniqueID: "stage.jpeg"))))
      let output = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()
      output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
      stage.session.addOutput(output)
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      stage.session.startRunning()
      for _ in 0..<3 {
        delegate.samples.withLock { $0 = [] }
        stage.pass(frames: 1)
        let shown = try #require(layer.frames.takeNewest())
        let samples = delegate.samples.withLock { $0 }
        let sample = try #require(samples.last)
        #expect(sample.buffer.imageBuffer === shown.pixels)
      }
      stage.session.stopRunning()
    }
  }
}
