import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import DepthMaps
import FoundationExtras
import Linux
import Testing

extension DeviceSuites {
  @Suite struct `Depth formats of a device` {
    private func subType(_ format: AVCaptureDevice.Format?) -> OSType? {
      format.map { CMFormatDescriptionGetMediaSubType($0.formatDescription) }
    }

    private func width(_ format: AVCaptureDevice.Format?) -> Int32? {
      format.map { CMVideoFormatDescriptionGetDimensions($0.formatDescription).width }
    }

    @Test func `are listed by each format, the same objects each time`() throws {
      let stage = try DepthStage()
      let device = stage.device
      let formats = device.formats[0].supportedDepthDataFormats
      #expect(formats.count == 8)
      #expect(formats.allSatisfy { $0.mediaType == .depthData })
      #expect(Set(formats.compactMap(subType)) == Set(DepthFormat.pixelFormats))
      #expect(formats.first?.videoSupportedFrameRateRanges.map(\.maxFrameRate) == [30, 15])
      #expect(zip(formats, device.formats[0].supportedDepthDataFormats).allSatisfy { $0 === $1 })
      #expect(device.formats[2].supportedDepthDataFormats.isEmpty)
      #expect(device.hasMediaType(.depthData))
      let found = AVCaptureDevice.DiscoverySession(
        deviceTypes: [.builtInTrueDepthCamera], mediaType: .depthData, position: .front)
      #expect(found.devices.map(\.uniqueID) == [stage.camera.facts.uniqueID])
    }

    @Test func `come through a port of the input's own`() throws {
      let stage = try DepthStage()
      let input = try #require(stage.session.inputs.first)
      #expect(input.ports.map(\.mediaType) == [.video, .metadataObject, .depthData])
      let port = try #require(input.ports.last)
      #expect(
        port.formatDescription.map(CMFormatDescriptionGetMediaSubType) == kCVPixelFormatType_DisparityFloat16)
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      #expect(
        port.formatDescription.map(CMFormatDescriptionGetMediaSubType) == kCVPixelFormatType_DepthFloat32)
      stage.session.startRunning()
      port.isEnabled = false
      #expect(stage.camera.configuration == nil)
    }

    @Test func `are the device's own choice until the client chooses`() throws {
      let stage = try DepthStage()
      #expect(subType(stage.device.activeDepthDataFormat) == kCVPixelFormatType_DisparityFloat16)
      #expect(width(stage.device.activeDepthDataFormat) == 8)
      try stage.choose(kCVPixelFormatType_DepthFloat16)
      #expect(subType(stage.device.activeDepthDataFormat) == kCVPixelFormatType_DepthFloat16)
      #expect(width(stage.device.activeDepthDataFormat) == 4)
      stage.session.startRunning()
      #expect(stage.camera.configuration?.depth?.format.pixelFormat == kCVPixelFormatType_DepthFloat16)
      try stage.device.lockForConfiguration()
      stage.device.activeDepthDataFormat = nil
      stage.device.unlockForConfiguration()
      #expect(stage.camera.configuration?.depth?.format.pixelFormat == kCVPixelFormatType_DisparityFloat16)
      #expect(stage.camera.configuration?.depth?.format.size.width == 8)
    }

    @Test func `need the lock, and must be the active format's`() throws {
      let stage = try DepthStage()
      let (first, other) = (
        stage.device.formats[0].supportedDepthDataFormats[0],
        stage.device.formats[1].supportedDepthDataFormats[0]
      )
      let unlocked = ProgrammingMistake.collect { stage.device.activeDepthDataFormat = first }
      #expect(unlocked.count == 1)
      try stage.device.lockForConfiguration()
      let foreign = ProgrammingMistake.collect { stage.device.activeDepthDataFormat = other }
      let video = ProgrammingMistake.collect { stage.device.activeDepthDataFormat = stage.device.formats[0] }
      stage.device.unlockForConfiguration()
      #expect(foreign.count == 1 && video.count == 1)
      #expect(width(stage.device.activeDepthDataFormat) == 8)
    }

    @Test func `come no faster than frames, and as slowly as the client says`() throws {
      let stage = try DepthStage()
      stage.session.startRunning()
      func duration() -> FrameDuration? { stage.camera.configuration?.depth?.frameDuration }
      #expect(duration() == FrameDuration(1, 30))
      #expect(stage.device.activeDepthDataMinFrameDuration == CMTime(value: 1, timescale: 30))
      try stage.device.lockForConfiguration()
      stage.device.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 15)
      #expect(duration() == FrameDuration(1, 15))
      stage.device.activeDepthDataMinFrameDuration = .invalid
      #expect(duration() == FrameDuration(1, 30))
      stage.device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 20)
      #expect(duration() == FrameDuration(1, 15))
      #expect(stage.device.activeDepthDataMinFrameDuration == CMTime(value: 1, timescale: 15))
      let mistakes = ProgrammingMistake.collect {
        stage.device.activeDepthDataMinFrameDuration = CMTime(value: 1, timescale: 90)
      }
      stage.device.unlockForConfiguration()
      #expect(mistakes.count == 1)
    }

    /// Apple: a shortest duration of positive infinity is a depth data rate of 0, and an invalid one resets it.
    @Test func `are not measured at a rate of 0, until it is reset`() throws {
      let stage = try DepthStage()
      let device = stage.device
      stage.session.startRunning()
      try device.lockForConfiguration()
      defer { device.unlockForConfiguration() }
      device.activeDepthDataMinFrameDuration = .positiveInfinity
      #expect(device.activeDepthDataMinFrameDuration == .positiveInfinity)
      #expect(stage.camera.configuration != nil && stage.camera.configuration?.depth == nil)
      device.activeDepthDataMinFrameDuration = .invalid
      #expect(stage.camera.configuration?.depth?.frameDuration == FrameDuration(1, 30))
      device.activeDepthDataMinFrameDuration = .positiveInfinity
      device.activeDepthDataFormat = device.activeFormat.supportedDepthDataFormats[0]
      #expect(stage.camera.configuration?.depth?.frameDuration == FrameDuration(1, 30))
      let mistakes = ProgrammingMistake.collect {
        device.activeDepthDataMinFrameDuration = .negativeInfinity
        device.activeDepthDataMinFrameDuration = .indefinite
      }
      #expect(mistakes.count == 2)
    }

    @Test func `can be observed`() throws {
      let stage = try DepthStage()
      let seen = Locked<[OSType?]>([])
      let observation = stage.device.observe(\.activeDepthDataFormat, options: .new) { device, _ in
        let format = device.activeDepthDataFormat
        let type = format.map { CMFormatDescriptionGetMediaSubType($0.formatDescription) }
        seen.withLock { $0.append(type) }
      }
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      try stage.device.lockForConfiguration()
      stage.device.activeFormat = stage.device.formats[2]
      stage.device.unlockForConfiguration()
      observation.invalidate()
      #expect(seen.withLock { $0 } == [kCVPixelFormatType_DepthFloat32, nil])
    }

    @Test func `are reset by a new active format`() throws {
      let stage = try DepthStage()
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      try stage.device.lockForConfiguration()
      stage.device.activeFormat = stage.device.formats[1]
      stage.device.unlockForConfiguration()
      #expect(subType(stage.device.activeDepthDataFormat) == kCVPixelFormatType_DisparityFloat16)
    }

    @Test func `decide which format a preset takes, as soon as depth is wanted`() throws {
      let stage = try DepthStage(preset: .high)
      stage.session.startRunning()
      // The largest format measures none.
      #expect(stage.camera.configuration?.size.width == 96)
      #expect(stage.camera.configuration?.depth?.format.size == FrameSize(width: 8, height: 4))
      stage.session.removeOutput(stage.output)
      stage.session.addOutput(AVCaptureVideoDataOutput())
      #expect(stage.camera.configuration?.size.width == 160)
      #expect(stage.camera.configuration?.depth == nil)
    }

    @Test func `stay chosen when a preset moves the device to another format`() throws {
      let stage = try DepthStage()
      stage.session.beginConfiguration()
      try stage.choose(kCVPixelFormatType_DepthFloat16, width: 4)
      stage.session.sessionPreset = .high
      stage.session.commitConfiguration()
      #expect(subType(stage.device.activeDepthDataFormat) == kCVPixelFormatType_DepthFloat16)
      #expect(width(stage.device.activeDepthDataFormat) == 8)
    }
  }
}
