import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Dispatch
import Foundation
import FoundationExtras
import Linux
import PixelTransforms
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureVideoDataOutput")
  struct VideoDataOutput {
    private let output = AVCaptureVideoDataOutput()
    private let delegate = RecordingVideoDelegate()
    private let queue = DispatchQueue(label: "video data")

    private func rig(
      _ model: SimulatedDeviceModel = .camera(), scene: Scene? = nil, faults: [SceneFault] = [],
      preset: AVCaptureSession.Preset = .high
    ) throws -> CaptureRig {
      let rig = try CaptureRig(model, scene: scene, faults: faults, preset: preset)
      rig.session.addOutput(output)
      output.setSampleBufferDelegate(delegate, queue: queue)
      return rig
    }

    @Test func `frames come in order with their number, the device's stamp and no duration`() throws {
      let rig = try rig()
      rig.session.startRunning()
      rig.advance(frames: 5)
      let samples = delegate.samples.withLock { $0 }
      #expect(samples.map(\.sequence) == [0, 1, 2, 3, 4])
      for (first, second) in zip(samples, samples.dropFirst()) {
        let gap = second.buffer.presentationTimeStamp - first.buffer.presentationTimeStamp
        #expect(abs(gap.seconds - 1.0 / 30) < 1e-6)
      }
      #expect(samples.allSatisfy { !$0.buffer.duration.isValid })
      #expect(samples.allSatisfy { $0.buffer.imageBuffer != nil })
      #expect(samples.first?.buffer.formatDescription === samples.last?.buffer.formatDescription)
    }

    @Test func `no byte is written between the device's buffer and the delegate`() async {
      // In a process of its own: tests that run beside write pictures, too.
      await #expect(processExitsWith: .success) {
        let rig = try CaptureRig(.camera(), scene: .blank, preset: .high)
        let output = AVCaptureVideoDataOutput()
        let delegate = RecordingVideoDelegate()
        rig.session.addOutput(output)
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "client"))
        delegate.keepsBuffers.withLock { $0 = false }
        let addresses = Locked<Set<UInt>>([])
        delegate.visit.set { sample in
          guard let pixels = sample.imageBuffer else { return }
          CVPixelBufferLockBaseAddress(pixels, .readOnly)
          let address = UInt(bitPattern: CVPixelBufferGetBaseAddressOfPlane(pixels, 0))
          CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
          addresses.withLock { _ = $0.insert(address) }
        }
        rig.session.startRunning()
        rig.advance(frames: 2)
        let before = PixelTraffic.bytesWritten
        rig.advance(frames: 60)
        #expect(PixelTraffic.bytesWritten == before)
        #expect(delegate.count.withLock { $0 } == 62)
        #expect(addresses.withLock { $0.count } <= 8)
      }
    }

    @Test func `the frame's exposure is its {Exif} attachment`() throws {
      let rig = try rig()
      rig.session.startRunning()
      rig.advance(frames: 1)
      let sample = try #require(delegate.samples.withLock { $0.first })
      let exif = CMGetAttachment(sample.buffer, key: "{Exif}", attachmentModeOut: nil) as? [String: Any]
      #expect(try #require(exif?["ExposureTime"] as? Double) > 0)
      #expect((exif?["ISOSpeedRatings"] as? [Int])?.count == 1)
    }

    @Test func `another pixel format is converted to, and counted`() throws {
      let rig = try rig()
      let key = kCVPixelBufferPixelFormatTypeKey as String
      output.videoSettings = [key: kCVPixelFormatType_32BGRA]
      #expect(output.videoSettings[key] as? OSType == kCVPixelFormatType_32BGRA)
      rig.session.startRunning()
      let before = PixelTraffic.bytesWritten
      rig.advance(frames: 2)
      #expect(PixelTraffic.bytesWritten > before)
      let pixels = try #require(delegate.samples.withLock { $0.first }?.buffer.imageBuffer)
      #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32BGRA)
    }

    private func setSize(_ width: Int, _ height: Int) {
      output.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
        kCVPixelBufferWidthKey as String: width, kCVPixelBufferHeightKey as String: height,
      ]
    }

    private func deliveredSize(_ rig: CaptureRig) throws -> [Int] {
      rig.session.startRunning()
      rig.advance(frames: 1)
      let pixels = try #require(delegate.samples.withLock { $0.last }?.buffer.imageBuffer)
      return [CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels)]
    }

    @Test func `width and height scale`() throws {
      let rig = try rig()
      setSize(40, 30)
      #expect(output.videoSettings[kCVPixelBufferWidthKey as String] as? UInt32 == 40)
      #expect(try deliveredSize(rig) == [40, 30])
    }

    @Test func `width and height have the active format's aspect ratio, else they are a mistake`() throws {
      let rig = try rig()
      setSize(80, 60)
      for (width, height) in [(40, 40), (80, 45), (60, 80)] {
        let mistakes = ProgrammingMistake.collect { setSize(width, height) }
        #expect(mistakes.first?.rule.contains("shape") == true, "\(width)×\(height)")
      }
      // A side that is rounded, and to an even number.
      setSize(50, 38)
      setSize(80, 60)
      #expect(try deliveredSize(rig) == [80, 60])
    }

    @Test func `width and height do not exceed the active format's, else they are a mistake`() throws {
      let rig = try rig()
      let mistakes = ProgrammingMistake.collect { setSize(320, 240) }
      #expect(mistakes.first?.rule.contains("no larger") == true)
      #expect(try deliveredSize(rig) == [160, 120])
    }

    @Test func `width and height lie as the connection turns the picture`() throws {
      let rig = try rig()
      try #require(output.connection(with: .video)).videoRotationAngle = 90
      #expect(ProgrammingMistake.collect { setSize(40, 30) }.count == 1)
      setSize(30, 40)
      #expect(try deliveredSize(rig) == [30, 40])
    }

    @Test func `width and height are a mistake while buffers are preview-sized`() throws {
      let rig = try rig(
        .camera(sizes: [FrameSize(width: 2048, height: 1536)], scalesStream: true), preset: .photo)
      let mistakes = ProgrammingMistake.collect { setSize(640, 480) }
      #expect(mistakes.first?.rule.contains("deliversPreviewSizedOutputBuffers") == true)
      output.automaticallyConfiguresOutputBufferDimensions = false
      output.deliversPreviewSizedOutputBuffers = false
      setSize(640, 480)
      #expect(try deliveredSize(rig) == [640, 480])
    }

    @Test func `a size that a later turn does not fit gives way to the stream's own, nothing is cut off`()
      throws
    {
      let rig = try rig()
      setSize(40, 30)
      try #require(output.connection(with: .video)).videoRotationAngle = 90
      #expect(try deliveredSize(rig) == [120, 160])
      #expect(output.videoSettings[kCVPixelBufferHeightKey as String] as? Int == 160)
    }

    @Test func `a turned connection turns the pixels`() throws {
      let rig = try rig()
      let connection = try #require(output.connection(with: .video))
      connection.videoRotationAngle = 90
      rig.session.startRunning()
      rig.advance(frames: 1)
      let pixels = try #require(delegate.samples.withLock { $0.first }?.buffer.imageBuffer)
      #expect(CVPixelBufferGetWidth(pixels) == 120)
      #expect(CVPixelBufferGetHeight(pixels) == 160)
    }

    @Test func `settings that cannot be honoured are a mistake and change nothing`() throws {
      let rig = try rig()
      let wrong: [[String: Any]] = [
        [kCVPixelBufferPixelFormatTypeKey as String: OSType(1)],
        [kCVPixelBufferWidthKey as String: 40],
        [AVVideoCodecKey: AVVideoCodecType.jpeg],
      ]
      for settings in wrong {
        let mistakes = ProgrammingMistake.collect { output.videoSettings = settings }
        #expect(mistakes.count == 1)
      }
      let mistakes = ProgrammingMistake.collect {
        output.setSampleBufferDelegate(delegate, queue: nil)
        output.deliversPreviewSizedOutputBuffers = true
      }
      #expect(mistakes.count == 2)
      withExtendedLifetime(rig) {}
    }

    @Test func `unset settings read as the format and size in use, native ones as asked`() throws {
      let rig = try rig()
      rig.session.startRunning()
      #expect(output.videoSettings[kCVPixelBufferWidthKey as String] as? Int == 160)
      #expect(output.videoSettings[kCVPixelBufferPixelFormatTypeKey as String] as? OSType != nil)
      #expect(output.availableVideoPixelFormatTypes.contains(kCVPixelFormatType_32BGRA))
      #expect(output.availableVideoCodecTypes.isEmpty)
    }

    @Test func `under the photo preset buffers are preview-sized unless the client decides`() throws {
      let large = FrameSize(width: 2048, height: 1536)
      let rig = try rig(.camera(sizes: [large], scalesStream: true), preset: .photo)
      rig.session.startRunning()
      #expect(output.deliversPreviewSizedOutputBuffers)
      #expect(output.videoSettings[kCVPixelBufferWidthKey as String] as? Int == 1920)
      output.automaticallyConfiguresOutputBufferDimensions = false
      output.deliversPreviewSizedOutputBuffers = false
      #expect(output.videoSettings[kCVPixelBufferWidthKey as String] as? Int == 2048)
      output.deliversPreviewSizedOutputBuffers = true
      #expect(output.videoSettings[kCVPixelBufferWidthKey as String] as? Int == 1920)
    }

    @Test func `frames that come while the delegate is busy are dropped as late, and reported`() throws {
      let rig = try rig()
      let mayGo = Monitor(false)
      let isBusy = Monitor(false)
      delegate.visit.set { _ in
        isBusy.withLock { $0 = true }
        mayGo.wait(for: { $0 }, then: { _ in })
      }
      rig.session.startRunning()
      rig.advance(frames: 1, waitingForClients: false)
      isBusy.wait(for: { $0 }, then: { _ in })
      rig.advance(frames: 3, waitingForClients: false)
      mayGo.withLock { $0 = true }
      rig.clock.settleAll()
      let drops = delegate.drops.withLock { $0 }
      #expect(drops.map(\.sequence) == [1, 2, 3])
      let first = try #require(delegate.samples.withLock { $0.first }?.buffer.presentationTimeStamp)
      #expect(drops.allSatisfy { $0.time > first })
      #expect(drops.allSatisfy { $0.reason == kCMSampleBufferDroppedFrameReason_FrameWasLate })
      expectBalance()
    }

    @Test
    func `a client that keeps every buffer gets drops as out of buffers, and frames again when it lets go`()
      throws
    {
      let rig = try rig(scene: .blank)
      rig.session.startRunning()
      rig.advance(frames: 30)
      let kept = delegate.samples.withLock { $0.count }
      #expect(kept < 30)
      let drops = delegate.drops.withLock { $0 }
      #expect(drops.count == 30 - kept)
      #expect(drops.allSatisfy { $0.reason == kCMSampleBufferDroppedFrameReason_OutOfBuffers })
      delegate.samples.withLock { $0.removeAll() }
      rig.advance(frames: 2)
      #expect(delegate.samples.withLock { $0.count } == 2)
      expectBalance()
    }

    @Test func `frames that the device lost are reported as discontinuities`() throws {
      let rig = try rig(faults: [SceneFault(.drop(rate: 0.5))])
      delegate.keepsBuffers.withLock { $0 = false }
      rig.session.startRunning()
      rig.advance(frames: 60)
      let drops = delegate.drops.withLock { $0 }
      #expect(!drops.isEmpty)
      #expect(drops.allSatisfy { $0.reason == kCMSampleBufferDroppedFrameReason_Discontinuity })
      #expect(drops.count + delegate.count.withLock { $0 } == 60)
      expectBalance()
    }

    @Test func `corrupt JPEG frames are never shown, and each is counted`() throws {
      let webcam = SimulatedDeviceModel.camera(encodings: [.motionJPEG])
      let rig = try rig(webcam, faults: [SceneFault(.corrupt(rate: 0.5))])
      delegate.keepsBuffers.withLock { $0 = false }
      rig.session.startRunning()
      rig.advance(frames: 40)
      let drops = delegate.drops.withLock { $0 }
      #expect(!drops.isEmpty)
      #expect(drops.allSatisfy { $0.reason == kCMSampleBufferDroppedFrameReason_Discontinuity })
      #expect(drops.count + delegate.count.withLock { $0 } == 40)
      expectBalance()
    }

    @Test func `stopRunning from inside the delegate's callbacks returns`() throws {
      let rig = try rig()
      let session = rig.session
      delegate.inside.set { session.stopRunning() }
      rig.session.startRunning()
      rig.advance(frames: 3)
      #expect(!rig.session.isRunning)
      #expect(delegate.count.withLock { $0 } == 1)
    }

    @Test func `a delegate that is gone gets nothing, and its frames are counted`() throws {
      let rig = try rig()
      var shortLived: RecordingVideoDelegate? = RecordingVideoDelegate()
      output.setSampleBufferDelegate(shortLived, queue: queue)
      #expect(output.sampleBufferDelegate === shortLived)
      shortLived = nil
      #expect(output.sampleBufferDelegate == nil)
      rig.session.startRunning()
      rig.advance(frames: 3)
      #expect(output.statistics.unwanted == 3)
      output.setSampleBufferDelegate(nil, queue: nil)
      #expect(output.sampleBufferCallbackQueue == nil)
      expectBalance()
    }

    private func expectBalance() {
      let statistics = output.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped)
    }
  }
}
