import AVFoundation
import CaptureDevice
import CaptureStage
import DepthMaps
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite struct `Depth of a simulated camera` {
    private static let size = FrameSize(width: 320, height: 240)
    private static let model = SimulatedDeviceModel.camera(
      uniqueID: "depth.simulated", sizes: [size], depthSizes: [size])

    /// A card before a wall.
    private static func scene(isNoisy: Bool) -> Scene {
      var scene = Scene(isStamped: false, isNoisy: isNoisy)
      scene.background.depth = 3
      scene.layers = [
        SceneLayer(.color(red: 1, green: 1, blue: 1), width: 0.4, depth: 0.5)
      ]
      return scene
    }

    private func choose(_ pixelFormat: OSType, of device: AVCaptureDevice) throws {
      let formats = device.activeFormat.supportedDepthDataFormats.filter {
        CMFormatDescriptionGetMediaSubType($0.formatDescription) == pixelFormat
      }
      try device.lockForConfiguration()
      device.activeDepthDataFormat = formats.max {
        CMVideoFormatDescriptionGetDimensions($0.formatDescription).width
          < CMVideoFormatDescriptionGetDimensions($1.formatDescription).width
      }
      device.unlockForConfiguration()
    }

    @Test func `comes with the stamps of the frames that it belongs to`() throws {
      let rig = try CaptureRig(Self.model, scene: Self.scene(isNoisy: false))
      let (video, depth) = (AVCaptureVideoDataOutput(), AVCaptureDepthDataOutput())
      let (frames, maps) = (RecordingVideoDelegate(), RecordingDepthDelegate())
      rig.session.addOutput(video)
      rig.session.addOutput(depth)
      video.setSampleBufferDelegate(frames, queue: DispatchQueue(label: "frames"))
      depth.setDelegate(maps, callbackQueue: DispatchQueue(label: "maps"))
      rig.session.startRunning()
      rig.advance(frames: 6)
      let times = frames.samples.withLock { $0.map(\.buffer.presentationTimeStamp) }
      #expect(times.count == 6)
      #expect(maps.times.withLock { $0 } == times)
      let statistics = depth.statistics
      #expect(statistics.captured == 6 && statistics.delivered == 6)
      let camera = try #require(maps.maps.withLock { $0.last }?.cameraCalibrationData)
      #expect(camera.intrinsicMatrixReferenceDimensions == CGSize(width: 320, height: 240))
    }

    @Test func `is nearer to the truth, and whole, when it is filtered`() throws {
      func map(isFiltered: Bool) throws -> (map: DepthMap, truth: DepthMap) {
        let rig = try CaptureRig(Self.model, scene: Self.scene(isNoisy: true))
        let output = AVCaptureDepthDataOutput()
        let maps = RecordingDepthDelegate()
        rig.session.addOutput(output)
        output.isFilteringEnabled = isFiltered
        output.setDelegate(maps, callbackQueue: DispatchQueue(label: "maps"))
        try choose(kCVPixelFormatType_DepthFloat32, of: rig.device)
        rig.session.startRunning()
        rig.advance(frames: 12)
        let device = try #require(rig.provider.devices().first as? SimulatedDevice)
        var truth = DepthMap()
        try truth.read(
          device.depthTruth(at: 0, size: Self.size, frame: Self.size))
        return (try #require(maps.maps.withLock { $0.last }).numbers, truth)
      }
      func error(_ seen: (map: DepthMap, truth: DepthMap)) -> Float {
        let errors = zip(seen.map.values, seen.truth.values).filter { !$0.0.isNaN && $0.1 > 1 }.map {
          $0 - $1
        }
        return (errors.reduce(0) { $0 + $1 * $1 } / Float(max(errors.count, 1))).squareRoot()
      }
      let raw = try map(isFiltered: false), filtered = try map(isFiltered: true)
      // The sensor errs by 9 mm at 3 m, and sees nothing in the card's shadow.
      #expect(raw.map.knownShare < 1)
      #expect(abs(error(raw) - 0.009) < 0.002)
      #expect(filtered.map.knownShare == 1)
      #expect(error(filtered) < 0.65 * error(raw))
      // What was filled is the wall, and the card stands where it stood.
      let wrong = zip(filtered.map.values, filtered.truth.values).filter { abs($0 - $1) > 0.1 * $1 }
      #expect(wrong.isEmpty)
    }

    @Test func `is set up as Apple's tutorial does it`() throws {
      let rig = try CaptureRig(
        try #require(SimulatedDeviceModel.builtIn.first { $0.facts.kind == .trueDepthCamera }),
        scene: .builtIn)
      let session = AVCaptureSession()
      let found = AVCaptureDevice.DiscoverySession(
        deviceTypes: [.builtInTrueDepthCamera], mediaType: .video, position: .front)
      let device = try #require(found.devices.first)
      rig.session.removeInput(rig.input)
      session.beginConfiguration()
      session.sessionPreset = .vga640x480
      session.addInput(try AVCaptureDeviceInput(device: device))
      let (video, depth) = (AVCaptureVideoDataOutput(), AVCaptureDepthDataOutput())
      session.addOutput(video)
      video.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)]
      session.addOutput(depth)
      depth.isFilteringEnabled = false
      let connection = try #require(depth.connection(with: .depthData))
      connection.isEnabled = true
      let maps = RecordingDepthDelegate()
      depth.setDelegate(maps, callbackQueue: DispatchQueue(label: "maps"))
      try choose(kCVPixelFormatType_DepthFloat16, of: device)
      session.commitConfiguration()
      session.startRunning()
      rig.advance(frames: 2)
      session.stopRunning()
      let map = try #require(maps.maps.withLock { $0.last })
      #expect(map.depthDataType == kCVPixelFormatType_DepthFloat16)
      #expect(try map.numbers.width == 640 && map.numbers.height == 480)
      // The visitor's face.
      #expect(abs(try map.numbers.metres(x: 320, y: 240) - 0.45) < 0.01)
      #expect(map.depthDataQuality == .high)
    }
  }
}
