#if canImport(SimulatedDevices)
  import AVFoundation
  import SimulatedDevices
  import Testing

  @testable import Scanner

  // One program has one set of devices, so tests that install some run one after another.
  @Suite(.serialized) struct ScannerTests {
    let clock = SimulatedClock()

    // A scene in code
    @Test func `a code in view is read`() throws {
      var scene = Scene()
      scene.layers = [SceneLayer(try .qrCode("ticket 17"), width: 0.3)]
      SimulatedDevices.install(scene: scene, clock: clock)
      let scanner = Scanner()
      try scanner.start()
      clock.advance(by: .seconds(1))
      #expect(scanner.state.codes == ["ticket 17"])
      scanner.stop()
    }

    // Awaiting
    @Test func `a code that comes later is awaited`() async throws {
      var scene = Scene()
      scene.layers = [SceneLayer(try .qrCode("ticket 18"), width: 0.3, from: 2)]
      SimulatedDevices.install(scene: scene, clock: clock)
      let scanner = Scanner()
      try scanner.start()
      let code = await clock.advancing { await scanner.nextCode() }
      #expect(code == "ticket 18")
      scanner.stop()
    }

    @Test func `who awaits a code when the scanner is stopped gets none`() async throws {
      SimulatedDevices.install(scene: Scene(), clock: clock)
      let scanner = Scanner()
      try scanner.start()
      async let code = scanner.nextCode()
      scanner.stop()
      let found = await code
      #expect(found == nil)
    }

    // Dropped frames
    @Test func `a delegate that is slow drops frames, and none is unaccounted for`() throws {
      SimulatedDevices.install(scene: Scene(), clock: clock)
      let (scanner, gate) = (Scanner(), DispatchSemaphore(value: 0))
      scanner.onFrame = { _ in gate.wait() }
      try scanner.start()
      // The clock would wait for the delegate; here it goes on, as the world does.
      clock.advance(by: .seconds(1), waitingForClients: false)
      scanner.onFrame = nil
      gate.signal()
      clock.advance(by: .seconds(1))
      let state = scanner.state
      #expect(state.dropped > 0 && state.frames + state.dropped == 60)
      scanner.stop()
    }

    // Interruption
    @Test func `the screen says so while the camera is covered`() throws {
      SimulatedDevices.install(
        scene: Scene(faults: [SceneFault(.privacy(seconds: 2), at: 1)]), clock: clock)
      let scanner = Scanner()
      try scanner.start()
      clock.advance(by: .seconds(1.5))
      #expect(scanner.state.isInterrupted)
      clock.advance(by: .seconds(2))
      #expect(!scanner.state.isInterrupted)
      scanner.stop()
    }

    // Unplug and replug
    @Test func `a camera that comes back can be used again`() throws {
      let provider = SimulatedDevices.install(scene: Scene(devices: [.webcam]), clock: clock)
      let scanner = Scanner()
      try scanner.start()
      clock.advance(by: .seconds(1))
      let webcam = try #require(provider.device("simulated.webcam"))
      webcam.unplug()
      clock.settle()
      #expect(!scanner.state.hasCamera)
      webcam.plugIn()
      clock.settle()
      #expect(AVCaptureDevice.default(for: .video) != nil)
      let before = scanner.state.frames
      try scanner.start()
      clock.advance(by: .seconds(1))
      #expect(scanner.state.frames > before && scanner.state.hasCamera)
      scanner.stop()
    }

    // A frame's number
    @Test func `every frame carries its number`() throws {
      SimulatedDevices.install(scene: Scene(isStamped: true), clock: clock)
      let (scanner, numbers) = (Scanner(), Numbers())
      scanner.onFrame = { frame in
        if let picture = frame.imageBuffer, let number = FrameStamp.read(from: picture) {
          numbers.add(number)
        }
      }
      try scanner.start()
      clock.advance(by: .seconds(1))
      #expect(numbers.all == Array(0..<30))
      scanner.stop()
    }
  }

  final class Numbers: @unchecked Sendable {  // Safe because it is used under its lock.
    private let lock = NSLock()
    private var numbers: [UInt32] = []

    func add(_ number: UInt32) { lock.withLock { numbers.append(number) } }
    var all: [UInt32] { lock.withLock { numbers } }
  }
#endif
