import AVFoundation
import CaptureDevice
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// The example `QRGate`, whose source is part of these tests as it stands.
  @Suite("The example QRGate")
  struct QRGateTests {
    /// What the gate lets in within `frames` frames, before a wall with codes.
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

    @Test func `a code that the screen does not show stays outside`() throws {
      // The sensor lies on its side: what is above in its picture is beside the screen.
      let code = try CodeStage.code("stay out", at: CGPoint(x: 0.5, y: 0.12), width: 0.12)
      #expect(try openings([code], frames: 10).isEmpty)
    }
  }
}
