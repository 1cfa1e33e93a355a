import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureVideoPreviewLayer")
  struct PreviewLayerTests {
    @Test func `a layer of a session is connected to its camera, whichever came first`() throws {
      let stage = SessionStage()
      let early = AVCaptureVideoPreviewLayer(session: stage.session)
      #expect(early.connection == nil)
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera()))
      let late = AVCaptureVideoPreviewLayer(session: stage.session)
      for layer in [early, late] {
        let connection = try #require(layer.connection)
        #expect(connection.videoPreviewLayer === layer)
        #expect(connection.output == nil)
        #expect(connection.isActive)
        #expect(stage.session.connections.contains { $0 === connection })
        #expect(layer.session === stage.session)
        #expect(layer.videoGravity == .resizeAspect)
      }
      #expect(stage.session.outputs.isEmpty)
    }

    @Test func `previews stand upright, and front cameras are mirrored by themselves`() throws {
      let stage = SessionStage()
      let layer = AVCaptureVideoPreviewLayer()
      layer.session = stage.session
      let back = try AVCaptureDeviceInput(device: stage.camera())
      stage.session.addInput(back)
      var connection = try #require(layer.connection)
      #expect(connection.videoRotationAngle == 90 && connection.videoOrientation == .portrait)
      #expect(!connection.isVideoMirrored && connection.automaticallyAdjustsVideoMirroring)

      stage.session.beginConfiguration()
      stage.session.removeInput(back)
      #expect(layer.connection == nil)
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera(SessionStage.front)))
      stage.session.commitConfiguration()
      connection = try #require(layer.connection)
      #expect(connection.isVideoMirrored && connection.automaticallyAdjustsVideoMirroring)
      connection.automaticallyAdjustsVideoMirroring = false
      connection.isVideoMirrored = false
      #expect(!connection.isVideoMirrored)
      connection.automaticallyAdjustsVideoMirroring = true
      #expect(connection.isVideoMirrored)
    }

    @Test func `a layer without connection waits for the client's`() throws {
      let stage = SessionStage()
      let layer = AVCaptureVideoPreviewLayer(sessionWithNoConnection: stage.session)
      let input = try AVCaptureDeviceInput(device: stage.camera())
      stage.session.addInput(input)
      #expect(layer.connection == nil && layer.session === stage.session)
      let connection = AVCaptureConnection(inputPort: input.ports[0], videoPreviewLayer: layer)
      #expect(stage.session.canAddConnection(connection))
      stage.session.addConnection(connection)
      #expect(layer.connection === connection)
      #expect(
        !stage.session.canAddConnection(
          AVCaptureConnection(inputPort: input.ports[0], videoPreviewLayer: layer)),
        "a second one")
      let stranger = AVCaptureVideoPreviewLayer()
      #expect(
        !stage.session.canAddConnection(
          AVCaptureConnection(inputPort: input.ports[0], videoPreviewLayer: stranger)),
        "its layer is in no session")
      stranger.setSessionWithNoConnection(stage.session)
      #expect(stranger.connection == nil)
      #expect(
        stage.session.canAddConnection(
          AVCaptureConnection(inputPort: input.ports[0], videoPreviewLayer: stranger)))
      stage.session.removeConnection(connection)
      #expect(layer.connection == nil)
    }

    @Test func `the newest frame is the device's own memory, and every frame is counted`() throws {
      let stage = SessionStage()
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera()))
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      let reported = Locked(0)
      layer.frames.setFrameHandler { reported.withLock { $0 += 1 } }
      let output = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      output.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
      stage.session.addOutput(output)
      stage.session.startRunning()
      #expect(layer.frames.takeNewest() == nil)
      stage.pass(frames: 3)
      #expect(reported.withLock { $0 } >= 3)
      let frame = try #require(layer.frames.takeNewest())
      #expect(frame.rotationAngle == 90 && !frame.isMirrored)
      #expect(layer.frames.takeNewest()?.sequence == frame.sequence, "it stays for another drawing")
      stage.pass(frames: 2)
      #expect(try #require(layer.frames.takeNewest()).sequence == frame.sequence + 2)
      stage.session.stopRunning()
      let counts = layer.frames.statistics
      #expect(counts.captured == counts.delivered + counts.dropped)
      #expect(counts.delivered == 2 && counts.late == counts.captured - 2)
      let twin = recorder.samples.withLock { $0.first { $0.sequence == frame.sequence } }
      #expect(twin?.buffer.imageBuffer === frame.pixels, "no copy: both see the device's memory")
      #expect(layer.frames.takeNewest() != nil, "the last picture stays on the screen")
      layer.session = nil
      #expect(layer.frames.takeNewest() == nil)
    }

    @Test func `a slow host costs no frame of others, and holds one buffer at most`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      stage.session.startRunning()
      stage.pass(frames: 30)
      stage.session.stopRunning()
      #expect(counter.drops == 0 && counter.frames >= 30)
      let counts = layer.frames.statistics
      #expect(counts.pending == 1 && counts.late == counts.captured - 1)
    }

    @Test func `frames of a camera that sends JPEG are decoded, and counted`() throws {
      let stage = SessionStage(devices: [
        .camera(
          uniqueID: "stage.jpeg", sizes: [SessionStage.small], encodings: [.motionJPEG], sensorRotation: 0)
      ])
      try stage.session.addInput(
        AVCaptureDeviceInput(device: #require(AVCaptureDevice(uniqueID: "stage.jpeg"))))
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      stage.session.startRunning()
      stage.pass(frames: 4)
      let frame = try #require(layer.frames.takeNewest())
      #expect(CVPixelBufferGetWidth(frame.pixels) == 64 && CVPixelBufferGetHeight(frame.pixels) == 48)
      #expect(frame.rotationAngle == 0)
      stage.session.stopRunning()
      let counts = layer.frames.statistics
      #expect(counts.captured >= 4 && counts.captured == counts.delivered + counts.dropped)
    }

    @Test func `a host hears of each picture, also where the next frame is there before it is made`() throws {
      let stage = SessionStage()
      let input = try AVCaptureDeviceInput(device: stage.camera())
      let (begun, made) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      input.setPictureChange { _, _, _ in
        begun.signal()
        made.wait()
      }
      stage.session.addInput(input)
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      let reported = Locked(0)
      layer.frames.setFrameHandler { reported.withLock { $0 += 1 } }
      stage.session.startRunning()
      func arrive() { stage.clock.advance(by: .nanoseconds(33_333_334), waitingForClients: false) }
      arrive()
      begun.wait()
      for pictures in 1...3 {
        arrive()
        made.signal()
        begun.wait()
        #expect(reported.withLock { $0 } == pictures)
      }
      made.signal()
      stage.clock.settleAll()
      #expect(layer.isPreviewing && reported.withLock { $0 } == 4)
      stage.session.stopRunning()
    }

    @Test func `isPreviewing follows the frames and is reported`() throws {
      let stage = SessionStage()
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera()))
      let output = AVCaptureVideoDataOutput()
      stage.session.addOutput(output)
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      let reported = Monitor<[Bool]>([])
      let observation = layer.observe(\.isPreviewing, options: .new) { _, change in
        reported.withLock { $0.append(change.newValue ?? false) }
      }
      func expect(_ values: [Bool]) {
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
        #expect(reported.wait(until: deadline, for: { $0 == values }, then: { _ in true }) == true)
        #expect(layer.isPreviewing == (values.last ?? false))
      }
      stage.session.startRunning()
      #expect(!layer.isPreviewing, "no frame yet")
      stage.pass(frames: 2)
      expect([true])
      layer.connection?.isEnabled = false
      expect([true, false])
      stage.pass(frames: 2)
      layer.connection?.isEnabled = true
      stage.pass(frames: 2)
      expect([true, false, true])
      stage.session.stopRunning()
      expect([true, false, true, false])
      observation.invalidate()
    }

    @Test func `neither layer nor session outlives its last holder`() throws {
      let stage = SessionStage()
      weak var weakLayer: AVCaptureVideoPreviewLayer?
      weak var weakFrames: PreviewFrames?
      weak var weakConnection: AVCaptureConnection?
      weak var weakSession: AVCaptureSession?
      do {
        let session = AVCaptureSession()
        weakSession = session
        try session.addInput(AVCaptureDeviceInput(device: stage.camera()))
        var layer: AVCaptureVideoPreviewLayer? = AVCaptureVideoPreviewLayer(session: session)
        (weakLayer, weakFrames, weakConnection) = (layer, layer?.frames, layer?.connection)
        session.startRunning()
        stage.pass(frames: 2)
        layer = nil
        #expect(weakLayer == nil)
        #expect(session.connections.isEmpty, "the session forgets a layer that is gone")
        stage.pass(frames: 2)
        session.stopRunning()
      }
      stage.clock.settle()
      #expect(weakFrames == nil)
      stage.clock.settle()
      #expect(weakConnection == nil)
      stage.clock.settle()
      #expect(weakSession == nil)
    }

    @Test func `a layer keeps its session`() throws {
      let stage = SessionStage()
      var layer: AVCaptureVideoPreviewLayer?
      weak var weakSession: AVCaptureSession?
      do {
        let session = AVCaptureSession()
        try session.addInput(AVCaptureDeviceInput(device: stage.camera()))
        layer = AVCaptureVideoPreviewLayer(session: session)
        weakSession = session
      }
      #expect(weakSession != nil && layer?.session === weakSession)
      layer = nil
      stage.clock.settle()
      #expect(weakSession == nil)
    }

    @Test func `a copy for drawing disturbs no session`() throws {
      let stage = SessionStage()
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera()))
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      layer.videoGravity = .resizeAspectFill
      layer.frame = CGRect(x: 1, y: 2, width: 30, height: 40)
      let copy = AVCaptureVideoPreviewLayer(layer: layer)
      #expect(copy.videoGravity == .resizeAspectFill && copy.frame == layer.frame)
      #expect(copy.session == nil && copy.connection == nil && layer.connection != nil)
    }
  }
}
