import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Focus and exposure that prefer faces")
  struct FaceDrivenTests {
    /// A near face at the left, a dark one, before a far and light wall.
    private func rig(faceVisible: Bool = true) throws -> CaptureRig {
      var face = SceneLayer(
        .color(red: 0.1, green: 0.1, blue: 0.1), center: CGPoint(x: 0.2, y: 0.5), width: 0.2, depth: 0.5)
      face.isFace = true
      let scene = Scene(
        isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.7, green: 0.7, blue: 0.7), depth: 5),
        layers: faceVisible ? [face] : [])
      let rig = try CaptureRig(.camera(), scene: scene)
      rig.session.addOutput(AVCaptureVideoDataOutput())
      return rig
    }

    private func configure(_ device: AVCaptureDevice, _ body: (AVCaptureDevice) -> Void) throws {
      try device.lockForConfiguration()
      body(device)
      device.unlockForConfiguration()
    }

    /// Of what the lens is sharp at, in metres: the simulated lens is linear in dioptres down to 15 cm.
    private func sharpDistance(_ device: AVCaptureDevice) -> Double {
      let nearest = Double(device.minimumFocusDistance) / 1000
      return nearest / max(1 - Double(device.lensPosition), 1e-6)
    }

    @Test func `focus goes to a face in view, and to its point when faces are switched off`() throws {
      let rig = try rig()
      let device = rig.input.device
      #expect(device.automaticallyAdjustsFaceDrivenAutoFocusEnabled && device.isFaceDrivenAutoFocusEnabled)
      rig.session.startRunning()
      rig.advance(frames: 10)
      #expect(abs(sharpDistance(device) - 0.5) < 0.05)
      try configure(device) { device in
        device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false
        device.isFaceDrivenAutoFocusEnabled = false
      }
      rig.advance(frames: 10)
      #expect(abs(sharpDistance(device) - 0.5) < 0.05, "until the mode is set")
      try configure(device) { $0.focusMode = .continuousAutoFocus }
      rig.advance(frames: 20)
      #expect(!device.isFaceDrivenAutoFocusEnabled)
      #expect(abs(sharpDistance(device) - 5) < 1)
    }

    @Test func `a dark face is exposed brighter than the wall behind it`() throws {
      let rig = try rig()
      let device = rig.input.device
      #expect(
        device.automaticallyAdjustsFaceDrivenAutoExposureEnabled && device.isFaceDrivenAutoExposureEnabled)
      rig.session.startRunning()
      func product() -> Double { device.exposureDuration.seconds * Double(device.iso) }
      rig.advance(frames: 15)
      let forFace = product()
      try configure(device) { device in
        device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = false
        device.isFaceDrivenAutoExposureEnabled = false
        device.exposureMode = .continuousAutoExposure
      }
      rig.advance(frames: 15)
      #expect(forFace > 1.5 * product())
    }

    @Test func `without a face in view nothing changes`() throws {
      let rig = try rig(faceVisible: false)
      rig.session.startRunning()
      rig.advance(frames: 10)
      #expect(abs(sharpDistance(rig.input.device) - 5) < 1)
    }

    @Test func `the system decides until that is switched off, and observers are notified`() throws {
      let stage = try ControlStage()
      let device = stage.device
      #expect(device.automaticallyAdjustsFaceDrivenAutoFocusEnabled)
      try stage.configure { device in
        #expect(stage.mistakes { $0.isFaceDrivenAutoFocusEnabled = true } == 1)
        #expect(stage.mistakes { $0.isFaceDrivenAutoExposureEnabled = true } == 1)
        device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false
        device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = false
        device.isFaceDrivenAutoFocusEnabled = true
        device.isFaceDrivenAutoExposureEnabled = true
        device.isFaceDrivenAutoFocusEnabled = false
        device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = true
      }
      #expect(
        stage.camera.applied == [.faceFocus(true), .faceExposure(true), .faceFocus(false), .faceFocus(true)])
      #expect(device.isFaceDrivenAutoFocusEnabled && device.isFaceDrivenAutoExposureEnabled)
      #expect(!device.automaticallyAdjustsFaceDrivenAutoExposureEnabled)
    }

    @Test func `a camera that does not know faces says no, and setting is a mistake`() throws {
      let plain = try ControlStage {
        $0.hasFaceFocus = false
        $0.hasFaceExposure = false
      }
      #expect(!plain.device.automaticallyAdjustsFaceDrivenAutoFocusEnabled)
      #expect(!plain.device.automaticallyAdjustsFaceDrivenAutoExposureEnabled)
      #expect(!plain.device.isFaceDrivenAutoFocusEnabled && !plain.device.isFaceDrivenAutoExposureEnabled)
      try plain.configure { _ in
        #expect(plain.mistakes { $0.isFaceDrivenAutoFocusEnabled = true } == 1)
        #expect(plain.mistakes { $0.isFaceDrivenAutoExposureEnabled = true } == 1)
        #expect(plain.mistakes { $0.automaticallyAdjustsFaceDrivenAutoFocusEnabled = true } == 1)
        #expect(plain.mistakes { $0.automaticallyAdjustsFaceDrivenAutoExposureEnabled = false } == 1)
      }
    }

    @Test func `a scene file says what is a face`() throws {
      let json = #"""
        {"version": 1, "layers": [{"nod": {"near": 0.4, "far": 0.6}, "face": true}, {"nod": {"near": 1, "far": 2}}]}
        """#
      let scene = try Scene(json: Data(json.utf8), name: "test", folder: URL(fileURLWithPath: "/"))
      #expect(scene.layers.map(\.isFace) == [true, false])
    }
  }
}
