import AVFoundation
import CameraTasks
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import Linux
import PipeWireDevices
import PipeWireStage
import SimulatedDevices
import Testing

import VirtualCameras

extension DeviceSuites {
  @Suite("A session's pictures for other programs")
  struct VirtualCameraFeedTests {
    private let queue = DispatchQueue(label: "test.session")

    /// The built-in scene, as one camera sees it.
    private static var scene: Scene {
      var scene = Scene.builtIn
      scene.devices = [.webcam]
      return scene
    }

    private func session() throws -> AVCaptureSession {
      SimulatedDevices.install(scene: Self.scene, clock: .real)
      let session = AVCaptureSession()
      session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
      session.startRunning()
      return session
    }

    @Test func `pictures are drawn while a program watches, in its size, and not else`() throws {
      let session = try session()
      defer { SimulatedDevices.uninstall() }
      let (camera, states) = (WatchedCamera(), CameraStates())
      let feed = VirtualCameraFeed(queue: queue, open: camera.open, report: states.note)
      queue.sync { feed.offer(session) }
      #expect(states.wait(for: .offered))
      camera.report(.watched(width: 640, height: 360))
      #expect(states.wait(for: .watched) && camera.wait { $0.pictures.count >= 3 })
      let (pictures, times) = camera.seen.withLock { ($0.pictures, $0.times) }
      #expect(pictures.allSatisfy { CVPixelBufferGetWidth($0) == 640 && CVPixelBufferGetHeight($0) == 360 })
      #expect(pictures.allSatisfy { $0.showsSomething && $0.mostChroma > 10 })
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      camera.report(.unwatched)
      #expect(states.wait(for: .offered, after: 2))
      queue.sync { feed.withdraw() }
      #expect(states.wait(for: .off) && !camera.seen.withLock { $0.isOffered })
      #expect(states.all == [.offered, .watched, .offered, .off])
      session.stopRunning()
    }

    @Test func `a camera that PipeWire has lost can be offered again`() throws {
      let session = try session()
      defer { SimulatedDevices.uninstall() }
      let (camera, states) = (WatchedCamera(), CameraStates())
      camera.problem.withLock { $0 = .noServer }
      let feed = VirtualCameraFeed(queue: queue, open: camera.open, report: states.note)
      queue.sync { feed.offer(session) }
      #expect(states.wait(for: .failed(.noServer)))
      camera.problem.withLock { $0 = nil }
      queue.sync { feed.offer(session) }
      #expect(states.wait(for: .offered))
      camera.report(.lost(.refused(reason: "no")))
      #expect(states.wait(for: .failed(.refused(reason: "no"))))
      queue.sync { feed.offer(session) }
      #expect(states.wait(for: .offered, after: 3) && camera.seen.withLock { $0.offers } == 3)
      session.stopRunning()
    }

    @Test(.enabled(if: PrivatePipeWire.isInstalled))
    func `another program sees the session by PipeWire, and again after PipeWire was restarted`() throws {
      let pipewire = try PrivatePipeWire()
      try pipewire.start()
      let session = try session()
      defer { SimulatedDevices.uninstall() }
      let server = PipeWireServer(pipewire.environment)
      let states = CameraStates()
      let feed = VirtualCameraFeed(
        queue: queue,
        open: { (report) throws(VirtualCameraProblem) in
          try PipeWireCamera(
            name: "mine", title: "Mine", server: server, sizes: PipeWireCamera.sizes, report)
        }, report: states.note)
      let provider = PipeWireDeviceProvider(server, includesOwn: true)
      let news = Monitor<[String]>([])
      provider.observeDevices { change in
        news.withLock { news in
          switch change {
          case .connected(let device): news.append("+\(device.facts.name)")
          case .disconnected: news.append("-")
          }
        }
      }
      for round in 1...2 {
        queue.sync { feed.offer(session) }
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
        #expect(
          news.wait(until: deadline, for: { $0.count { $0 == "+Mine" } == round }, then: { _ in true })
            == true)
        let camera = try #require(provider.devices().first)
        #expect(camera.facts.formats.map(\.size) == PipeWireCamera.sizes.sorted { $0.width < $1.width })
        let stream = try camera.openStream(
          StreamConfiguration(
            format: try #require(camera.facts.formats.first), frameDuration: FrameDuration(1, 30)))
        let seen = Monitor<[Bool]>([])
        let isOver = Monitor(false)
        try stream.start { event in
          if case .failed = event { isOver.withLock { $0 = true } }
          guard case .frame(let frame) = event, case .pixels(let picture) = frame.picture else { return }
          let shows = picture.showsSomething
          seen.withLock { $0.append(shows) }
        }
        #expect(
          seen.wait(until: deadline, for: { $0.count >= 3 && $0.contains(true) }, then: { _ in true }) == true
        )
        #expect(states.wait(for: .watched))
        pipewire.kill()
        #expect(states.wait(for: .failed(.noServer)))
        #expect(isOver.wait(until: deadline, for: { $0 }, then: { _ in true }) == true)
        try pipewire.start()
      }
      queue.sync { feed.withdraw() }
      session.stopRunning()
    }

    @Test(arguments: [nil, ServedFilter.mono])
    func `a served camera has its filter, until the stop that is requested`(_ filter: ServedFilter?) throws {
      SimulatedDevices.install(scene: Self.scene, clock: .real)
      defer { SimulatedDevices.uninstall() }
      let (camera, states, stop) = (WatchedCamera(), CameraStates(), StopRequest())
      var plan = ServeSession.Plan()
      plan.filter = filter
      let session = try ServeSession(
        camera: try #require(AVCaptureDevice.default(for: .video)), plan: plan, open: camera.open, stop: stop,
        report: states.note)
      let result = Monitor<Result<Void, CameraTaskError>?>(nil)
      Thread.detachNewThread {
        let ended = Result { () throws(CameraTaskError) in try session.serve() }
        result.withLock { $0 = ended }
      }
      #expect(states.wait(for: .offered))
      camera.report(.watched(width: 320, height: 180))
      #expect(camera.wait { $0.pictures.count >= 3 })
      let picture = try #require(camera.seen.withLock { $0.pictures.last })
      #expect(filter == nil ? picture.mostChroma > 10 : picture.mostChroma < 3)
      // PipeWire ends and is back.
      camera.report(.lost(.noServer))
      #expect(camera.wait { $0.offers == 2 && $0.isOffered })
      stop.request()
      let ended = result.wait(
        until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 != nil }, then: { $0 })
      #expect(throws: Never.self) { try ended??.get() }
      #expect(ended != nil && !camera.seen.withLock { $0.isOffered })
    }

    @Test func `without PipeWire a served camera fails at once, and one that waits does not`() throws {
      SimulatedDevices.install(scene: Self.scene, clock: .real)
      defer { SimulatedDevices.uninstall() }
      let camera = WatchedCamera()
      camera.problem.withLock { $0 = .noServer }
      let session = try ServeSession(
        camera: try #require(AVCaptureDevice.default(for: .video)), plan: ServeSession.Plan(),
        open: camera.open
      ) { _ in }
      let error = #expect(throws: CameraTaskError.self) { try session.serve() }
      #expect(error?.message == VirtualCameraProblem.noServer.description)
      let stop = StopRequest()
      let persistent = try ServeSession(
        camera: try #require(AVCaptureDevice.default(for: .video)), plan: ServeSession.Plan(),
        open: camera.open,
        stop: stop, waiting: CameraWaiting { _ in }
      ) { _ in }
      let isOver = Monitor(false)
      Thread.detachNewThread {
        try? persistent.serve()
        isOver.withLock { $0 = true }
      }
      #expect(camera.wait { $0.offers >= 3 })
      camera.problem.withLock { $0 = nil }
      #expect(camera.wait { $0.isOffered })
      stop.request()
      #expect(
        isOver.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 }, then: { _ in true })
          == true)
    }
  }
}
