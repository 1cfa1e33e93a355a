import AVFoundation
import CFrameRings
import CameraTasks
import CaptureStage
import Dispatch
import Foundation
import Linux
import SimulatedDevices
import Testing
import VirtualCameras
import Waiting

extension DeviceSuites {
  @Suite("A session's frames in memory that programs read")
  struct SharedFrameFeedTests {
    private let queue = DispatchQueue(label: "test.session")

    /// The webcam of the built-in scene.
    private func camera() throws -> AVCaptureDevice {
      var scene = Scene.builtIn
      scene.devices = [.webcam]
      SimulatedDevices.install(scene: scene, clock: .real)
      return try #require(AVCaptureDevice.default(for: .video))
    }

    @Test func `programs read a session's frames in the camera's size, also when that changes`() throws {
      let camera = try camera()
      defer { SimulatedDevices.uninstall() }
      let session = AVCaptureSession()
      session.addInput(try AVCaptureDeviceInput(device: camera))
      session.startRunning()
      let stage = try RingStage()
      let feed = SharedFrameFeed(stage.ring) { Issue.record("\($0)") }
      queue.sync { feed.offer(session) }
      let reader = try stage.reader()
      let first = try #require(reader.next())
      let size = CMVideoFormatDescriptionGetDimensions(camera.activeFormat.formatDescription)
      #expect(Int32(first.width) == size.width && Int32(first.height) == size.height)
      let colors = first.colors
      #expect(Set(stride(from: 0, to: colors.count, by: 997).map { colors[$0] }).count > 8)
      let second = try #require(reader.next())
      #expect(second.time > first.time && second.sequence == first.sequence + 1 + second.missed)
      try #require(session.canSetSessionPreset(.vga640x480))
      session.sessionPreset = .vga640x480
      var frame = reader.next()
      while let other = frame, other.width != 640 { frame = reader.next() }
      #expect(frame?.height == 480 && frame.map { $0.generation > first.generation } == true)
      queue.sync { feed.withdraw() }
      session.stopRunning()
      // Its reader stays until the ring is closed.
      #expect(stage.readers.now == 1)
      withExtendedLifetime(reader) {}
    }

    @Test(arguments: [nil, ServedFilter.mono])
    func `the frames of a served camera have its filter, until the stop that is requested`(
      _ filter: ServedFilter?
    ) throws {
      let camera = try camera()
      defer { SimulatedDevices.uninstall() }
      let (stage, stop) = (try RingStage(slotCount: 16), StopRequest())
      var plan = ServeSession.Plan()
      plan.filter = filter
      let session = try ServeSession(camera: camera, plan: plan, ring: stage.ring, stop: stop) { state in
        Issue.record("A camera is offered, too: \(state).")
      }
      let ended = Monitor<Result<Void, CameraTaskError>?>(nil)
      Thread.detachNewThread {
        let result = Result { () throws(CameraTaskError) in try session.serve() }
        ended.withLock { $0 = result }
      }
      let reader = try stage.reader()
      let frame = try #require(reader.next())
      let colors = frame.colors
      let greatest = stride(from: 0, to: colors.count - 4, by: 4 * 97).map { pixel in
        let (blue, green, red) = (Int(colors[pixel]), Int(colors[pixel + 1]), Int(colors[pixel + 2]))
        return max(blue, green, red) - min(blue, green, red)
      }.max()
      if let greatest { #expect(filter == nil ? greatest > 20 : greatest < 6) }
      stop.request()
      #expect(ended.wait { $0 != nil })
      #expect(throws: Never.self) { try ended.now?.get() }
    }
  }
}
