import AVFoundation
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import ImageIO
import Linux
import PixelTransforms
import RawPictures
import SimulatedDevices
import StillCodecs
import Testing

extension DeviceSuites {
  @Suite("Raw photos")
  struct RawPhotos {
    static let size = FrameSize(width: 320, height: 240)
    static let format = kCVPixelFormatType_14Bayer_RGGB

    /// A session with a camera in front of coloured cards, and photos.
    final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()

      init(
        isNoisy: Bool = false, encodings: [FrameEncoding]? = nil, isRunning: Bool = true,
        _ change: (inout SimulatedDeviceModel) -> Void = { _ in }
      ) throws {
        var scene = Scene(isStamped: false, isNoisy: isNoisy)
        scene.layers = [
          SceneLayer(.color(red: 0.7, green: 0.25, blue: 0.2), center: CGPoint(x: 0.25, y: 0.3), width: 0.3),
          SceneLayer(.color(red: 0.2, green: 0.3, blue: 0.65), center: CGPoint(x: 0.75, y: 0.3), width: 0.3),
          SceneLayer(.color(red: 0.85, green: 0.85, blue: 0.85), center: CGPoint(x: 0.5, y: 0.7), width: 0.2),
        ]
        var model = SimulatedDeviceModel.camera(
          uniqueID: "raw.photos", sizes: [RawPhotos.size], encodings: encodings)
        change(&model)
        rig = try CaptureRig(model, scene: scene)
        rig.session.addOutput(output)
        guard isRunning else { return }
        rig.session.startRunning()
        rig.advance(frames: 3)
      }

      func take(_ settings: AVCapturePhotoSettings) throws -> [AVCapturePhoto] {
        let (count, finished) = (
          delegate.photos.withLock { $0.count }, delegate.finishedCount.withLock { $0 }
        )
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 6)
        try #require(delegate.wait(for: finished + 1))
        return delegate.photos.withLock { Array($0.dropFirst(count)) }
      }

      func mistake(_ settings: AVCapturePhotoSettings) -> String? {
        ProgrammingMistake.collect { output.capturePhoto(with: settings, delegate: delegate) }.first?.rule
      }
    }

    /// A bracket of biases with raw pictures.
    private func bracket(_ biases: [Float], _ processed: [String: Any]?) -> AVCapturePhotoBracketSettings {
      AVCapturePhotoBracketSettings(
        rawPixelFormatType: Self.format, processedFormat: processed,
        bracketedSettings: biases.map {
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        })
    }

    static var jpeg: [String: Any] { [AVVideoCodecKey: AVVideoCodecType.jpeg] }

    /// The mean of a mosaic's numbers.
    private func mean(_ mosaic: CVPixelBuffer) -> Double {
      var sum = 0.0
      for row in 0..<mosaic.height {
        for column in 0..<mosaic.width {
          sum += Double(mosaic.planes[0].row(row).load(fromByteOffset: 2 * column, as: UInt16.self))
        }
      }
      return sum / Double(mosaic.width * mosaic.height)
    }

    @Test func `the formats follow the camera, and observers hear of them`() throws {
      let stage = try Stage(isRunning: false)
      #expect(AVCapturePhotoOutput().availableRawPhotoPixelFormatTypes.isEmpty)
      #expect(AVCapturePhotoOutput().availableRawPhotoFileTypes.isEmpty)
      #expect(stage.output.availableRawPhotoPixelFormatTypes == [Self.format])
      #expect(stage.output.availableRawPhotoFileTypes == [.dng])
      #expect(stage.output.supportedRawPhotoPixelFormatTypes(for: .dng) == [Self.format])
      #expect(stage.output.supportedRawPhotoPixelFormatTypes(for: .jpg).isEmpty)
      let seen = Monitor<[[OSType]]>([])
      let files = Monitor<[[AVFileType]]>([])
      let observations = [
        stage.output.observe(\.availableRawPhotoPixelFormatTypes, options: .new) { _, change in
          if let value = change.newValue { seen.withLock { $0.append(value) } }
        },
        stage.output.observe(\.availableRawPhotoFileTypes, options: .new) { _, change in
          if let value = change.newValue { files.withLock { $0.append(value) } }
        },
      ]
      stage.rig.session.removeInput(stage.rig.input)
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      #expect(seen.wait(until: deadline, for: { !$0.isEmpty }, then: { $0 }) == [[]])
      #expect(files.wait(until: deadline, for: { !$0.isEmpty }, then: { $0 }) == [[]])
      for observation in observations { observation.invalidate() }
    }

    @Test func `a raw picture alone is the sensor's numbers and a DNG file`() throws {
      let stage = try Stage()
      let settings = AVCapturePhotoSettings(rawPixelFormatType: Self.format)
      #expect(settings.rawPhotoPixelFormatType == Self.format && settings.format == nil)
      #expect(settings.rawFileType == .dng && settings.photoQualityPrioritization == .speed)
      settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
      let photos = try stage.take(settings)
      let photo = try #require(photos.first)
      #expect(photos.count == 1 && photo.isRawPhoto && photo.photoCount == 1 && photo.sequenceCount == 0)
      #expect(photo.resolvedSettings.expectedPhotoCount == 1)
      #expect(photo.resolvedSettings.photoDimensions.width == 0)
      #expect(photo.resolvedSettings.rawPhotoDimensions.width == 320)
      #expect(photo.resolvedSettings.rawPhotoDimensions.height == 240)
      #expect(photo.resolvedSettings.rawEmbeddedThumbnailDimensions.width == 0)
      #expect(photo.cgImageRepresentation() == nil && photo.previewPixelBuffer?.width == 320)
      let mosaic = try #require(photo.pixelBuffer)
      #expect(mosaic.format == Self.format && mosaic.width == 320 && mosaic.height == 240)
      // Black is 256, white 4095; the scene is neither.
      #expect((400...2500).contains(mean(mosaic)))
      let file = try #require(photo.fileDataRepresentation())
      #expect(file.prefix(4) == Data([0x49, 0x49, 42, 0]))
      #expect(file == photo.fileDataRepresentation())
      // The file has the same numbers, and says what they mean.
      let dng = try DNGDecoder.decode(file)
      for row in 0..<240 {
        #expect(
          dng.mosaic.planes[0].row(row).prefix(640).elementsEqual(mosaic.planes[0].row(row).prefix(640)))
      }
      #expect(dng.facts.blackLevels == [256] && dng.facts.whiteLevel == 4095 && dng.facts.noise.isEmpty)
      let colors = try #require(SimulatedDeviceModel.camera().facts.sensorColors)
      #expect(
        zip(try #require(dng.facts.colors.first).matrix, [colors.red.x, colors.red.y, colors.red.z])
          .allSatisfy { abs($0 - $1) < 1e-4 })
      #expect(dng.facts.orientation == photo.metadata[kCGImagePropertyOrientation as String] as? Int)
      #expect(dng.preview.map { StillFormat(detecting: $0) } == .jpeg)
      #expect(
        dng.exif[ExifTag(.exif, 0x8827)] != nil && dng.facts.cameraModel == "Obscura Simulated Test Camera")
      // Both developed, the file and the buffer with the photo's metadata, show a grey wall.
      for filter in [
        CIRAWFilter(imageData: file, identifierHint: nil),
        CIRAWFilter(cvPixelBuffer: mosaic, properties: photo.metadata),
      ] {
        let filter = try #require(filter)
        filter.orientation = .up
        let image = try #require(filter.outputImage)
        var pixel = [UInt8](repeating: 0, count: 4)
        pixel.withUnsafeMutableBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          CIContext().render(
            image, toBitmap: base, rowBytes: 4, bounds: CGRect(x: 20, y: 20, width: 1, height: 1),
            format: .RGBA8,
            colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
        }
        #expect((pixel[..<3].max() ?? 0) - (pixel[..<3].min() ?? 0) <= 6 && (60...220).contains(pixel[1]))
      }
      #expect(
        stage.delegate.steps.withLock { $0 } == RecordingPhotoDelegate.success(settings.uniqueID))
    }

    @Test func `a raw picture comes before the processed one of the same exposure`() throws {
      let stage = try Stage()
      // HDR presses the highlights of the processed one together.
      let device = stage.rig.device
      try device.lockForConfiguration()
      device.automaticallyAdjustsVideoHDREnabled = false
      device.isVideoHDREnabled = false
      device.unlockForConfiguration()
      stage.rig.advance(frames: 3)
      let settings = AVCapturePhotoSettings(rawPixelFormatType: Self.format, processedFormat: Self.jpeg)
      let photos = try stage.take(settings)
      #expect(photos.map(\.isRawPhoto) == [true, false] && photos.map(\.photoCount) == [1, 2])
      #expect(photos.allSatisfy { $0.resolvedSettings === photos[0].resolvedSettings })
      #expect(photos[0].resolvedSettings.expectedPhotoCount == 2)
      #expect(photos[0].resolvedSettings.photoDimensions.width == 320)
      #expect(photos[0].resolvedSettings.rawPhotoDimensions.width == 320)
      #expect(photos[0].timestamp == photos[1].timestamp)
      #expect(photos[0].frameSequenceNumber == photos[1].frameSequenceNumber)
      #expect(photos[1].pixelBuffer == nil)
      let file = try #require(photos[1].fileDataRepresentation())
      #expect(StillFormat(detecting: file) == .jpeg)
      let id = settings.uniqueID
      #expect(
        stage.delegate.steps.withLock { $0 } == [
          .willBegin(id), .willCapture(id), .didCapture(id), .processed(id, failed: false),
          .processed(id, failed: false), .finished(id, failed: false),
        ])
      // What the numbers are developed to is what the camera itself made of the exposure.
      let mosaic = try #require(photos[0].pixelBuffer)
      var facts = RawFacts()
      facts.blackLevels = [256]
      facts.whiteLevel = 4095
      let colors = try #require(SimulatedDeviceModel.camera().facts.sensorColors)
      let gains = try #require(photos[0].controls?.whiteBalanceGains)
      facts.gains = SIMD3(Double(gains.red), Double(gains.green), Double(gains.blue))
      facts.matrix = try #require(
        RawFacts.matrix(fromXYZ: [colors.red, colors.green, colors.blue].flatMap { [$0.x, $0.y, $0.z] }))
      let developed = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 320, height: 240)
      try RawDeveloper.develop(mosaic, facts, into: developed)
      let picture = try PixelTransformer().apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: JPEGDecoder.decode(file))
      for (x, y) in [(160, 30), (80, 72), (240, 72), (160, 168), (20, 220)] {
        let (ours, theirs) = (developed.planes[0].row(y), picture.planes[0].row(y))
        for color in 0..<3 {
          #expect(abs(Int(ours[4 * x + color]) - Int(theirs[4 * x + color])) <= 6, "\(x), \(y), \(color)")
        }
      }
    }

    @Test func `a raw bracket has both pictures of each exposure`() throws {
      let stage = try Stage()
      let photos = try stage.take(bracket([-1, 0, 1], Self.jpeg))
      #expect(photos.count == 6 && photos[0].resolvedSettings.expectedPhotoCount == 6)
      #expect(photos.map(\.isRawPhoto) == [true, false, true, false, true, false])
      #expect(photos.map(\.photoCount) == Array(1...6))
      #expect(photos.map(\.sequenceCount) == [1, 1, 2, 2, 3, 3])
      let settings = photos.map {
        ($0.bracketSettings as? AVCaptureAutoExposureBracketedStillImageSettings)?.exposureTargetBias
      }
      #expect(settings == [-1, -1, 0, 0, 1, 1])
      let lights = photos.compactMap(\.pixelBuffer).map { mean($0) - 256 }
      #expect(lights.count == 3)
      // A stop is twice the light, but for what is cut off at white.
      #expect(abs(lights[1] / lights[0] - 2) < 0.2 && lights[2] / lights[1] > 1.5)
      let alone = try stage.take(
        AVCapturePhotoBracketSettings(
          rawPixelFormatType: Self.format, rawFileType: .dng, processedFormat: nil, processedFileType: nil,
          bracketedSettings: bracket([-1, 1], nil).bracketedSettings))
      #expect(alone.map(\.isRawPhoto) == [true, true] && alone.map(\.sequenceCount) == [1, 2])
    }

    @Test func `a thumbnail that is asked for has its size, and can be taken out again`() throws {
      let stage = try Stage()
      let settings = AVCapturePhotoSettings(rawPixelFormatType: Self.format)
      #expect(settings.availableRawEmbeddedThumbnailPhotoCodecTypes == [.jpeg])
      #expect(AVCapturePhotoSettings().availableRawEmbeddedThumbnailPhotoCodecTypes.isEmpty)
      settings.rawEmbeddedThumbnailPhotoFormat = [
        AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 80, AVVideoHeightKey: 80,
      ]
      let photo = try #require(try stage.take(settings).first)
      #expect(photo.resolvedSettings.rawEmbeddedThumbnailDimensions.width == 80)
      #expect(photo.resolvedSettings.rawEmbeddedThumbnailDimensions.height == 60)
      #expect(photo.embeddedThumbnailPhotoFormat?[AVVideoWidthKey] as? Int == 80)
      let file = try #require(photo.fileDataRepresentation())
      let bare = try #require(photo.fileDataRepresentation(with: Stripper()))
      #expect(bare.count < file.count)
      // Without a preview the mosaic's is the first directory: no JPEG is left in the file.
      #expect(file.firstRange(of: Data([0xFF, 0xD8, 0xFF])) != nil)
      #expect(bare.prefix(2000).firstRange(of: Data([0xFF, 0xD8, 0xFF])) == nil)
    }

    /// Takes metadata and thumbnail out of a file.
    private final class Stripper: AVCapturePhotoFileDataRepresentationCustomizer {
      func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { nil }
    }

    @Test func `mistakes are those of Apple's header`() throws {
      let stage = try Stage()
      func raw(
        _ change: (AVCapturePhotoSettings) -> Void = { _ in }, format: OSType = RawPhotos.format,
        file: AVFileType? = nil
      ) -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(
          rawPixelFormatType: format, rawFileType: file, processedFormat: nil, processedFileType: nil)
        change(settings)
        return settings
      }
      let wrong: [(AVCapturePhotoSettings, String)] = [
        (raw(format: kCVPixelFormatType_14Bayer_BGGR), "availableRawPhotoPixelFormatTypes"),
        (raw(file: .jpg), "availableRawPhotoFileTypes"),
        (raw { $0.photoQualityPrioritization = .balanced }, "photoQualityPrioritization"),
        (raw { $0.isAutoStillImageStabilizationEnabled = true }, "isAutoStillImageStabilizationEnabled"),
        (raw { $0.embeddedThumbnailPhotoFormat = Self.jpeg }, "embeddedThumbnailPhotoFormat"),
        (raw { $0.rawEmbeddedThumbnailPhotoFormat = [:] }, "rawEmbeddedThumbnailPhotoFormat"),
      ]
      for (settings, word) in wrong {
        let rule = try #require(stage.mistake(settings))
        #expect(rule.contains(word), "\(rule)")
      }
      let plain = AVCapturePhotoSettings()
      plain.rawEmbeddedThumbnailPhotoFormat = Self.jpeg
      #expect(try #require(stage.mistake(plain)).contains("rawPhotoPixelFormatType"))
      try stage.rig.device.lockForConfiguration()
      stage.rig.device.videoZoomFactor = 2
      stage.rig.device.unlockForConfiguration()
      #expect(try #require(stage.mistake(raw())).contains("videoZoomFactor"))
      // A press that is refused calls back for each picture that was to come.
      let both = AVCapturePhotoSettings(rawPixelFormatType: Self.format, processedFormat: Self.jpeg)
      let count = stage.delegate.photos.withLock { $0.count }
      #expect(stage.mistake(both) != nil)
      #expect(stage.delegate.wait(for: wrong.count + 3))
      #expect(
        stage.delegate.photos.withLock { $0.dropFirst(count) }.suffix(2).map(\.isRawPhoto) == [true, false])
    }

    @Test func `a camera that sends nothing but its sensor's numbers gives photos of both kinds`() throws {
      let layout = MosaicLayout(pixelFormat: Self.format, bits: 12)
      let stage = try Stage(encodings: [.mosaic(layout)])
      #expect(stage.rig.device.activeFormat.formatDescription.mediaSubType.rawValue == Self.format)
      let photos = try stage.take(
        AVCapturePhotoSettings(rawPixelFormatType: Self.format, processedFormat: Self.jpeg))
      #expect(photos.map(\.isRawPhoto) == [true, false])
      let file = try #require(photos.last?.fileDataRepresentation())
      let picture = try PixelTransformer().apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: JPEGDecoder.decode(file))
      // The grey wall, and the red card.
      let wall = (0..<3).map { Int(picture.planes[0].row(220)[80 + $0]) }
      #expect((wall.max() ?? 0) - (wall.min() ?? 0) <= 6 && (90...220).contains(wall[0]))
      let card = (0..<3).map { Int(picture.planes[0].row(72)[320 + $0]) }
      #expect(card[2] > card[1] + 60 && card[2] > card[0] + 60)
    }

    @Test func `data outputs get the developed pictures of such a camera`() throws {
      let layout = MosaicLayout(pixelFormat: Self.format, bits: 12)
      let stage = try Stage(encodings: [.mosaic(layout)], isRunning: false)
      let (output, delegate) = (AVCaptureVideoDataOutput(), RecordingVideoDelegate())
      output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "raw-frames"))
      stage.rig.session.addOutput(output)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 4)
      let sample = try #require(delegate.samples.withLock { $0.last })
      let frame = try #require(sample.buffer.imageBuffer)
      #expect(CVPixelBufferGetPixelFormatType(frame) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      let picture = try PixelTransformer().apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: frame)
      #expect(picture.width == 320 && picture.height == 240)
      let wall = (0..<3).map { Int(picture.planes[0].row(220)[80 + $0]) }
      #expect((wall.max() ?? 0) - (wall.min() ?? 0) <= 6 && (60...220).contains(wall[0]))
      let card = (0..<3).map { Int(picture.planes[0].row(72)[320 + $0]) }
      #expect(card[2] > card[1] + 60 && card[2] > card[0] + 60)
    }

    @Test func `the older delegate gets the numbers as a sample buffer, and makes a file of it`() throws {
      let stage = try Stage()
      let delegate = OlderDelegate()
      stage.output.capturePhoto(
        with: AVCapturePhotoSettings(rawPixelFormatType: Self.format), delegate: delegate)
      stage.rig.advance(frames: 3)
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      let seen = try #require(delegate.seen.wait(until: deadline, for: { $0 != nil }, then: { $0 }) ?? nil)
      let dng = try DNGDecoder.decode(#require(seen.file))
      #expect(seen.format == Self.format && dng.mosaic.format == Self.format)
      #expect(dng.facts.blackLevels == [256] && dng.facts.whiteLevel == 4095)
      #expect(dng.facts.colors.count == 1 && dng.facts.neutral != nil && dng.preview == nil)
      #expect((400...2500).contains(mean(dng.mosaic)) && dng.exif[ExifTag(.exif, 0x8827)] != nil)
      #expect(seen.withPreview.flatMap { try? DNGDecoder.decode($0).preview } != nil)
    }

    /// Hears of raw pictures as programs of the first years did.
    private final class OlderDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
      struct Seen: Sendable {
        let format: OSType
        let file: Data?
        let withPreview: Data?
      }

      let seen = Monitor<Seen?>(nil)

      func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingRawPhoto rawSampleBuffer: CMSampleBuffer?,
        previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?,
        resolvedSettings: AVCaptureResolvedPhotoSettings,
        bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
      ) {
        guard let sample = rawSampleBuffer, let buffer = sample.imageBuffer else { return }
        let picture = try? CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 32, height: 24)
        let preview = picture.flatMap { picture in
          try? CMSampleBuffer(
            imageBuffer: picture, formatDescription: CMFormatDescription(imageBuffer: picture),
            sampleTiming: CMSampleTimingInfo(
              duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
        }
        let found = Seen(
          format: CVPixelBufferGetPixelFormatType(buffer),
          file: AVCapturePhotoOutput.dngPhotoDataRepresentation(
            forRawSampleBuffer: sample, previewPhotoSampleBuffer: nil),
          withPreview: AVCapturePhotoOutput.dngPhotoDataRepresentation(
            forRawSampleBuffer: sample, previewPhotoSampleBuffer: preview))
        seen.withLock { $0 = found }
      }
    }
  }
}
