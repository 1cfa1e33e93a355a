import AVFoundation
import CameraFrames
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreVideo
import Dispatch
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Media that a commit or a stop takes away")
  struct EndedRouteTests {
    /// Switches the session from `input` to another camera.
    private func switchCamera(
      of stage: SessionStage, from input: AVCaptureDeviceInput,
      to model: SimulatedDeviceModel = SessionStage.front
    ) throws {
      stage.session.beginConfiguration()
      stage.session.removeInput(input)
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera(model)))
      stage.session.commitConfiguration()
    }

    /// Lets one frame come and does not wait for the delegate.
    private func passOneFrame(_ stage: SessionStage) {
      stage.clock.advance(by: .nanoseconds(33_333_334), waitingForClients: false)
    }

    private func expectBalance(_ statistics: DeliveryStatistics) {
      #expect(statistics.pending == 0)
      #expect(statistics.captured == statistics.delivered + statistics.dropped)
    }

    // MARK: Video

    @Test(arguments: [false, true])
    func `after a switch no frame of the old camera comes, though it waited`(isConverted: Bool) throws {
      let stage = SessionStage()
      let output = AVCaptureVideoDataOutput()
      if isConverted {
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
      }
      let (input, counter) = try stage.addCamera(to: output)
      stage.session.startRunning()
      stage.pass(frames: 1)
      let before = output.statistics
      counter.queue.suspend()
      passOneFrame(stage)
      #expect(output.statistics.pending == 1)
      try switchCamera(of: stage, from: input)
      counter.queue.resume()
      stage.clock.settleAll()
      #expect(output.statistics.pending == 0)
      #expect(counter.frames == before.delivered && counter.drops == 0)
      #expect(output.statistics.discontinuities == 1)
      stage.pass(frames: 2)
      #expect(counter.frames > before.delivered)
      #expect(counter.sizes == ["96×72", "80×60"])
      stage.session.stopRunning()
      expectBalance(output.statistics)
    }

    @Test func `a frame that is being decoded when its route ends is a discontinuity`() throws {
      let output = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()
      let queue = DispatchQueue(label: "test")
      output.setSampleBufferDelegate(delegate, queue: queue)
      let duration = FrameDuration(1, 30)
      let format = StreamFormat(
        size: SessionStage.small, encoding: .motionJPEG, frameDurations: [duration...duration])
      let ending = Locked<RouteLifetime?>(nil)
      let processor = FrameProcessor { _ in
        ending.withLock { $0 }?.end()
        return try CVPixelBuffer(
          format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 64, height: 48, attributes: [:])
      }
      let route = MediaRoute(
        sink: output, connection: AVCaptureConnection(inputPorts: [], output: output),
        plan: ConnectionPlan(
          deviceID: "trial", stream: StreamConfiguration(format: format, frameDuration: duration)),
        processor: processor)
      output.attach(route)
      let clock = SimulatedClock()
      func offer(_ sequence: UInt32) {
        let data = [UInt8](repeating: 0, count: 4).withUnsafeBytes { CMBlockBuffer(copying: $0) }
        output.receive(
          .frame(
            CapturedFrame(
              picture: .jpeg(data, SessionStage.small), timestamp: MonotonicInstant(nanoseconds: 1),
              sequence: sequence, inFlight: clock.token())), over: route)
        clock.settle()
        #expect(output.statistics.pending == 0)
      }
      offer(0)
      #expect(delegate.count.withLock { $0 } == 1)
      ending.withLock { $0 = route.lifetime }
      offer(1)
      #expect(delegate.count.withLock { $0 } == 1 && delegate.drops.withLock { $0.isEmpty })
      #expect(output.statistics.discontinuities == 1)
    }

    @Test func `after a new active format no frame of the old one comes`() throws {
      let stage = SessionStage()
      let output = AVCaptureVideoDataOutput()
      let (_, counter) = try stage.addCamera(to: output)
      stage.session.startRunning()
      let device = try stage.camera()
      let format = try #require(device.formats.first)
      counter.queue.suspend()
      passOneFrame(stage)
      try device.lockForConfiguration()
      device.activeFormat = format
      device.unlockForConfiguration()
      counter.queue.resume()
      // A frame that comes while the old one is still on its way out would be late.
      stage.clock.settleAll()
      #expect(output.statistics.pending == 0)
      stage.pass(frames: 2)
      #expect(counter.frames >= 1 && counter.sizes == ["64×48"])
      #expect(output.statistics.discontinuities == 1)
    }

    @Test func `after new video settings no frame of the old ones comes`() throws {
      let stage = SessionStage()
      let output = AVCaptureVideoDataOutput()
      let (_, counter) = try stage.addCamera(to: output)
      stage.session.startRunning()
      counter.queue.suspend()
      passOneFrame(stage)
      output.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
        kCVPixelBufferWidthKey as String: 32, kCVPixelBufferHeightKey as String: 24,
      ]
      counter.queue.resume()
      // A frame that comes while the old one is still on its way out would be late.
      stage.clock.settleAll()
      #expect(output.statistics.pending == 0)
      stage.pass(frames: 1)
      #expect(counter.sizes == ["32×24"])
      #expect(output.statistics.discontinuities == 1)
    }

    @Test func `what a commit leaves alone goes on`() throws {
      let stage = SessionStage()
      let output = AVCaptureVideoDataOutput()
      let (_, counter) = try stage.addCamera(to: output)
      stage.session.startRunning()
      counter.queue.suspend()
      passOneFrame(stage)
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      #expect(layer.connection?.isActive == true)
      counter.queue.resume()
      stage.clock.settleAll()
      #expect(counter.frames == 1)
      #expect(output.statistics.dropped == 0)
    }

    @Test func `a delegate may switch cameras in its callback`() throws {
      let stage = SessionStage()
      let output = AVCaptureVideoDataOutput()
      let (input, counter) = try stage.addCamera(to: output)
      let front = try AVCaptureDeviceInput(device: stage.camera(SessionStage.front))
      let session = stage.session
      let isSwitched = Locked(false)
      counter.onFrame = {
        guard !isSwitched.withLock({ $0 }) else { return }
        isSwitched.withLock { $0 = true }
        session.beginConfiguration()
        session.removeInput(input)
        session.addInput(front)
        session.commitConfiguration()
      }
      session.startRunning()
      stage.pass(frames: 4)
      #expect(counter.frames >= 2 && counter.sizes == ["96×72", "80×60"])
      session.stopRunning()
      expectBalance(output.statistics)
    }

    @Test func `after stopRunning nothing comes, though it waited`() throws {
      let stage = SessionStage(devices: [SessionStage.back, .stageMicrophone])
      let (video, audio) = (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput())
      let (_, frames) = try stage.addCamera(to: video)
      let chunks = try stage.addMicrophone(to: audio)
      stage.session.startRunning()
      frames.queue.suspend()
      chunks.queue.suspend()
      passOneFrame(stage)
      #expect(video.statistics.pending == 1 && audio.statistics.pending >= 3)
      stage.session.stopRunning()
      frames.queue.resume()
      chunks.queue.resume()
      frames.queue.sync {}
      chunks.queue.sync {}
      #expect(frames.frames == 0 && frames.drops == 0 && chunks.stretches.isEmpty)
      #expect(video.statistics.discontinuities == 1)
      #expect(audio.statistics.discontinuities == audio.statistics.captured)
      expectBalance(video.statistics)
      expectBalance(audio.statistics)
    }

    @Test func `after the delegate was taken away nothing comes, though it waited`() throws {
      let stage = SessionStage(devices: [SessionStage.back, .stageMicrophone])
      let (video, audio) = (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput())
      let (_, frames) = try stage.addCamera(to: video)
      let chunks = try stage.addMicrophone(to: audio)
      stage.session.startRunning()
      frames.queue.suspend()
      chunks.queue.suspend()
      passOneFrame(stage)
      video.setSampleBufferDelegate(nil, queue: nil)
      audio.setSampleBufferDelegate(nil, queue: nil)
      frames.queue.resume()
      chunks.queue.resume()
      frames.queue.sync {}
      chunks.queue.sync {}
      #expect(frames.frames == 0 && chunks.stretches.isEmpty)
      #expect(video.statistics.discontinuities == 1 && audio.statistics.discontinuities >= 3)
      expectBalance(video.statistics)
      expectBalance(audio.statistics)
    }

    // MARK: Audio, depth, metadata, previews

    @Test func `after a commit no audio of a removed microphone comes`() throws {
      let stage = SessionStage(devices: [SessionStage.back, .stageMicrophone])
      let output = AVCaptureAudioDataOutput()
      try stage.addCamera()
      let counter = try stage.addMicrophone(to: output)
      stage.session.startRunning()
      stage.pass(milliseconds: 50)
      let before = output.statistics
      counter.queue.suspend()
      stage.clock.advance(by: .milliseconds(50), waitingForClients: false)
      #expect(output.statistics.pending == 5)
      stage.session.removeInput(try #require(stage.session.inputs.last))
      counter.queue.resume()
      stage.clock.settleAll()
      #expect(output.statistics.pending == 0)
      #expect(counter.stretches.count == before.delivered)
      #expect(output.statistics.discontinuities == 5)
      expectBalance(output.statistics)
    }

    @Test(arguments: [false, true])
    func `after a commit or without a delegate no depth map comes`(isCommit: Bool) throws {
      let stage = try DepthStage()
      stage.session.startRunning()
      stage.queue.suspend()
      try stage.camera.send([Float](repeating: 1, count: 48))
      if isCommit {
        stage.output.connection(with: .depthData)?.isEnabled = false
      } else {
        stage.output.setDelegate(nil, callbackQueue: nil)
      }
      stage.queue.resume()
      stage.settle()
      #expect(stage.output.statistics.pending == 0)
      #expect(stage.delegate.maps.withLock { $0.isEmpty } && stage.delegate.drops.withLock { $0.isEmpty })
      #expect(stage.output.statistics.discontinuities == 1)
    }

    @Test(arguments: [false, true])
    func `after a commit or without a delegate no metadata object comes`(isCommit: Bool) throws {
      let stage = try CodeStage([CodeStage.code("old", at: CGPoint(x: 0.5, y: 0.5))])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.listener.queue.suspend()
      stage.rig.advance(frames: 1, waitingForClients: false)
      #expect(stage.output.statistics.pending == 1)
      if isCommit {
        stage.rig.session.removeInput(stage.rig.input)
      } else {
        stage.output.setMetadataObjectsDelegate(nil, queue: nil)
      }
      stage.listener.queue.resume()
      stage.rig.clock.settleAll()
      #expect(stage.output.statistics.pending == 0)
      #expect(stage.listener.texts.isEmpty)
      #expect(stage.output.statistics.discontinuities == 1)
    }

    @Test func `a preview's handler is not called for a frame of the old camera`() throws {
      let stage = SessionStage()
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      let input = try AVCaptureDeviceInput(device: stage.camera())
      stage.session.addInput(input)
      let (isBusy, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let widths = Locked<[Int]>([])
      layer.frames.setFrameHandler { [weak frames = layer.frames] in
        guard let pixels = frames?.takeNewest()?.pixels else { return }
        let count = widths.withLock { widths in
          widths.append(CVPixelBufferGetWidth(pixels))
          return widths.count
        }
        if count == 1 {
          isBusy.signal()
          mayGo.wait()
        }
      }
      stage.session.startRunning()
      passOneFrame(stage)
      isBusy.wait()
      passOneFrame(stage)
      try switchCamera(of: stage, from: input)
      mayGo.signal()
      stage.pass(frames: 2)
      let seen = widths.withLock { $0 }
      #expect(seen.first == 96 && seen.count >= 2 && seen.dropFirst().allSatisfy { $0 == 80 })
      stage.session.stopRunning()
    }
  }
}
