import AVFCapture
import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import FoundationExtras
import Linux
import PixelTransforms
import SimulatedDevices
import StillCodecs
import Testing

@Suite("FrameStage: a compressed frame is decoded once for all outputs")
struct FrameStageTests {
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

  @Test func `each frame is decoded once, and who is late decodes for himself`() throws {
    let decodes = Locked(0)
    let stage = FrameStage { _ in
      decodes.withLock { $0 += 1 }
      return try Self.picture()
    }
    func open(_ frame: CapturedFrame) throws -> CVPixelBuffer { try stage.picture(of: frame) }
    let (first, second) = (try frame(7), try frame(8))
    let shown = try open(first)
    #expect(try open(first) === shown && decodes.withLock { $0 } == 1)
    let next = try open(second)
    #expect(next !== shown && decodes.withLock { $0 } == 2)
    #expect(try open(first) !== shown && decodes.withLock { $0 } == 3)
    // Which has not pushed the newer one out.
    #expect(try open(second) === next && decodes.withLock { $0 } == 3)
    // Another frame of the same number, after the stream has begun anew.
    #expect(try open(try frame(8)) !== next && decodes.withLock { $0 } == 4)
  }

  @Test func `who asks while another thread decodes gets its picture`() throws {
    let decodes = Locked(0)
    let asked = Locked(0)
    let stage = FrameStage { _ in
      decodes.withLock { $0 += 1 }
      // The others come while this goes on, on a machine with more than one core or timeout.
      _ = eventually(withinSeconds: 1) { asked.withLock { $0 } > 1 }
      return try Self.picture()
    }
    let frame = try frame(0)
    let pictures = Locked<[CVPixelBuffer]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      asked.withLock { $0 += 1 }
      let picture = try? stage.picture(of: frame)
      if let picture { pictures.withLock { $0.append(picture) } }
    }
    let all = pictures.withLock { $0 }
    #expect(decodes.withLock { $0 } == 1 && all.count == 8)
    #expect(all.allSatisfy { $0 === all[0] })
  }

  @Test func `damage is damage for everyone, want of memory only for who wants it`() throws {
    let outcomes = Locked<[Result<CVPixelBuffer, any Error>]>([
      .failure(PixelTransformError.poolExhausted), .failure(StillCodecError.damagedJPEG("x")),
      .success(try Self.picture()),
    ])
    let stage = FrameStage { _ in try outcomes.withLock { $0.removeFirst() }.get() }
    let frame = try frame(0)
    #expect(throws: PixelTransformError.self) { try stage.picture(of: frame) }
    #expect(throws: StillCodecError.self) { try stage.picture(of: frame) }
    #expect(throws: StillCodecError.self) { try stage.picture(of: frame) }
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
