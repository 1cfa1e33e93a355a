#if canImport(SimulatedDevices)
  import AVFoundation
  import Kiosk
  import SimulatedDevices
  import Testing

  // One program has one set of devices, so tests that install some run one after another.
  @Suite(.serialized) struct KioskTests {
    let clock = SimulatedClock()
    let answers = Answers()

    private func kiosk(_ layers: [SceneLayer], tickets: [String]) throws -> Kiosk {
      var scene = Scene()
      scene.layers = layers
      SimulatedDevices.install(scene: scene, clock: clock)
      let camera = try #require(AVCaptureDevice.default(for: .video))
      return try Kiosk(camera: camera, desk: TicketDesk(tickets: tickets)) { [answers] ticket, answer in
        answers.add("\(ticket): \(answer)")
      }
    }

    @Test func `a ticket that stays in view lets its owner in once`() throws {
      let kiosk = try kiosk([SceneLayer(try .qrCode("seat 17"), width: 0.3)], tickets: ["seat 17"])
      kiosk.start()
      clock.advance(by: .seconds(5))
      kiosk.stop()
      #expect(answers.all == ["seat 17: welcome"])
      #expect(kiosk.guestCount == 1)
    }

    @Test func `a ticket that comes back is a used one`() throws {
      let kiosk = try kiosk(
        [
          SceneLayer(try .qrCode("seat 17"), width: 0.3, to: 1),
          SceneLayer(try .qrCode("seat 17"), width: 0.3, from: 5),
        ], tickets: ["seat 17"])
      kiosk.start()
      clock.advance(by: .seconds(6))
      kiosk.stop()
      #expect(answers.all == ["seat 17: welcome", "seat 17: used"])
    }

    @Test func `another code is no ticket`() throws {
      let kiosk = try kiosk(
        [SceneLayer(try .qrCode("https://example.org"), width: 0.3)], tickets: ["seat 17"])
      kiosk.start()
      clock.advance(by: .seconds(1))
      kiosk.stop()
      #expect(answers.all == ["https://example.org: unknown"])
      #expect(kiosk.guestCount == 0)
    }
  }

  final class Answers: @unchecked Sendable {  // Safe because it is used under its lock.
    private let lock = NSLock()
    private var answers: [String] = []

    func add(_ answer: String) { lock.withLock { answers.append(answer) } }
    var all: [String] { lock.withLock { answers } }
  }
#endif
