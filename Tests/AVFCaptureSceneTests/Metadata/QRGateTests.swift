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
  /// The example `QRGate`, whose source is part of these tests as it stands.
  @Suite("The example QRGate")
  struct QRGateTests {
    /// The codes for which the gate opens within `frames` frames, before a wall with codes.
    private func openings(_ layers: [SceneLayer], frames: Int) throws -> [String] {
      let scene = Scene(
        isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.75, green: 0.75, blue: 0.75)), layers: layers)
      let rig = try CaptureRig(
        .camera(position: .back, sizes: [CodeStage.size], sensorRotation: 90), scene: scene)
      let openings = Locked<[String]>([])
      let gate = try QRGate(
        camera: rig.device, screen: CGSize(width: 390, height: 844),
        region: CGRect(x: 20, y: 40, width: 350, height: 764)
      ) { text in openings.withLock { $0.append(text) } }
      gate.start()
      rig.advance(frames: frames)
      gate.stop()
      return openings.withLock { $0 }
    }

    @Test func `it opens for a code in its region, and then looks away for a second`() throws {
      let code = try CodeStage.code("come in", at: CGPoint(x: 0.5, y: 0.5))
      #expect(try openings([code], frames: 25) == ["come in"])
      #expect(try openings([code], frames: 70) == ["come in", "come in", "come in"])
    }

    @Test func `it opens again after its camera stood still, and after it was unplugged`() throws {
      let code = try CodeStage.code("come in", at: CGPoint(x: 0.5, y: 0.5))
      let scene = Scene(
        isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.75, green: 0.75, blue: 0.75)), layers: [code])
      let rig = try CaptureRig(
        .camera(position: .back, sizes: [CodeStage.size], sensorRotation: 90), scene: scene,
        faults: [SceneFault(.stall(seconds: 60), at: 1)])
      let openings = Locked(0)
      let gate = try QRGate(
        camera: rig.device, screen: CGSize(width: 390, height: 844),
        region: CGRect(x: 20, y: 40, width: 350, height: 764)
      ) { _ in openings.withLock { $0 += 1 } }
      gate.start()
      for round in 1...3 {
        rig.advance(frames: 15)
        #expect(openings.withLock { $0 } == round)
        let ended = AsyncFlag(AVCaptureSession.didStopRunningNotification, nil)
        let again = AsyncFlag(AVCaptureSession.didStartRunningNotification, nil)
        // Hardly beyond the fifth second: what is left is over before the gate opens for a second time, however quickly it starts again.
        rig.clock.advance(by: .milliseconds(5600))
        #expect(ended.wait() && again.wait() && gate.isWatching)
      }
      let camera = try #require(
        rig.provider.devices().first { $0.facts.uniqueID == rig.device.uniqueID } as? SimulatedDevice)
      camera.unplug()
      rig.clock.settle()
      #expect(!gate.isWatching)
      camera.plugIn()
      rig.clock.settle()
      #expect(gate.isWatching)
      rig.advance(frames: 15)
      #expect(openings.withLock { $0 } == 4)
      gate.stop()
    }

    @Test func `it says what is wrong, and when it watches again`() throws {
      let rig = try CaptureRig(
        .camera(position: .back, sizes: [CodeStage.size], sensorRotation: 90),
        scene: Scene(isStamped: false, isNoisy: false),
        faults: [SceneFault(.privacy(seconds: 1), at: 1), SceneFault(.stall(seconds: 60), at: 3)])
      let reports = Monitor<[String]>([])
      let gate = try QRGate(
        camera: rig.device, screen: CGSize(width: 390, height: 844),
        region: CGRect(x: 20, y: 40, width: 350, height: 764),
        report: { sentence in reports.withLock { $0.append(sentence) } }, open: { _ in })
      gate.start()
      rig.clock.advance(by: .seconds(3))
      let watches = "The gate watches."
      #expect(
        reports.withLock { $0 } == [watches, "The camera's shutter or privacy switch is closed.", watches])
      // The stream that follows begins anew, and its faults are a second away.
      rig.clock.advance(by: .milliseconds(5600))
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      let last = reports.wait(until: deadline, for: { $0.count == 5 }, then: { $0.suffix(2) })
      #expect(last?.first?.contains("delivered no frame") == true && last?.last == watches)
      gate.stop()
    }

    @Test func `a code that the screen does not show stays outside`() throws {
      // The sensor lies on its side: what is above in its picture is beside the screen.
      let code = try CodeStage.code("stay out", at: CGPoint(x: 0.5, y: 0.12), width: 0.12)
      #expect(try openings([code], frames: 10).isEmpty)
    }
  }
}
