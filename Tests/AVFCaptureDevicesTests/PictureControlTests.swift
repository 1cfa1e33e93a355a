import AVFoundation
import CaptureDevice
import CaptureStage
import Testing

extension DeviceSuites {
  @Suite("Controls of the picture")
  struct PictureControls {
    @Test
    func `low-light boost is allowed by the client and used by the camera`() throws {
      let stage = try ControlStage()
      let device = stage.device
      #expect(device.isLowLightBoostSupported && !device.automaticallyEnablesLowLightBoostWhenAvailable)
      let boosted = ObservedValues(device, \.isLowLightBoostEnabled)
      stage.session.startRunning()
      try stage.configure { $0.automaticallyEnablesLowLightBoostWhenAvailable = true }
      #expect(device.automaticallyEnablesLowLightBoostWhenAvailable && !device.isLowLightBoostEnabled)
      for _ in 0..<3 { stage.camera.streamFrame() }
      stage.camera.measure { $0.isLowLightBoosted = true }
      stage.camera.streamFrame()
      #expect(device.isLowLightBoostEnabled && boosted.wait() == [true])
      let plain = try ControlStage { $0.hasLowLightBoost = false }
      try plain.configure { _ in
        #expect(plain.mistakes { $0.automaticallyEnablesLowLightBoostWhenAvailable = true } == 1)
      }
    }

    @Test
    func `global tone mapping needs a format that has it, and ends with another format`() throws {
      let stage = try ControlStage()
      let device = stage.device
      #expect(device.activeFormat.isGlobalToneMappingSupported && !device.isGlobalToneMappingEnabled)
      let reported = ObservedValues(device, \.isGlobalToneMappingEnabled)
      try stage.configure { device in
        device.isGlobalToneMappingEnabled = true
        #expect(device.isGlobalToneMappingEnabled)
        device.activeFormat = try #require(device.formats.first { $0 !== device.activeFormat })
      }
      #expect(!device.isGlobalToneMappingEnabled && reported.values == [true, false])
      let plain = try ControlStage { $0.hasGlobalToneMapping = false }
      try plain.configure { _ in
        #expect(plain.mistakes { $0.isGlobalToneMappingEnabled = false } == 0)
        #expect(plain.mistakes { $0.isGlobalToneMappingEnabled = true } == 1)
      }
    }

    @Test
    func `another format resets the zoom and reports the new limit`() throws {
      let stage = try ControlStage()
      let device = stage.device
      let rich = try #require(device.formats.first { $0.videoMaxZoomFactor == 8 })
      let plain = try #require(device.formats.first { $0.videoMaxZoomFactor == 4 })
      try stage.configure { device in
        device.activeFormat = rich
        device.videoZoomFactor = 6
        let zoom = ObservedValues(device, \.videoZoomFactor),
          most = ObservedValues(device, \.maxAvailableVideoZoomFactor)
        device.activeFormat = plain
        #expect(device.videoZoomFactor == 1 && device.maxAvailableVideoZoomFactor == 4)
        #expect(zoom.values == [1] && most.values == [4])
      }
    }

    @Test
    func `distortion correction is the camera's`() throws {
      let stage = try ControlStage()
      #expect(stage.device.isGeometricDistortionCorrectionSupported)
      #expect(stage.device.isGeometricDistortionCorrectionEnabled)
      let reported = ObservedValues(stage.device, \.isGeometricDistortionCorrectionEnabled)
      try stage.configure { $0.isGeometricDistortionCorrectionEnabled = false }
      #expect(!stage.device.isGeometricDistortionCorrectionEnabled && reported.values == [false])
      let plain = try ControlStage { $0.hasDistortionCorrection = false }
      #expect(!plain.device.isGeometricDistortionCorrectionSupported)
      #expect(!plain.device.isGeometricDistortionCorrectionEnabled)
      try plain.configure { _ in
        #expect(plain.mistakes { $0.isGeometricDistortionCorrectionEnabled = true } == 1)
      }
    }

    /// Apple: while automaticallyAdjustsVideoHDREnabled, which is the default, the device turns video HDR on where it is a good
    /// fit for the active format.
    ///
    /// Which formats these are is left open; here it is every one that supports it.
    @Test
    func `HDR is on wherever the format has it until the client takes it`() throws {
      let stage = try ControlStage()
      let device = stage.device
      let rich = try #require(device.formats.first { $0.isVideoHDRSupported })
      let plain = try #require(device.formats.first { !$0.isVideoHDRSupported })
      let reported = ObservedValues(device, \.isVideoHDREnabled)
      #expect(device.automaticallyAdjustsVideoHDREnabled && !device.isVideoHDREnabled)
      try stage.configure { device in
        device.activeFormat = rich
        #expect(device.isVideoHDREnabled)
        #expect(stage.mistakes { $0.isVideoHDREnabled = false } == 1)
        device.automaticallyAdjustsVideoHDREnabled = false
        #expect(device.isVideoHDREnabled)
        device.isVideoHDREnabled = false
        device.activeFormat = plain
        #expect(stage.mistakes { $0.isVideoHDREnabled = true } == 1)
        device.activeFormat = rich
        #expect(!device.isVideoHDREnabled)
        device.isVideoHDREnabled = true
        device.activeFormat = plain
        #expect(!device.isVideoHDREnabled)
        device.activeFormat = rich
        device.automaticallyAdjustsVideoHDREnabled = true
        #expect(device.isVideoHDREnabled)
        device.activeFormat = plain
      }
      #expect(reported.values == [true, false, true, false, true, false])
      let simulated = SessionStage()
      let camera = try simulated.camera()
      #expect(!camera.isVideoHDREnabled)
      try simulated.addCamera()
      #expect(camera.isVideoHDREnabled && camera.activeFormat.isVideoHDRSupported)
    }

    @Test
    func `a great change of the scene is reported while it is watched, under both names`() throws {
      let stage = try ControlStage()
      let device = stage.device
      #expect(!device.isSubjectAreaChangeMonitoringEnabled)
      #expect(
        Notification.Name.AVCaptureDeviceSubjectAreaDidChange
          == AVCaptureDevice.subjectAreaDidChangeNotification)
      let reported = NotificationCount(.AVCaptureDeviceSubjectAreaDidChange, of: device)
      stage.session.startRunning()
      stage.camera.measure { $0.sceneChanges = 1 }
      stage.camera.streamFrame()
      try stage.configure { $0.isSubjectAreaChangeMonitoringEnabled = true }
      for _ in 0..<3 { stage.camera.streamFrame() }
      stage.camera.measure { $0.sceneChanges = 2 }
      stage.camera.streamFrame()
      stage.camera.streamFrame()
      #expect(reported.wait(1) == 1)
      stage.camera.measure { $0.sceneChanges = 3 }
      stage.camera.streamFrame()
      #expect(reported.wait(2) == 2)
      let blind = try ControlStage { $0.monitorsScene = false }
      try blind.configure { device in
        device.isSubjectAreaChangeMonitoringEnabled = true
        #expect(!device.isSubjectAreaChangeMonitoringEnabled && blind.camera.applied.isEmpty)
      }
    }

    @Test
    func `a format says how auto focus works`() throws {
      #expect(try ControlStage().device.activeFormat.autoFocusSystem == .phaseDetection)
      #expect(try ControlStage { $0.focusSystem = .none }.device.activeFormat.autoFocusSystem == .none)
    }
  }
}
