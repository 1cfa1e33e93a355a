import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureDevice")
  struct DeviceTests {
    @Test
    func `one device is one object, found in the order of the types asked for`() throws {
      let stage = SessionStage(devices: SimulatedDeviceModel.builtIn)
      let search = AVCaptureDevice.DiscoverySession(
        deviceTypes: [.builtInUltraWideCamera, .builtInDualCamera, .builtInWideAngleCamera],
        mediaType: .video,
        position: .unspecified)
      #expect(
        search.devices.map(\.deviceType) == [
          .builtInUltraWideCamera, .builtInDualCamera, .builtInWideAngleCamera, .builtInWideAngleCamera,
        ])
      #expect(search.devices.map(\.position) == [.back, .back, .back, .front])
      let back = try #require(AVCaptureDevice.default(for: .video))
      #expect(back.position == .back && back.deviceType == .builtInWideAngleCamera)
      #expect(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) === back)
      #expect(AVCaptureDevice(uniqueID: back.uniqueID) === back)
      #expect(AVCaptureDevice(uniqueID: "nobody") == nil)
      let microphone = try #require(AVCaptureDevice.default(for: .audio))
      #expect(microphone.deviceType == .microphone && microphone.activeFormat.mediaType == .audio)
      let triple = try #require(AVCaptureDevice.default(.builtInTripleCamera, for: .video, position: .back))
      #expect(triple.isVirtualDevice && triple.constituentDevices.count == 3)
      #expect(triple.constituentDevices.contains { $0 === back })
      let dual = try #require(AVCaptureDevice.default(.builtInDualCamera, for: .video, position: .back))
      #expect(
        dual.constituentDevices.map(\.deviceType) == [.builtInWideAngleCamera, .builtInTelephotoCamera])
      #expect(dual.virtualDeviceSwitchOverVideoZoomFactors == [2])
      #expect(dual.displayVideoZoomFactorMultiplier == 1)
      withExtendedLifetime(stage) {}
    }

    @Test
    func `a search follows what is plugged in`() throws {
      let stage = SessionStage()
      let search = AVCaptureDevice.DiscoverySession(
        deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .unspecified)
      #expect(search.devices.count == 2)
      let counts = Monitor<[Int]>([])
      let observation = search.observe(\.devices, options: .new) { _, change in
        counts.withLock { $0.append(change.newValue?.count ?? -1) }
      }
      let simulated = try stage.simulated()
      simulated.unplug()
      simulated.plugIn()
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      let seen = counts.wait(until: deadline) {
        $0.count >= 2 || $0.last == 2
      } then: {
        $0
      }
      #expect(seen?.last == 2)
      observation.invalidate()
    }

    @Test
    func `without access there is no input`() async throws {
      let denied = SessionStage(access: .denied)
      #expect(AVCaptureDevice.authorizationStatus(for: .video) == .denied)
      #expect(await AVCaptureDevice.requestAccess(for: .video) == false)
      do {
        _ = try AVCaptureDeviceInput(device: denied.camera())
        Issue.record("made an input")
      } catch AVError.applicationIsNotAuthorizedToUseDevice {
      }
      let granted = SessionStage()
      #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
      #expect(await AVCaptureDevice.requestAccess(for: .video))
      _ = try AVCaptureDeviceInput(device: granted.camera())
      let mistakes = ProgrammingMistake.collect { _ = AVCaptureDevice.authorizationStatus(for: .depthData) }
      #expect(mistakes.count == 1)
    }

    /// Apple: the lock gives a client exclusive access to a device's hardware properties; a setter without it is an exception.
    ///
    /// The failure it can have names another process, so that the threads of one process share it.
    @Test
    func `settings change on any thread while the process holds the lock, and never without it`() throws {
      let stage = SessionStage()
      let camera = try stage.camera()
      let format = camera.activeFormat
      let other = try #require(camera.formats.first { $0 !== format })
      let withoutLock = ProgrammingMistake.collect {
        camera.activeFormat = other
        camera.exposureMode = .locked
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        camera.unlockForConfiguration()
      }
      #expect(withoutLock.count == 4)
      #expect(camera.activeFormat === format)
      try camera.lockForConfiguration()
      try camera.lockForConfiguration()
      camera.unlockForConfiguration()
      let queue = DispatchQueue(label: "another")
      queue.sync { camera.activeFormat = other }
      #expect(camera.activeFormat === other)
      try queue.sync {
        try camera.lockForConfiguration()
        camera.activeFormat = format
        camera.unlockForConfiguration()
      }
      #expect(camera.activeFormat === format)
      camera.unlockForConfiguration()
      #expect(ProgrammingMistake.collect { camera.activeFormat = other }.count == 1)
    }

    /// Apple: frame durations and global tone mapping return to their defaults when the session's preset changes and when the
    /// device's input is added to a session; the longest exposure with the preset alone.
    @Test
    func `frame durations and global tone mapping are reset by a new input and by a new preset`() throws {
      let stage = try ControlStage()
      let device = stage.device, session = stage.session
      let input = try #require(session.inputs.first), format = device.activeFormat
      let tenth = CMTime(value: 1, timescale: 10), thirtieth = CMTime(value: 1, timescale: 30)
      let reported = ObservedValues(device, \.activeVideoMinFrameDuration)
      func set() throws {
        try stage.configure { device in
          device.activeVideoMinFrameDuration = tenth
          device.isGlobalToneMappingEnabled = true
          device.activeMaxExposureDuration = CMTime(value: 1, timescale: 100)
        }
      }
      func isReset() -> Bool {
        device.activeVideoMinFrameDuration == thirtieth && device.activeVideoMaxFrameDuration == thirtieth
          && !device.isGlobalToneMappingEnabled
      }
      try set()
      session.sessionPreset = .photo
      #expect(device.activeFormat === format && isReset() && reported.values == [tenth, thirtieth])
      #expect(device.activeMaxExposureDuration == thirtieth.convertScale(1_000_000_000, method: .default))
      try set()
      session.sessionPreset = .photo
      session.removeInput(input)
      #expect(device.activeVideoMinFrameDuration == tenth && device.isGlobalToneMappingEnabled)
      session.beginConfiguration()
      session.addInput(input)
      #expect(isReset() && device.activeMaxExposureDuration == CMTime(value: 1, timescale: 100))
      try stage.configure { $0.activeVideoMinFrameDuration = tenth }
      session.commitConfiguration()
      #expect(device.activeVideoMinFrameDuration == tenth)
    }

    @Test
    func `frame durations stay in the format's ranges, and a reset returns the default`() throws {
      let stage = SessionStage()
      let camera = try stage.camera()
      #expect(camera.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 30))
      let range = try #require(camera.activeFormat.videoSupportedFrameRateRanges.first)
      #expect(range.minFrameRate == 1 && range.maxFrameRate == 60)
      #expect(range.minFrameDuration == CMTime(value: 1, timescale: 60))
      try camera.lockForConfiguration()
      let mistakes = ProgrammingMistake.collect {
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 240)
        camera.activeVideoMaxFrameDuration = CMTime(value: 2, timescale: 1)
      }
      #expect(mistakes.count == 2)
      camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
      #expect(camera.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 15))
      #expect(camera.activeVideoMaxFrameDuration == CMTime(value: 1, timescale: 15))
      camera.activeVideoMinFrameDuration = .invalid
      #expect(camera.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 30))
      camera.unlockForConfiguration()
    }

    @Test
    func `observers hear of frame durations that another setting changes`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      let camera = input.device
      let thirtieth = CMTime(value: 1, timescale: 30), tenth = CMTime(value: 1, timescale: 10)
      let shortest = ObservedValues(camera, \.activeVideoMinFrameDuration)
      let longest = ObservedValues(camera, \.activeVideoMaxFrameDuration)
      try camera.lockForConfiguration()
      camera.activeVideoMinFrameDuration = tenth
      #expect(shortest.values == [tenth] && longest.values == [tenth])
      let other = try #require(
        camera.formats.first {
          $0.formatDescription.dimensions.width != camera.activeFormat.formatDescription.dimensions.width
        })
      camera.activeFormat = other
      #expect(shortest.values == [tenth, thirtieth] && longest.values == [tenth, thirtieth])
      camera.activeVideoMinFrameDuration = tenth
      camera.activeVideoMaxFrameDuration = thirtieth
      #expect(camera.activeVideoMinFrameDuration == thirtieth)
      #expect(shortest.values.suffix(2) == [tenth, thirtieth])
      camera.activeVideoMinFrameDuration = tenth
      camera.unlockForConfiguration()
      // A preset chooses another format, and observers hear on the session's queue.
      stage.session.sessionPreset = .high
      #expect(camera.activeFormat !== other && camera.activeVideoMinFrameDuration == thirtieth)
      #expect(shortest.wait(for: thirtieth) && longest.wait(for: thirtieth))
    }

    @Test
    func `exposure follows the driver and its modes`() throws {
      var model = SimulatedDeviceModel.camera(uniqueID: "stage.back")
      model.facts.capabilities.exposureModes = [.locked, .auto, .continuousAuto]
      let stage = SessionStage(devices: [model])
      let camera = try stage.camera()
      #expect(
        camera.isExposureModeSupported(.continuousAutoExposure) && !camera.isExposureModeSupported(.custom))
      try camera.lockForConfiguration()
      camera.exposureMode = .locked
      #expect(camera.exposureMode == .locked)
      let mistakes = ProgrammingMistake.collect { camera.exposureMode = .custom }
      #expect(mistakes.count == 1)
      camera.unlockForConfiguration()
      #expect(camera.exposureDuration.isNumeric && camera.iso > 0)
      #expect(camera.lensAperture > 0)
      withExtendedLifetime(stage) {}
    }

    @Test
    func `presets are supported as far as there are formats`() throws {
      let stage = SessionStage(devices: SimulatedDeviceModel.builtIn)
      let back = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
      let front = try #require(
        AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
      #expect(back.supportsSessionPreset(.hd4K3840x2160) && !front.supportsSessionPreset(.hd4K3840x2160))
      #expect(!back.supportsSessionPreset(.cif352x288))
      stage.session.sessionPreset = .hd4K3840x2160
      #expect(!stage.session.canAddInput(try AVCaptureDeviceInput(device: front)))
      stage.session.addInput(try AVCaptureDeviceInput(device: back))
      #expect(stage.session.canSetSessionPreset(.photo) && !stage.session.canSetSessionPreset(.cif352x288))
      #expect(!stage.session.canSetSessionPreset(AVCaptureSession.Preset(rawValue: "nonsense")))
    }
  }
}
