import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

/// A camera of which only one format has the wider dynamic range, and zooms far; its session runs in the other.
private final class ResetStage {
  let stage: SessionStage
  let device: AVCaptureDevice
  let model: SimulatedDeviceModel

  init() throws {
    var model = SimulatedDeviceModel.camera(
      uniqueID: "reset", sizes: [FrameSize(width: 64, height: 48), FrameSize(width: 640, height: 480)])
    for index in model.facts.formats.indices {
      let isRich = model.facts.formats[index].size.width == 64
      model.facts.formats[index].supportsHDR = isRich
      model.facts.formats[index].maxZoom = isRich ? 8 : 4
    }
    stage = SessionStage(devices: [model])
    device = try stage.camera(model)
    self.model = model
    try stage.addCamera(model)
    try configure { device in
      device.automaticallyAdjustsVideoHDREnabled = true
      device.activeFormat = device.formats.first { !$0.isVideoHDRSupported } ?? device.formats[0]
    }
  }

  deinit { stage.session.stopRunning() }

  func configure(_ change: (AVCaptureDevice) throws -> Void) throws {
    try device.lockForConfiguration()
    try change(device)
    device.unlockForConfiguration()
  }

  func set() throws {
    try configure { device in
      device.videoZoomFactor = 3
      device.activeMaxExposureDuration = CMTime(value: 1, timescale: 200)
      device.isGlobalToneMappingEnabled = device.activeFormat.isGlobalToneMappingSupported
    }
    stage.pass(frames: 3)
    #expect(device.videoZoomFactor == 3 && !device.isVideoHDREnabled)
  }

  var rich: AVCaptureDevice.Format? { device.formats.first(where: \.isVideoHDRSupported) }

  /// Whether everything that a new format sets back is set back.
  func expectReset(_ location: SourceLocation = #_sourceLocation) {
    #expect(device.videoZoomFactor == 1, sourceLocation: location)
    #expect(device.activeMaxExposureDuration.seconds > 0.01, sourceLocation: location)
    #expect(device.isVideoHDREnabled && device.activeFormat.isVideoHDRSupported, sourceLocation: location)
    #expect(!device.isGlobalToneMappingEnabled, sourceLocation: location)
  }
}

extension DeviceSuites {
  @Suite struct `What a new format sets back` {
    @Test(arguments: [false, true])
    func `is set back where the new one has a wider dynamic range, by the format`(isRunning: Bool) throws {
      let stage = try ResetStage()
      if isRunning { stage.stage.session.startRunning() }
      try stage.set()
      let zooms = ObservedValues(stage.device, \.videoZoomFactor),
        hdr = ObservedValues(stage.device, \.isVideoHDREnabled)
      try stage.configure { $0.activeFormat = try #require(stage.rich) }
      stage.expectReset()
      stage.stage.session.startRunning()
      stage.stage.pass(frames: 6)
      stage.expectReset()
      #expect(zooms.values == [1] && hdr.values == [true])
      #expect(try stage.stage.simulated(stage.model).controlState.isHDR)
    }

    @Test(arguments: [false, true])
    func `is set back by a preset, too`(isRunning: Bool) throws {
      let stage = try ResetStage()
      stage.stage.session.sessionPreset = .vga640x480
      if isRunning { stage.stage.session.startRunning() }
      try stage.set()
      let zooms = ObservedValues(stage.device, \.videoZoomFactor),
        hdr = ObservedValues(stage.device, \.isVideoHDREnabled)
      stage.stage.session.sessionPreset = .low
      stage.expectReset()
      stage.stage.session.startRunning()
      stage.stage.pass(frames: 6)
      stage.expectReset()
      #expect(zooms.values == [1] && hdr.values == [true])
      #expect(try stage.stage.simulated(stage.model).controlState.isHDR)
    }

    @Test
    func `and what a client sets then waits for the stream of that format`() throws {
      let stage = try ResetStage()
      let session = stage.stage.session
      session.startRunning()
      try stage.set()
      let zooms = ObservedValues(stage.device, \.videoZoomFactor)
      session.beginConfiguration()
      try stage.configure { device in
        device.activeFormat = try #require(stage.rich)
        // More than the format that still streams has.
        device.videoZoomFactor = 6
      }
      #expect(stage.device.videoZoomFactor == 6 && zooms.values == [1, 6])
      stage.stage.pass(frames: 2)
      #expect(stage.device.videoZoomFactor == 6)
      session.commitConfiguration()
      stage.stage.pass(frames: 4)
      #expect(stage.device.videoZoomFactor == 6 && stage.device.isVideoHDREnabled)
      #expect(try stage.stage.simulated(stage.model).controlState.zoom == 6)
      #expect(zooms.values == [1, 6])
    }

    @Test
    func `a draft that comes back to its format loses nothing`() throws {
      let stage = try ResetStage()
      let session = stage.stage.session
      session.startRunning()
      try stage.set()
      session.beginConfiguration()
      try stage.configure { device in
        let before = device.activeFormat
        device.activeFormat = try #require(stage.rich)
        device.activeFormat = before
        device.videoZoomFactor = 2
      }
      session.commitConfiguration()
      stage.stage.pass(frames: 4)
      #expect(stage.device.videoZoomFactor == 2 && !stage.device.isVideoHDREnabled)
      #expect(try stage.stage.simulated(stage.model).controlState.zoom == 2)
    }

    @Test
    func `a second session's plans leave a camera alone that streams`() throws {
      let stage = try ResetStage()
      stage.stage.session.startRunning()
      try stage.set()
      let other = AVCaptureSession()
      other.sessionPreset = .low
      other.addInput(try AVCaptureDeviceInput(device: stage.device))
      other.addOutput(AVCaptureVideoDataOutput())
      stage.stage.pass(frames: 3)
      #expect(stage.device.videoZoomFactor == 3 && !stage.device.activeFormat.isVideoHDRSupported)
      stage.stage.session.stopRunning()
      other.startRunning()
      #expect(other.isRunning && stage.device.activeFormat.isVideoHDRSupported)
      other.stopRunning()
    }
  }
}
