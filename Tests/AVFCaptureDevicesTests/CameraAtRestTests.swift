import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

/// The cause for which a camera delivers no more frames.
enum Rest: String, CaseIterable, Sendable {
  case stop, privacy, removal, disabled, otherCamera, unplug
}

extension DeviceSuites {
  /// Tests of a camera while no frames come.
  @Suite struct `A camera at rest` {
    /// A running session with a camera whose lamp is lit, and the values that its observers get.
    private final class LampStage {
      let stage: SessionStage
      let device: AVCaptureDevice
      let input: AVCaptureDeviceInput
      let output = AVCaptureVideoDataOutput()
      let modes: ObservedValues<AVCaptureDevice.TorchMode>
      let levels: ObservedValues<Float>
      let active: ObservedValues<Bool>
      let ramps: ObservedValues<Bool>
      let adjusting: [ObservedValues<Bool>]

      init(_ mode: AVCaptureDevice.TorchMode = .on, faults: [SceneFault] = []) throws {
        stage = SessionStage(faults: faults)
        let device = try stage.camera()
        self.device = device
        input = try AVCaptureDeviceInput(device: device)
        stage.session.addInput(input)
        stage.session.addOutput(output)
        modes = ObservedValues(device, \.torchMode)
        levels = ObservedValues(device, \.torchLevel)
        active = ObservedValues(device, \.isTorchActive)
        ramps = ObservedValues(device, \.isRampingVideoZoom)
        adjusting = [\AVCaptureDevice.isAdjustingFocus, \.isAdjustingExposure, \.isAdjustingWhiteBalance].map
        {
          ObservedValues(device, $0)
        }
        stage.session.startRunning()
        stage.pass(frames: 3)
        try device.lockForConfiguration()
        device.torchMode = mode
        device.unlockForConfiguration()
        stage.pass(frames: 3)
      }

      /// What is read is what was heard last, once the reports of the frames so far have reached the observers.
      func expectHeard(_ location: SourceLocation = #_sourceLocation) {
        stage.clock.settle()
        #expect(modes.values.last == device.torchMode, sourceLocation: location)
        expectHeard(levels, device.torchLevel, location)
        expectHeard(active, device.isTorchActive, location)
        expectHeard(ramps, device.isRampingVideoZoom, location)
        let read = [device.isAdjustingFocus, device.isAdjustingExposure, device.isAdjustingWhiteBalance]
        for (heard, read) in zip(adjusting, read) { expectHeard(heard, read, location) }
      }

      private func expectHeard<Value: Equatable>(
        _ heard: ObservedValues<Value>, _ read: Value, _ location: SourceLocation
      ) {
        #expect(heard.values.isEmpty || heard.values.last == read, sourceLocation: location)
      }
    }

    @Test(arguments: Rest.allCases)
    func `has its lamp dark, and observers hear it`(rest: Rest) throws {
      let faults = rest == .privacy ? [SceneFault(.privacy(seconds: 1), at: 0.5)] : []
      let lamp = try LampStage(faults: faults)
      #expect(lamp.device.torchMode == .on && lamp.device.isTorchActive)
      switch rest {
      case .stop: lamp.stage.session.stopRunning()
      case .privacy:
        lamp.stage.clock.advance(by: .milliseconds(600))
        #expect(lamp.stage.news.wait(for: "interrupted"))
      case .removal: lamp.stage.session.removeInput(lamp.input)
      case .disabled: lamp.output.connection(with: .video)?.isEnabled = false
      case .otherCamera:
        lamp.stage.session.beginConfiguration()
        lamp.stage.session.removeInput(lamp.input)
        lamp.stage.session.addInput(try AVCaptureDeviceInput(device: lamp.stage.camera(SessionStage.front)))
        lamp.stage.session.commitConfiguration()
      case .unplug:
        try lamp.stage.simulated().unplug()
        #expect(lamp.stage.news.wait(for: "stopped"))
      }
      lamp.stage.clock.settle()
      #expect(lamp.device.torchMode == .off && lamp.device.torchLevel == 0 && !lamp.device.isTorchActive)
      #expect(
        lamp.modes.values == [.on, .off] && lamp.levels.values.last == 0 && lamp.active.values.last == false)
      lamp.expectHeard()
      lamp.stage.session.stopRunning()
    }

    @Test
    func `has its lamp dark when its session goes`() throws {
      let stage = SessionStage()
      let device = try stage.camera()
      var session: AVCaptureSession? = AVCaptureSession()
      session?.addInput(try AVCaptureDeviceInput(device: device))
      session?.addOutput(AVCaptureVideoDataOutput())
      session?.startRunning()
      stage.pass(frames: 3)
      try device.lockForConfiguration()
      device.torchMode = .on
      device.unlockForConfiguration()
      stage.pass(frames: 3)
      let modes = ObservedValues(device, \.torchMode)
      session = nil
      stage.clock.settle()
      #expect(modes.values == [.off])
      #expect(device.torchMode == .off && !device.isTorchActive)
    }

    @Test
    func `has a lamp dark that lights by itself, too`() throws {
      let lamp = try LampStage(.auto)
      lamp.stage.session.stopRunning()
      #expect(lamp.device.torchMode == .off && lamp.modes.values == [.auto, .off])
    }

    @Test
    func `stays dark when the interruption ends, until a client lights it`() throws {
      let lamp = try LampStage(faults: [SceneFault(.privacy(seconds: 0.5), at: 0.5)])
      lamp.stage.clock.advance(by: .milliseconds(600))
      #expect(lamp.stage.news.wait(for: "interrupted"))
      lamp.stage.clock.advance(by: .milliseconds(600))
      #expect(lamp.stage.news.wait(for: "interruption ended"))
      lamp.stage.pass(frames: 3)
      #expect(lamp.device.torchMode == .off && !lamp.device.isTorchActive)
      try lamp.device.lockForConfiguration()
      lamp.device.torchMode = .on
      lamp.device.unlockForConfiguration()
      lamp.stage.pass(frames: 3)
      #expect(lamp.device.isTorchActive)
      lamp.expectHeard()
      lamp.stage.session.stopRunning()
    }

    @Test
    func `keeps its lamp while only its format changes`() throws {
      let lamp = try LampStage()
      lamp.stage.session.sessionPreset = .photo
      lamp.stage.pass(frames: 3)
      try lamp.device.lockForConfiguration()
      lamp.device.activeFormat = lamp.device.formats[0]
      lamp.device.unlockForConfiguration()
      lamp.stage.pass(frames: 3)
      #expect(lamp.device.torchMode == .on && lamp.modes.values == [.on])
      lamp.stage.session.stopRunning()
    }

    @Test
    func `can light its lamp without a session`() throws {
      let lamp = try LampStage()
      lamp.stage.session.stopRunning()
      try lamp.device.lockForConfiguration()
      try lamp.device.setTorchModeOn(level: 0.5)
      lamp.device.unlockForConfiguration()
      #expect(lamp.device.isTorchActive && lamp.device.torchLevel == 0.5)
      lamp.stage.session.stopRunning()
      #expect(lamp.device.isTorchActive)
      lamp.stage.session.startRunning()
      lamp.stage.pass(frames: 3)
      #expect(lamp.device.isTorchActive)
      lamp.expectHeard()
      lamp.stage.session.stopRunning()
      lamp.expectHeard()
    }

    @Test
    func `zooms no more, and observers hear it at the stop`() throws {
      let lamp = try LampStage()
      try lamp.device.lockForConfiguration()
      lamp.device.ramp(toVideoZoomFactor: 4, withRate: 1)
      lamp.device.unlockForConfiguration()
      lamp.stage.pass(frames: 6)
      #expect(lamp.device.isRampingVideoZoom && lamp.ramps.values == [true])
      let zooms = ObservedValues(lamp.device, \.videoZoomFactor)
      lamp.stage.session.stopRunning()
      #expect(!lamp.device.isRampingVideoZoom && lamp.ramps.values == [true, false])
      lamp.stage.clock.settle()
      #expect(zooms.values.isEmpty || zooms.values.last == lamp.device.videoZoomFactor)
      lamp.stage.session.startRunning()
      lamp.stage.pass(frames: 3)
      #expect(lamp.ramps.values == [true, false])
      lamp.stage.session.stopRunning()
    }

    @Test
    func `adjusts nothing, and observers hear it at the stop`() throws {
      let lamp = try LampStage()
      try lamp.device.lockForConfiguration()
      lamp.device.focusPointOfInterest = CGPoint(x: 0.1, y: 0.1)
      lamp.device.focusMode = .autoFocus
      lamp.device.exposureMode = .autoExpose
      lamp.device.whiteBalanceMode = .autoWhiteBalance
      lamp.device.unlockForConfiguration()
      lamp.stage.pass(frames: 1)
      lamp.stage.session.stopRunning()
      #expect(!lamp.device.isAdjustingFocus && !lamp.device.isAdjustingExposure)
      #expect(!lamp.device.isAdjustingWhiteBalance)
      lamp.expectHeard()
    }
  }
}
