import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureDevice.RotationCoordinator")
  struct RotationCoordinatorTests {
    @Test(arguments: [(0, 90, 90), (90, 180, 0), (180, 270, 270), (270, 0, 180)])
    func `what is captured follows the machine`(turn: Int, back: CGFloat, front: CGFloat) throws {
      let stage = SessionStage()
      stage.provider.machine.hold(turnedBy: turn)
      for (model, angle) in [(SessionStage.back, back), (SessionStage.front, front)] {
        let early = AVCaptureDevice.RotationCoordinator(device: try stage.camera(model), previewLayer: nil)
        #expect(early.videoRotationAngleForHorizonLevelCapture == angle)
        #expect(early.videoRotationAngleForHorizonLevelPreview == 0, "there is no preview")
        stage.provider.machine.hold(turnedBy: 0)
        #expect(early.videoRotationAngleForHorizonLevelCapture == 90)
        stage.provider.machine.hold(turnedBy: turn)
        #expect(early.videoRotationAngleForHorizonLevelCapture == angle)
      }
    }

    @Test func `a camera on a cable is upright however the machine is held`() throws {
      let stage = SessionStage(devices: [SimulatedDeviceModel.webcam])
      let coordinator = AVCaptureDevice.RotationCoordinator(
        device: try stage.camera(SimulatedDeviceModel.webcam), previewLayer: nil)
      stage.provider.machine.hold(turnedBy: 90)
      #expect(coordinator.videoRotationAngleForHorizonLevelCapture == 0)
    }

    @Test func `what is previewed follows the screen`() throws {
      let stage = SessionStage()
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      let coordinator = AVCaptureDevice.RotationCoordinator(device: try stage.camera(), previewLayer: layer)
      #expect(coordinator.previewLayer === layer)
      #expect(coordinator.videoRotationAngleForHorizonLevelPreview == 90)
      stage.provider.machine.hold(turnedBy: 270)
      #expect(coordinator.videoRotationAngleForHorizonLevelPreview == 90, "the screen turns with the machine")
      #expect(coordinator.videoRotationAngleForHorizonLevelCapture == 0)
      layer.screenRotationAngle = 90
      #expect(coordinator.videoRotationAngleForHorizonLevelPreview == 0, "the desktop has turned back")
      layer.screenRotationAngle = -90
      #expect(layer.screenRotationAngle == 270)
      #expect(coordinator.videoRotationAngleForHorizonLevelPreview == 180)
    }

    @Test func `both angles are reported on the main queue`() async throws {
      let stage = SessionStage()
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      let coordinator = AVCaptureDevice.RotationCoordinator(device: try stage.camera(), previewLayer: layer)
      let reported = Locked<[String]>([])
      let observations = [
        coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: [.old, .new]) { _, change in
          dispatchPrecondition(condition: .onQueue(.main))
          reported.withLock { $0.append("capture \(change.oldValue ?? -1) \(change.newValue ?? -1)") }
        },
        coordinator.observe(\.videoRotationAngleForHorizonLevelPreview, options: .new) { _, change in
          dispatchPrecondition(condition: .onQueue(.main))
          reported.withLock { $0.append("preview \(change.newValue ?? -1)") }
        },
      ]
      stage.provider.machine.hold(turnedBy: 180)
      stage.provider.machine.hold(turnedBy: 180)
      layer.screenRotationAngle = 180
      await MainActor.run {}
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
      #expect(reported.withLock { $0 } == ["capture 90.0 270.0", "preview 270.0"])
      withExtendedLifetime(observations) {}
    }

    @Test func `the coordinator holds neither device nor layer, and lets the machine go`() throws {
      let stage = SessionStage()
      weak var coordinator: AVCaptureDevice.RotationCoordinator?
      do {
        var layer: AVCaptureVideoPreviewLayer? = AVCaptureVideoPreviewLayer()
        let kept = AVCaptureDevice.RotationCoordinator(device: try stage.camera(), previewLayer: layer)
        coordinator = kept
        layer = nil
        #expect(kept.previewLayer == nil)
      }
      #expect(coordinator == nil)
      stage.provider.machine.hold(turnedBy: 90)
    }

    @Test func `angles fit the connections they are for`() throws {
      let stage = SessionStage()
      try stage.addCamera(SessionStage.front)
      let connection = try #require(stage.session.outputs[0].connection(with: .video))
      let coordinator = AVCaptureDevice.RotationCoordinator(
        device: try stage.camera(SessionStage.front), previewLayer: nil)
      for turn in [0, 90, 180, 270] {
        stage.provider.machine.hold(turnedBy: turn)
        let angle = coordinator.videoRotationAngleForHorizonLevelCapture
        #expect(connection.isVideoRotationAngleSupported(angle))
        connection.videoRotationAngle = angle
        #expect(connection.videoOrientation == OrientationTable.holdings[turn])
      }
    }
  }
}
