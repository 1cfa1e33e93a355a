import AVFoundation
import CaptureDevice
import CaptureStage
import DepthMaps
import Foundation
import FoundationExtras
import ImageIO
import Linux
import SimulatedDevices
import StillCodecs
import Testing

extension DeviceSuites {
  @Suite("Photos with depth")
  struct DepthPhotos {
    private static let size = FrameSize(width: 320, height: 240)
    private static let model = SimulatedDeviceModel.camera(
      uniqueID: "depth.photos", sizes: [size], depthSizes: [size])

    /// A session with a camera that measures depth, and photos that may ask for it.
    private final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()

      init(isNoisy: Bool = false, isEnabled: Bool = true) throws {
        // A card before a wall.
        var scene = Scene(isStamped: false, isNoisy: isNoisy)
        scene.background.depth = 3
        scene.layers = [SceneLayer(.color(red: 1, green: 1, blue: 1), width: 0.4, depth: 0.5)]
        rig = try CaptureRig(DepthPhotos.model, scene: scene)
        rig.session.addOutput(output)
        output.isDepthDataDeliveryEnabled = isEnabled
        let formats = rig.device.activeFormat.supportedDepthDataFormats
        try rig.device.lockForConfiguration()
        rig.device.activeDepthDataFormat = formats.first {
          CMFormatDescriptionGetMediaSubType($0.formatDescription) == kCVPixelFormatType_DepthFloat32
        }
        rig.device.unlockForConfiguration()
        rig.session.startRunning()
        rig.advance(frames: 3)
      }

      func settings(_ codec: AVVideoCodecType = .hevc) -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
        settings.isDepthDataDeliveryEnabled = true
        return settings
      }

      func take(_ settings: AVCapturePhotoSettings) throws -> AVCapturePhoto {
        let count = delegate.photos.withLock { $0.count }
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 2)
        try #require(delegate.wait(for: count + 1))
        return try #require(delegate.photos.withLock { $0.last })
      }

      var truth: DepthMap {
        get throws {
          let device = try #require(rig.provider.devices().first as? SimulatedDevice)
          var truth = DepthMap()
          try truth.read(device.depthTruth(at: 0, size: DepthPhotos.size, frame: DepthPhotos.size))
          return truth
        }
      }
    }

    private func disparity(in file: Data?) throws -> AVDepthData? {
      let bytes = try #require(file)
      let source = try #require(CGImageSourceCreateWithData(bytes as CFData, nil))
      return try CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDisparity).map
      {
        try AVDepthData(fromDictionaryRepresentation: $0)
      }
    }

    @Test func `are supported by cameras that measure it, and enabled by clients`() throws {
      let stage = try Stage(isEnabled: false)
      let output = stage.output
      #expect(output.isDepthDataDeliverySupported && !output.isDepthDataDeliveryEnabled)
      // Off, settings may not ask.
      let refusals = ProgrammingMistake.collect {
        output.capturePhoto(with: stage.settings(), delegate: stage.delegate)
      }
      try #require(stage.delegate.wait())
      #expect(refusals.count == 1 && stage.delegate.errors.withLock { $0.count } == 1)
      output.isDepthDataDeliveryEnabled = true
      #expect(output.isDepthDataDeliveryEnabled)
      // With the camera goes the support, and with that the client's choice.
      stage.rig.session.removeInput(stage.rig.input)
      #expect(!output.isDepthDataDeliverySupported && !output.isDepthDataDeliveryEnabled)
      let mistakes = ProgrammingMistake.collect { output.isDepthDataDeliveryEnabled = true }
      #expect(mistakes.count == 1)
      stage.rig.session.addInput(stage.rig.input)
      #expect(output.isDepthDataDeliverySupported && !output.isDepthDataDeliveryEnabled)
    }

    @Test func `start the camera's measuring without an output for depth, and end it`() throws {
      let stage = try Stage(isEnabled: false)
      func measures() -> Bool {
        stage.output.connections.first?.stillSource?.plan.stream.depth != nil
      }
      #expect(!measures())
      stage.output.isDepthDataDeliveryEnabled = true
      #expect(measures())
      stage.output.isDepthDataDeliveryEnabled = false
      #expect(!measures())
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `bring the truth, and a file that holds it within its steps`(codec: AVVideoCodecType) throws {
      let stage = try Stage()
      let photo = try stage.take(stage.settings(codec))
      let depth = try #require(photo.depthData)
      #expect(depth.depthDataType == kCVPixelFormatType_DepthFloat32 && depth.isDepthDataFiltered)
      let truth = try stage.truth
      let map = try depth.numbers
      #expect(map.width == Self.size.width && map.height == Self.size.height && map.knownShare == 1)
      let near = map.values.count { $0 < 1 }
      #expect(near > 1000 && near < map.values.count / 2)
      let wrong = zip(map.values, truth.values).filter { abs($0 - $1) > 0.02 * $1 }
      // Beside the card's edge a place is the card's or the wall's.
      #expect(wrong.count < map.values.count / 100)
      let stored = try #require(try disparity(in: photo.fileDataRepresentation()))
      #expect(stored.depthDataAccuracy == .absolute && stored.cameraCalibrationData != nil)
      let step = (1 / Float(0.4) - 1 / Float(3.2)) / 255
      let errors = zip(try stored.numbers.values, map.values).map { abs($0 - 1 / $1) }
      #expect(errors.allSatisfy { $0 < step * (codec == .hevc ? 1 : 2) })
      #expect(photo.cgImageRepresentation()?.width == Self.size.width)
    }

    @Test func `hold no depth in the file where that is not wanted, and none at all without asking`() throws {
      let stage = try Stage()
      let settings = stage.settings()
      settings.embedsDepthDataInPhoto = false
      let photo = try stage.take(settings)
      #expect(photo.depthData != nil)
      #expect(try disparity(in: photo.fileDataRepresentation()) == nil)
      let other = try stage.take(AVCapturePhotoSettings())
      #expect(other.depthData == nil)
      #expect(try disparity(in: other.fileDataRepresentation()) == nil)
    }

    @Test func `have holes where nothing was measured, unless they are to be filled`() throws {
      let stage = try Stage(isNoisy: true)
      let settings = stage.settings()
      settings.isDepthDataFiltered = false
      let photo = try stage.take(settings)
      let depth = try #require(photo.depthData)
      #expect(!depth.isDepthDataFiltered)
      #expect(try depth.numbers.knownShare < 1)
      let filled = try #require(try stage.take(stage.settings()).depthData)
      #expect(try filled.numbers.knownShare == 1)
      #expect(try disparity(in: photo.fileDataRepresentation())?.isDepthDataFiltered == true)
    }

    @Test func `that are cut or enlarged bring the same part of the map, and its camera`() throws {
      let stage = try Stage()
      let settings = stage.settings(.jpeg)
      settings.cropAspectRatio = 1
      let square = try #require(try stage.take(settings).depthData)
      let truth = try stage.truth
      let map = try square.numbers
      #expect(map.width == 240 && map.height == 240)
      let middle = truth.middle(width: 240, height: 240)
      #expect(zip(map.values, middle.values).count { abs($0 - $1) > 0.02 * $1 } < map.values.count / 100)
      let camera = try #require(square.cameraCalibrationData)
      #expect(camera.intrinsicMatrixReferenceDimensions == CGSize(width: 240, height: 240))
      #expect(camera.intrinsicMatrix.columns.2.x == 120 && camera.lensDistortionCenter.x == 120)
      try #require(stage.output.connection(with: .video)).videoScaleAndCropFactor = 2
      let near = try #require(try stage.take(stage.settings(.jpeg)).depthData)
      #expect(near.depthDataMap.width == 160 && near.depthDataMap.height == 120)
    }

    private final class Customizer: AVCapturePhotoFileDataRepresentationCustomizer {
      let depth: (AVCapturePhoto) -> AVDepthData?

      init(_ depth: @escaping (AVCapturePhoto) -> AVDepthData?) {
        self.depth = depth
      }

      func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData? { depth(photo) }
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `give a customizer the choice of what the file holds`(codec: AVVideoCodecType) throws {
      let photo = try { try $0.take($0.settings(codec)) }(Stage())
      let own = try #require(try disparity(in: photo.fileDataRepresentation())).numbers
      let kept = photo.fileDataRepresentation(with: Customizer { $0.depthData })
      #expect(try #require(try disparity(in: kept)).numbers.values == own.values)
      #expect(try disparity(in: photo.fileDataRepresentation(with: Customizer { _ in nil })) == nil)
      var buffer: CVPixelBuffer?
      CVPixelBufferCreate(nil, 4, 3, kCVPixelFormatType_DisparityFloat16, nil, &buffer)
      let map = DepthMap(width: 4, height: 3, quantity: .disparity, values: (1...12).map { Float($0) / 4 })
      let pixels = try #require(buffer)
      try map.write(to: pixels)
      let other = try #require(photo.depthData).replacingDepthDataMap(with: pixels)
      let replaced = try #require(
        try disparity(in: photo.fileDataRepresentation(with: Customizer { _ in other })))
      #expect(replaced.depthDataMap.width == 4)
      #expect(zip(try replaced.numbers.values, map.values).allSatisfy { abs($0 - $1) < 0.03 })
    }
  }
}
