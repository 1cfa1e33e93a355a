import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("System pressure of a scene")
  struct ScenePressureTests {
    @Test func `a scene presses its devices at its own times, and observers are notified`() throws {
      let stage = SessionStage(faults: [
        SceneFault(.pressure(level: .fair, seconds: 3), at: 1),
        SceneFault(.pressure(level: .critical, seconds: 1), at: 2),
      ])
      let device = try stage.camera()
      #expect(device.systemPressureState.level == .nominal)
      let reports = ObservedValues(device, \.systemPressureState)
      stage.clock.advance(by: .seconds(1.5))
      #expect(device.systemPressureState.level == .fair)
      #expect(device.systemPressureState.factors == .systemTemperature)
      stage.clock.advance(by: .seconds(1))
      #expect(device.systemPressureState.level == .critical, "the hardest counts")
      stage.clock.advance(by: .seconds(1))
      #expect(device.systemPressureState.level == .fair)
      stage.clock.advance(by: .seconds(1))
      #expect(device.systemPressureState.level == .nominal && device.systemPressureState.factors.isEmpty)
      #expect(reports.wait(4).map(\.level) == [.fair, .critical, .fair, .nominal])
    }

    @Test func `a session is interrupted while its scene is at shutdown`() throws {
      let stage = SessionStage(faults: [SceneFault(.pressure(level: .shutdown, seconds: 1), at: 1)])
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 3)
      stage.clock.advance(by: .seconds(1))
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.news.lastReason == .videoDeviceNotAvailableDueToSystemPressure)
      let before = counter.frames
      #expect(before > 0)
      stage.clock.advance(by: .seconds(1))
      #expect(stage.news.wait(for: "interruption ended"))
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      stage.session.stopRunning()
    }

    @Test func `a program presses the phone itself, and another scene starts without pressure`() throws {
      do {
        let stage = SessionStage()
        let device = try stage.camera()
        stage.provider.pressure.press(.serious)
        #expect(device.systemPressureState.level == .serious)
      }
      let stage = SessionStage()
      #expect(try stage.camera().systemPressureState.level == .nominal)
    }

    @Test func `a scene file names level and length, and nothing else`() throws {
      func scene(_ fault: String) throws -> Scene {
        try Scene(
          json: Data(#"{"version": 1, "faults": [{"kind": "pressure", \#(fault)}]}"#.utf8), name: "test",
          folder: URL(fileURLWithPath: "/"))
      }
      #expect(
        try scene(#""level": "serious", "at": 2, "for": 3"#).faults
          == [SceneFault(.pressure(level: .serious, seconds: 3), at: 2)])
      for wrong in [
        #""at": 1"#, #""level": "hot""#, #""level": "fair", "device": "simulated.back""#,
        #""level": "fair", "ms": 3"#,
      ] {
        #expect(throws: CaptureDeviceError.self, "\(wrong)") { try scene(wrong) }
      }
    }
  }
}
