import AVFoundation
import CaptureDevice
import CaptureStage
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Torch and flash mode")
  struct Lamp {
    @Test
    func `the torch is lit and put out`() throws {
      let stage = try ControlStage()
      let device = stage.device
      #expect(device.hasTorch && device.isTorchAvailable && !device.isTorchActive && device.torchMode == .off)
      #expect(device.isTorchModeSupported(.auto))
      let modes = ObservedValues(device, \.torchMode), levels = ObservedValues(device, \.torchLevel)
      let active = ObservedValues(device, \.isTorchActive)
      try stage.configure { device in
        device.torchMode = .on
        #expect(device.torchMode == .on && device.isTorchActive && device.torchLevel == 0.8)
        device.torchMode = .off
        #expect(device.torchMode == .off && !device.isTorchActive && device.torchLevel == 0)
      }
      #expect(modes.values == [.on, .off] && levels.values == [0.8, 0] && active.values == [true, false])
      #expect(stage.mistakes { $0.torchMode = .on } == 1)
      #expect([AVCaptureDevice.TorchMode.off, .on, .auto].map(\.rawValue) == [0, 1, 2])
    }

    @Test
    func `a front camera has no lamp, and the screen for a flash`() throws {
      SimulatedDevices.install(
        scene: Scene(isStamped: false, isNoisy: false, devices: SimulatedDeviceModel.builtIn),
        clock: SimulatedClock())
      let front = try #require(
        AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
      #expect(front.hasFlash && front.isFlashAvailable && front.isFlashModeSupported(.auto))
      #expect(!front.hasTorch && !front.isTorchAvailable)
      let session = AVCaptureSession()
      let output = AVCapturePhotoOutput()
      session.addInput(try AVCaptureDeviceInput(device: front))
      session.addOutput(output)
      #expect(output.supportedFlashModes == [.off, .on, .auto])
      // The colour of a screen's light is not known.
      #expect(!output.isConstantColorSupported)
    }

    @Test
    func `a level is valid, too much for now, or nonsense`() throws {
      let stage = try ControlStage()
      try stage.configure { device in
        try device.setTorchModeOn(level: 0.3)
        try device.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel)
        #expect(stage.camera.applied == [.torch(.on, level: 0.3), .torch(.on, level: 0.8)])
        do {
          try device.setTorchModeOn(level: 0.9)
          Issue.record("lit at 0.9")
        } catch AVError.torchLevelUnavailable {
        }
        let mistakes = try ProgrammingMistake.collect {
          try device.setTorchModeOn(level: 0)
          try device.setTorchModeOn(level: 1.5)
        }
        #expect(mistakes.count == 2)
      }
      let withoutLock = try ProgrammingMistake.collect { try stage.device.setTorchModeOn(level: 0.5) }
      #expect(withoutLock.count == 1 && stage.camera.applied.count == 2)
    }

    @Test
    func `a camera without a lamp says so`() throws {
      let stage = try ControlStage {
        $0.torchLevel = nil
        $0.torchModes = []
        $0.flashModes = []
      }
      let device = stage.device
      #expect(!device.hasTorch && !device.isTorchAvailable && !device.isTorchModeSupported(.off))
      #expect(!device.hasFlash && !device.isFlashAvailable && !device.isFlashModeSupported(.on))
      try stage.configure { device in
        let mistakes = try ProgrammingMistake.collect {
          device.torchMode = .on
          device.flashMode = .on
          try device.setTorchModeOn(level: 1)
        }
        #expect(mistakes.count == 3)
      }
    }

    @Test
    func `an unplugged camera's lamps are not available`() throws {
      let stage = try ControlStage()
      #expect(stage.device.isTorchAvailable && stage.device.isFlashAvailable)
      let torch = ObservedValues(stage.device, \.isTorchAvailable),
        flash = ObservedValues(stage.device, \.isFlashAvailable)
      stage.provider.unplug(stage.camera)
      #expect(torch.wait(for: false) && flash.wait(for: false))
      #expect(!stage.device.isTorchAvailable && !stage.device.isFlashAvailable)
    }

    @Test
    func `the device's flash mode is kept, reported, and says whether it would fire`() throws {
      let stage = try ControlStage()
      let device = stage.device
      #expect(device.hasFlash && device.flashMode == .off && !device.isFlashActive)
      #expect(device.isFlashModeSupported(.auto))
      let modes = ObservedValues(device, \.flashMode), active = ObservedValues(device, \.isFlashActive)
      stage.session.startRunning()
      stage.camera.streamFrame()
      try stage.configure { device in
        device.flashMode = .on
        #expect(device.isFlashActive)
        device.flashMode = .auto
        #expect(!device.isFlashActive)
      }
      stage.camera.measure { $0.isDark = true }
      stage.camera.streamFrame()
      #expect(device.isFlashActive && active.wait(3) == [true, false, true])
      #expect(modes.values == [.on, .auto])
      #expect(stage.mistakes { $0.flashMode = .off } == 1)
    }
  }
}
