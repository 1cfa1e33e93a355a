import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Virtual devices")
  struct VirtualDevices {
    @Test
    func `the dual camera sees by the wide lens, and from twice the zoom on by the telephoto`() throws {
      let phone = try PhoneStage(.builtInDualCamera)
      phone.session.startRunning()
      #expect(try phone.camera() == .builtInWideAngleCamera)
      #expect(try phone.camera { $0.videoZoomFactor = 1.9 } == .builtInWideAngleCamera)
      #expect(try phone.camera { $0.videoZoomFactor = 2.5 } == .builtInTelephotoCamera)
      #expect(try phone.camera { $0.videoZoomFactor = 1 } == .builtInWideAngleCamera)
    }

    @Test
    func `the older names of the dual camera and its zoom factor are understood`() throws {
      let phone = try PhoneStage(.builtInDuoCamera)
      #expect(phone.device.deviceType == .builtInDualCamera)
      #expect(phone.device.dualCameraSwitchOverVideoZoomFactor == 2)
      let wide = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
      #expect(wide.dualCameraSwitchOverVideoZoomFactor == 1)
    }

    @Test
    func `its cameras see from one place, and those of two sides from places that are not known`() throws {
      let phone = try PhoneStage()
      let cameras = phone.device.constituentDevices
      let matrix = try #require(AVCaptureDevice.extrinsicMatrix(from: cameras[0], to: cameras[1]))
      #expect(matrix.count == MemoryLayout<matrix_float4x3>.size)
      let pose = matrix.withUnsafeBytes { $0.loadUnaligned(as: matrix_float4x3.self) }
      #expect(pose.columns.0 == SIMD3(1, 0, 0) && pose.columns.1 == SIMD3(0, 1, 0))
      #expect(pose.columns.2 == SIMD3(0, 0, 1) && pose.columns.3 == .zero)
      let front = try #require(
        AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
      #expect(AVCaptureDevice.extrinsicMatrix(from: cameras[0], to: front) == nil)
      #expect(AVCaptureDevice.extrinsicMatrix(from: front, to: front) == nil)
    }

    @Test
    func `a recording has a choice of cameras of its own, and gives the device's back`() throws {
      let phone = try PhoneStage()
      let output = AVCaptureMovieFileOutput(), log = RecordingLog()
      #expect(!output.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled)
      phone.session.addOutput(output)
      #expect(output.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled)
      #expect(output.primaryConstituentDeviceSwitchingBehaviorForRecording == .restricted)
      #expect(
        output.primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording == [
          .videoZoomChanged, .focusModeChanged, .exposureModeChanged,
        ])
      let mistakes = ProgrammingMistake.collect {
        output.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
          .auto, restrictedSwitchingBehaviorConditions: .videoZoomChanged)
      }
      #expect(mistakes.count == 1)
      output.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
        .locked, restrictedSwitchingBehaviorConditions: [])
      phone.session.startRunning()
      #expect(try phone.camera { $0.videoZoomFactor = 3 } == .builtInWideAngleCamera)
      let told = ObservedValues(phone.device, \.activePrimaryConstituentDeviceSwitchingBehavior)
      let own = ObservedValues(phone.device, \.primaryConstituentDeviceSwitchingBehavior)
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mov")
      defer { try? FileManager.default.removeItem(at: url) }
      output.startRecording(to: url, recordingDelegate: log)
      // Zoom alone would go to the telephoto.
      #expect(try phone.camera { $0.videoZoomFactor = 6 } == .builtInWideAngleCamera)
      #expect(phone.device.activePrimaryConstituentDeviceSwitchingBehavior == .locked)
      #expect(phone.device.primaryConstituentDeviceSwitchingBehavior == .auto)
      output.stopRecording()
      #expect(log.wait(for: "finished \(url.lastPathComponent)"))
      #expect(try phone.camera() == .builtInTelephotoCamera)
      #expect(phone.device.activePrimaryConstituentDeviceSwitchingBehavior == .auto)
      #expect(told.values == [.locked, .auto] && own.values.isEmpty)
    }

    @Test
    func `a photo says the type of the camera whose lens took it`() throws {
      let phone = try PhoneStage()
      let output = AVCapturePhotoOutput(), photographer = RecordingPhotoDelegate()
      phone.session.addOutput(output)
      phone.session.startRunning()
      for (index, zoom) in [1.0, 3, 5].enumerated() {
        _ = try phone.camera { $0.videoZoomFactor = zoom }
        output.capturePhoto(
          with: AVCapturePhotoSettings(format: [
            kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
          ]), delegate: photographer)
        for _ in 0..<3 { phone.clock.advance(by: .nanoseconds(33_333_334)) }
        #expect(photographer.wait(for: index + 1))
      }
      #expect(
        photographer.photos.withLock { $0.map(\.sourceDeviceType) } == [
          .builtInUltraWideCamera, .builtInWideAngleCamera, .builtInTelephotoCamera,
        ])
      #expect(phone.device.deviceType == .builtInTripleCamera)
    }

    @Test
    func `zoom goes from lens to lens at the factors, and observers hear of it`() throws {
      let phone = try PhoneStage()
      let device = phone.device
      let reported = ObservedValues(device, \.activePrimaryConstituent)
      #expect(device.activePrimaryConstituent == nil)
      #expect(device.virtualDeviceSwitchOverVideoZoomFactors == [2, 4])
      phone.session.startRunning()
      var seen: [AVCaptureDevice.DeviceType?] = []
      for zoom: CGFloat in [1, 1.99, 2, 3.9, 4, 8, 3, 1] {
        seen.append(try phone.camera { $0.videoZoomFactor = zoom })
      }
      let (ultraWide, wide) = (
        AVCaptureDevice.DeviceType.builtInUltraWideCamera, AVCaptureDevice.DeviceType.builtInWideAngleCamera
      )
      let telephoto = AVCaptureDevice.DeviceType.builtInTelephotoCamera
      #expect(seen == [ultraWide, ultraWide, wide, wide, telephoto, telephoto, wide, ultraWide])
      #expect(reported.wait(5).map { $0?.deviceType } == [ultraWide, wide, telephoto, wide, ultraWide])
      let isOneOfItsOwn = device.constituentDevices.contains { $0 === device.activePrimaryConstituent }
      #expect(isOneOfItsOwn)
    }

    @Test
    func `a locked device stays with its lens, and a wider zoom factor becomes the least that it has`() throws
    {
      let phone = try PhoneStage()
      let device = phone.device
      phone.session.startRunning()
      #expect(try phone.camera { $0.videoZoomFactor = 2.5 } == .builtInWideAngleCamera)
      let least = ObservedValues(device, \.minAvailableVideoZoomFactor)
      let behaviors = ObservedValues(device, \.primaryConstituentDeviceSwitchingBehavior)
      let locked = try phone.camera {
        $0.setPrimaryConstituentDeviceSwitchingBehavior(.locked, restrictedSwitchingBehaviorConditions: [])
        #expect($0.primaryConstituentDeviceSwitchingBehavior == .locked)
      }
      #expect(locked == .builtInWideAngleCamera)
      #expect(device.minAvailableVideoZoomFactor == 2 && least.values == [2])
      #expect(device.activePrimaryConstituentDeviceSwitchingBehavior == .locked)
      for zoom: CGFloat in [4, 8, 2] {
        #expect(try phone.camera { $0.videoZoomFactor = zoom } == .builtInWideAngleCamera)
        #expect(device.videoZoomFactor == zoom)
      }
      // Apple: from 1 on, what is below minAvailableVideoZoomFactor becomes that; below 1 is an exception.
      _ = try phone.camera { $0.videoZoomFactor = 4 }
      let mistakes = try device.configured { device in
        ProgrammingMistake.collect { device.videoZoomFactor = 1.5 }.count
      }
      #expect(mistakes == 0 && device.videoZoomFactor == 2)
      let tooWide = try device.configured { device in
        ProgrammingMistake.collect { device.videoZoomFactor = 0.9 }.count
      }
      #expect(tooWide == 1 && device.videoZoomFactor == 2)
      let free = try phone.camera {
        $0.setPrimaryConstituentDeviceSwitchingBehavior(.auto, restrictedSwitchingBehaviorConditions: [])
        $0.videoZoomFactor = 1
      }
      #expect(free == .builtInUltraWideCamera)
      #expect(least.values == [2, 1] && behaviors.values == [.locked, .auto])
    }

    @Test
    func `a thing too near for the long lens is taken with one that may be fallen back to`() throws {
      let phone = try PhoneStage(wallAt: 0.3)
      let device = phone.device
      let supported = device.supportedFallbackPrimaryConstituentDevices
      #expect(supported.map(\.deviceType) == [.builtInUltraWideCamera, .builtInWideAngleCamera])
      #expect(device.fallbackPrimaryConstituentDevices == supported)
      phone.session.startRunning()
      #expect(try phone.camera { $0.videoZoomFactor = 4 } == .builtInWideAngleCamera)
      let reported = ObservedValues(device, \.fallbackPrimaryConstituentDevices)
      #expect(
        try phone.camera { $0.fallbackPrimaryConstituentDevices = [supported[0]] } == .builtInUltraWideCamera)
      #expect(try phone.camera { $0.fallbackPrimaryConstituentDevices = [] } == .builtInTelephotoCamera)
      #expect(device.fallbackPrimaryConstituentDevices.isEmpty)
      #expect(
        try phone.camera { $0.fallbackPrimaryConstituentDevices = supported } == .builtInWideAngleCamera)
      #expect(reported.values == [[supported[0]], [], supported])
      let telephoto = try #require(device.constituentDevices.last)
      let mistakes = try device.configured { device in
        ProgrammingMistake.collect { device.fallbackPrimaryConstituentDevices = [telephoto] }.count
      }
      #expect(mistakes == 1 && device.fallbackPrimaryConstituentDevices == supported)
    }

    @Test
    func `a restricted device looks at focus only when a condition occurs`() throws {
      let phone = try PhoneStage(wallAt: 0.3)
      let device = phone.device
      phone.session.startRunning()
      let start = try phone.camera {
        $0.videoZoomFactor = 4
        $0.fallbackPrimaryConstituentDevices = []
      }
      #expect(start == .builtInTelephotoCamera)
      let restricted = try phone.camera {
        $0.setPrimaryConstituentDeviceSwitchingBehavior(
          .restricted, restrictedSwitchingBehaviorConditions: [.focusModeChanged])
        $0.fallbackPrimaryConstituentDevices = $0.supportedFallbackPrimaryConstituentDevices
      }
      #expect(restricted == .builtInTelephotoCamera)
      #expect(device.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions == [.focusModeChanged])
      #expect(
        device.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions == [.focusModeChanged])
      #expect(device.activePrimaryConstituentDeviceSwitchingBehavior == .restricted)
      #expect(try phone.camera { $0.exposureMode = .continuousAutoExposure } == .builtInTelephotoCamera)
      #expect(try phone.camera { $0.videoZoomFactor = 5 } == .builtInTelephotoCamera)
      #expect(try phone.camera { $0.focusMode = .continuousAutoFocus } == .builtInWideAngleCamera)
      // Zoom's own switches need no condition.
      #expect(try phone.camera { $0.videoZoomFactor = 1 } == .builtInUltraWideCamera)
      #expect(try phone.camera { $0.videoZoomFactor = 3 } == .builtInWideAngleCamera)
    }

    @Test(arguments: [
      AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions.videoZoomChanged,
      .exposureModeChanged,
    ])
    func `zoom and exposure are conditions too`(
      condition: AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    ) throws {
      let phone = try PhoneStage(wallAt: 0.3)
      phone.session.startRunning()
      _ = try phone.camera {
        $0.videoZoomFactor = 4
        $0.fallbackPrimaryConstituentDevices = []
      }
      let restricted = try phone.camera {
        $0.setPrimaryConstituentDeviceSwitchingBehavior(
          .restricted, restrictedSwitchingBehaviorConditions: condition)
        $0.fallbackPrimaryConstituentDevices = $0.supportedFallbackPrimaryConstituentDevices
      }
      #expect(restricted == .builtInTelephotoCamera)
      #expect(try phone.camera { $0.focusMode = .continuousAutoFocus } == .builtInTelephotoCamera)
      let after = try phone.camera {
        if condition == .videoZoomChanged { $0.videoZoomFactor = 4.5 } else { $0.exposureMode = .locked }
      }
      #expect(after == .builtInWideAngleCamera)
    }

    @Test
    func `what a virtual device cannot do is a mistake`() throws {
      let stage = try ControlStage(lenses: 2) { $0.switchOverZooms = [2] }
      #expect(stage.device.primaryConstituentDeviceSwitchingBehavior == .auto)
      #expect(stage.device.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions.isEmpty)
      let set = {
        (device: AVCaptureDevice, behavior: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior) in
        device.setPrimaryConstituentDeviceSwitchingBehavior(
          behavior, restrictedSwitchingBehaviorConditions: .videoZoomChanged)
      }
      #expect(stage.mistakes { set($0, .restricted) } == 1)
      #expect(stage.mistakes { $0.fallbackPrimaryConstituentDevices = [] } == 1)
      try stage.configure { _ in
        #expect(stage.mistakes { set($0, .auto) } == 1)
        #expect(stage.mistakes { set($0, .locked) } == 1)
        let none = stage.mistakes {
          $0.setPrimaryConstituentDeviceSwitchingBehavior(
            .unsupported, restrictedSwitchingBehaviorConditions: [])
        }
        #expect(none == 1)
        #expect(stage.mistakes { $0.fallbackPrimaryConstituentDevices = [$0] } == 1)
      }
      #expect(stage.device.primaryConstituentDeviceSwitchingBehavior == .auto)
      try stage.configure { set($0, .restricted) }
      #expect(stage.camera.applied == [.constituentChoice(.restricted(.zoomChanged))])
    }

    /// Apple: such devices support no custom exposure and no manual exposure bracketing, and lock focus and white balance at the
    /// current lens position and gains alone.
    @Test
    func `a virtual device takes no exposure, lens position, gains or manual bracket of the client's`() throws
    {
      let stage = try ControlStage(lenses: 2) { $0.exposesStillsApart = true }
      let device = stage.device
      #expect(!device.isExposureModeSupported(.custom) && device.isExposureModeSupported(.locked))
      #expect(!device.isLockingFocusWithCustomLensPositionSupported)
      #expect(!device.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
      let gains = AVCaptureDevice.WhiteBalanceGains(redGain: 2, greenGain: 1, blueGain: 1)
      try stage.configure { device in
        #expect(stage.mistakes { $0.exposureMode = .custom } == 1)
        #expect(
          stage.mistakes { $0.setExposureModeCustom(duration: CMTime(value: 1, timescale: 100), iso: 100) }
            == 1)
        #expect(stage.mistakes { $0.setFocusModeLocked(lensPosition: 0.5) } == 1)
        #expect(stage.mistakes { $0.setWhiteBalanceModeLocked(with: gains) } == 1)
        device.setFocusModeLocked(lensPosition: AVCaptureDevice.currentLensPosition)
        device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains)
        #expect(stage.camera.applied == [.focusMode(.locked), .whiteBalanceMode(.locked)])
      }
      let output = AVCapturePhotoOutput(), delegate = RecordingPhotoDelegate()
      stage.session.addOutput(output)
      stage.session.startRunning()
      func mistakes(_ exposure: AVCaptureBracketedStillImageSettings) -> Int {
        ProgrammingMistake.collect {
          output.capturePhoto(
            with: AVCapturePhotoBracketSettings(
              rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: [exposure, exposure]),
            delegate: delegate)
        }.count
      }
      let duration = CMTime(value: 1, timescale: 100)
      #expect(
        mistakes(
          AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
            exposureDuration: duration, iso: 100)) == 1)
      #expect(
        mistakes(
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 1)) == 0)
    }

    /// Apple: the value is 0 for virtual devices and external cameras.
    @Test
    func `the nominal focal length is that of a camera built in, and 0 for others`() throws {
      #expect(try ControlStage().device.nominalFocalLengthIn35mmFilm == 26)
      #expect(try ControlStage(lenses: 2).device.nominalFocalLengthIn35mmFilm == 0)
      var external = SimulatedDeviceModel.camera(uniqueID: "stage.external")
      external.facts.kind = .externalCamera
      let stage = SessionStage(devices: [external])
      #expect(external.facts.lens != nil)
      #expect(try stage.camera(external).nominalFocalLengthIn35mmFilm == 0)
    }

    @Test
    func `a device with one camera does not switch`() throws {
      let stage = try ControlStage()
      let device = stage.device
      stage.session.startRunning()
      stage.camera.streamFrame()
      #expect(device.activePrimaryConstituent == nil)
      #expect(device.primaryConstituentDeviceSwitchingBehavior == .unsupported)
      #expect(device.activePrimaryConstituentDeviceSwitchingBehavior == .unsupported)
      #expect(device.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions.isEmpty)
      #expect(device.supportedFallbackPrimaryConstituentDevices.isEmpty)
      #expect(device.fallbackPrimaryConstituentDevices.isEmpty)
      try stage.configure { _ in
        let mistakes = stage.mistakes {
          $0.setPrimaryConstituentDeviceSwitchingBehavior(.auto, restrictedSwitchingBehaviorConditions: [])
        }
        #expect(mistakes == 1)
        #expect(stage.mistakes { $0.fallbackPrimaryConstituentDevices = [$0] } == 1)
        #expect(stage.mistakes { $0.fallbackPrimaryConstituentDevices = [] } == 0)
      }
    }

    @Test
    func `the behaviours and conditions have Apple's numbers`() {
      typealias Behavior = AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior
      #expect([Behavior.unsupported, .auto, .restricted, .locked].map(\.rawValue) == [0, 1, 2, 3])
      typealias Conditions = AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
      #expect(
        [Conditions.videoZoomChanged, .focusModeChanged, .exposureModeChanged].map(\.rawValue) == [1, 2, 4])
    }

    @Test
    func `what a lens bends is taken back from the start where the camera can`() throws {
      let phone = try PhoneStage()
      let ultraWide = try #require(
        AVCaptureDevice.default(.builtInUltraWideCamera, for: .video, position: .back))
      let wide = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
      for device in [ultraWide, wide, phone.device] {
        let isSupported = device.isGeometricDistortionCorrectionSupported
        #expect(device.isGeometricDistortionCorrectionEnabled == isSupported)
      }
      #expect(
        ultraWide.isGeometricDistortionCorrectionSupported && !wide.isGeometricDistortionCorrectionSupported)
      phone.session.startRunning()
      _ = try phone.camera()
      #expect(phone.device.isGeometricDistortionCorrectionEnabled)
    }

    @Test
    func `a camera of this machine is no phone's and not suspended`() throws {
      let phone = try PhoneStage()
      let device = phone.device
      #expect(!device.isContinuityCamera && !device.isSuspended && device.companionDeskViewCamera == nil)
      let best = device.formats.filter(\.isHighestPhotoQualitySupported)
      #expect(!best.isEmpty && best.count < device.formats.count)
      for format in best {
        #expect(CMVideoFormatDescriptionGetDimensions(format.formatDescription).width == 4032)
      }
      phone.session.sessionPreset = .photo
      phone.session.startRunning()
      #expect(device.activeFormat.isHighestPhotoQualitySupported)
      #expect(device.activeFormat.unsupportedCaptureOutputClasses.isEmpty)
      #expect(device.activeFormat.secondaryNativeResolutionZoomFactors.isEmpty)
    }
  }
}
