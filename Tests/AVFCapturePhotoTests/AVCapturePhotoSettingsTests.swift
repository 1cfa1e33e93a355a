import AVFoundation
import PhotoProcessing
import Testing

@Suite("AVCapturePhotoSettings")
struct AVCapturePhotoSettingsTests {
  @Test func `unique identifiers grow`() {
    let first = AVCapturePhotoSettings()
    let second = AVCapturePhotoSettings(from: first)
    #expect(second.uniqueID > first.uniqueID)
  }

  @Test func `a format is a codec or pixels, and the codec is one`() {
    let pixels = kCVPixelBufferPixelFormatTypeKey as String
    let wrong: [[String: Any]] = [
      [AVVideoCodecKey: AVVideoCodecType.jpeg, pixels: kCVPixelFormatType_32BGRA],
      [AVVideoCodecKey: "jpeg", pixels: NSNumber(value: kCVPixelFormatType_32BGRA)],
      [AVVideoCodecKey: "nothing"], [AVVideoCodecKey: AVVideoCodecType(rawValue: "xxxx")],
      [AVVideoCodecKey: 7],
    ]
    for format in wrong {
      #expect(ProgrammingMistake.collect { _ = AVCapturePhotoSettings(format: format) }.count == 1)
      let raw = ProgrammingMistake.collect {
        _ = AVCapturePhotoSettings(rawPixelFormatType: 0, processedFormat: format)
      }
      #expect(raw.count == 1)
      let bracket = ProgrammingMistake.collect {
        _ = AVCapturePhotoBracketSettings(
          rawPixelFormatType: 0, processedFormat: format,
          bracketedSettings: [
            AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 0)
          ])
      }
      #expect(bracket.count == 1)
    }
    let right: [[String: Any]?] = [
      nil, [AVVideoCodecKey: AVVideoCodecType.hevc], [AVVideoCodecKey: "jpeg"],
      [pixels: kCVPixelFormatType_32BGRA],
      // Which codecs an output has is known at the press.
      [AVVideoCodecKey: AVVideoCodecType.h264],
    ]
    for format in right {
      #expect(ProgrammingMistake.collect { _ = AVCapturePhotoSettings(format: format) }.isEmpty)
    }
  }

  @Test func `a copy is the same request`() {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
    settings.metadata = ["{GPS}": ["Latitude": 1.0]]
    let copy = settings.copy() as? AVCapturePhotoSettings
    #expect(copy?.uniqueID == settings.uniqueID)
    #expect(copy?.processedFileType == .heic)
    #expect(copy?.metadata.keys.first == "{GPS}")
  }

  @Test func `every wish is taken over into the next request`() {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
    settings.isHighResolutionPhotoEnabled = true
    settings.maxPhotoDimensions = CMVideoDimensions(width: 640, height: 480)
    settings.photoQualityPrioritization = .speed
    settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.jpeg]
    settings.flashMode = .auto
    let next = AVCapturePhotoSettings(from: settings)
    #expect(next.processedFileType == .heic)
    #expect(next.isHighResolutionPhotoEnabled)
    #expect(next.maxPhotoDimensions.width == 640)
    #expect(next.photoQualityPrioritization == .speed)
    #expect(next.previewPhotoFormat?.count == 1)
    #expect(next.embeddedThumbnailPhotoFormat?.count == 1)
    #expect(next.flashMode == .auto)
  }

  @Test func `the default is JPEG without extras`() {
    let settings = AVCapturePhotoSettings()
    #expect(settings.format?[AVVideoCodecKey] as? AVVideoCodecType == .jpeg)
    #expect(settings.processedFileType == .jpg)
    #expect(settings.flashMode == .off)
    #expect(settings.photoQualityPrioritization == .balanced)
    #expect(settings.previewPhotoFormat == nil)
    #expect(settings.embeddedThumbnailPhotoFormat == nil)
    #expect(settings.availableEmbeddedThumbnailPhotoCodecTypes == [.jpeg])
  }

  @Test func `an uncompressed photo has no file and previews in its own format first`() {
    let format = kCVPixelFormatType_32BGRA
    let settings = AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: format])
    #expect(settings.processedFileType == nil)
    #expect(settings.availablePreviewPhotoPixelFormatTypes.first == format)
    #expect(settings.availableEmbeddedThumbnailPhotoCodecTypes.isEmpty)
  }
}

@Suite("PhotoEncoding: reading the format dictionary")
struct PhotoEncodingTests {
  @Test func `a codec may be typed or spelled`() {
    #expect(PhotoEncoding(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]) == .jpeg(quality: nil))
    #expect(PhotoEncoding(format: [AVVideoCodecKey: "hvc1"]) == .heic(quality: nil))
  }

  @Test func `a quality is honoured and kept between 0 and 1`() {
    func format(_ quality: Any) -> [String: Any] {
      [AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoCompressionPropertiesKey: [AVVideoQualityKey: quality]]
    }
    #expect(PhotoEncoding(format: format(0.5)) == .jpeg(quality: 0.5))
    #expect(PhotoEncoding(format: format(Float(0.25))) == .jpeg(quality: 0.25))
    #expect(PhotoEncoding(format: format(7)) == .jpeg(quality: 1))
    #expect(PhotoEncoding(format: format(-1)) == .jpeg(quality: 0))
  }

  @Test func `a pixel format may come as any number`() {
    let key = kCVPixelBufferPixelFormatTypeKey as String
    let format = kCVPixelFormatType_32BGRA
    #expect(PhotoEncoding(format: [key: format]) == .pixels(format))
    #expect(PhotoEncoding(format: [key: Int(format)]) == .pixels(format))
    #expect(PhotoEncoding(format: [key: NSNumber(value: format)]) == .pixels(format))
  }

  @Test func `neither, both, or an unknown codec is no format`() {
    let key = kCVPixelBufferPixelFormatTypeKey as String
    #expect(PhotoEncoding(format: [:]) == nil)
    #expect(PhotoEncoding(format: [AVVideoCodecKey: "avc1"]) == nil)
    #expect(
      PhotoEncoding(format: [AVVideoCodecKey: AVVideoCodecType.jpeg, key: kCVPixelFormatType_32BGRA]) == nil)
  }
}
