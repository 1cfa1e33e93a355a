import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import PeopleFinding
import SimulatedDevices
import Testing

private let hasFaces = ModelFolder.current.obstacle(to: .faces) == nil

extension DeviceSuites {
  /// Tests of who switches Center Stage on, and what keeps it from being active.
  @Suite struct CenterStageControlTests {
    private func restore() {
      AVCaptureDevice.centerStageControlMode = .user
      SimulatedDevices.setVideoEffects(nil)
    }

    private func choose(_ isOn: Bool) {
      var choices = VideoEffectChoices.standard
      choices[.centerStage].isOn = isOn
      SimulatedDevices.setVideoEffects(choices)
    }

    @Test func `the user decides at first, then the program alone, then both, and observers hear of it`()
      throws
    {
      let rig = try CaptureRig()
      defer { restore() }
      let heard = Locked<[Bool]>([])
      let observation = AVCaptureDevice.observe(\.isCenterStageEnabled, options: .new) { _, change in
        if let value = change.newValue { heard.withLock { $0.append(value) } }
      }
      defer { observation.invalidate() }
      #expect(AVCaptureDevice.centerStageControlMode == .user && !AVCaptureDevice.isCenterStageEnabled)
      #expect(ProgrammingMistake.collect { AVCaptureDevice.isCenterStageEnabled = true }.count == 1)
      #expect(!AVCaptureDevice.isCenterStageEnabled)
      choose(true)
      #expect(AVCaptureDevice.isCenterStageEnabled && heard.withLock { $0 } == [true])

      AVCaptureDevice.centerStageControlMode = .app
      #expect(AVCaptureDevice.isCenterStageEnabled, "it stays as it is")
      choose(false)
      #expect(AVCaptureDevice.isCenterStageEnabled, "the user's switch has no effect")
      AVCaptureDevice.isCenterStageEnabled = false
      AVCaptureDevice.isCenterStageEnabled = true
      #expect(AVCaptureDevice.isCenterStageEnabled && heard.withLock { $0 } == [true, false, true])
      AVCaptureDevice.centerStageControlMode = .user
      #expect(!AVCaptureDevice.isCenterStageEnabled, "the user's choice is back")

      AVCaptureDevice.centerStageControlMode = .cooperative
      AVCaptureDevice.isCenterStageEnabled = true
      #expect(AVCaptureDevice.isCenterStageEnabled)
      #expect(VideoEffectPreferences.choice(of: .centerStage).isOn, "it is the user's choice now")
      choose(false)
      #expect(!AVCaptureDevice.isCenterStageEnabled)
      #expect(heard.withLock { $0 } == [true, false, true, false, true, false])
      #expect(AVCaptureDevice.CenterStageControlMode(rawValue: 1) == .app)
      withExtendedLifetime(rig) {}
    }

    @Test func `a camera of formats without it has neither it nor a rectangle, and the whole range of zoom`()
      throws
    {
      var model = SimulatedDeviceModel.camera()
      for index in model.facts.formats.indices {
        // Faster than what can be drawn into.
        model.facts.formats[index].frameDurations = [FrameDuration(1, 90)...FrameDuration(1, 60)]
      }
      let rig = try CaptureRig(model)
      defer { restore() }
      choose(true)
      let (device, format) = (rig.device, rig.device.activeFormat)
      #expect(AVCaptureDevice.isCenterStageEnabled && !device.isCenterStageActive)
      #expect(!format.isCenterStageSupported && format.videoFrameRateRangeForCenterStage == nil)
      #expect(format.videoMinZoomFactorForCenterStage == 1)
      #expect(format.videoMaxZoomFactorForCenterStage == format.videoMaxZoomFactor)
      #expect(device.maxAvailableVideoZoomFactor == format.videoMaxZoomFactor)
      #expect(!device.isCenterStageRectOfInterestSupported)
      try device.lockForConfiguration()
      defer { device.unlockForConfiguration() }
      let rect = CGRect(x: 0, y: 0, width: 0.5, height: 1)
      #expect(ProgrammingMistake.collect { device.centerStageRectOfInterest = rect }.count == 1)
    }

    @Test(.enabled(if: hasFaces, "there are no models here; run scripts/setup --models"))
    func `it is not active while depth is delivered`() throws {
      let stage = try DepthStage()
      defer { restore() }
      choose(true)
      let active = ObservedValues(stage.device, \.isCenterStageActive)
      let device = stage.device
      #expect(AVCaptureDevice.isCenterStageEnabled && !device.isCenterStageActive)
      let connection = try #require(stage.output.connection(with: .depthData))
      connection.isEnabled = false
      #expect(device.isCenterStageActive)
      connection.isEnabled = true
      #expect(!device.isCenterStageActive)
      stage.session.removeOutput(stage.output)
      #expect(device.isCenterStageActive)
      stage.session.addOutput(stage.output)
      #expect(!device.isCenterStageActive)
      for input in stage.session.inputs { stage.session.removeInput(input) }
      #expect(device.isCenterStageActive, "no session delivers its depth")
      #expect(active.wait(5) == [true, false, true, false, true])
    }

    @Test(.enabled(if: hasFaces, "there are no models here; run scripts/setup --models"))
    func `it is not active while the lens's bending is not taken back`() throws {
      let stage = try ControlStage()
      defer { restore() }
      choose(true)
      let active = ObservedValues(stage.device, \.isCenterStageActive)
      #expect(stage.device.isCenterStageActive)
      try stage.configure { $0.isGeometricDistortionCorrectionEnabled = false }
      #expect(!stage.device.isCenterStageActive)
      try stage.configure { $0.isGeometricDistortionCorrectionEnabled = true }
      #expect(stage.device.isCenterStageActive && active.values == [false, true])
      let plain = try ControlStage { $0.hasDistortionCorrection = false }
      #expect(plain.device.isCenterStageActive)
    }
  }
}
