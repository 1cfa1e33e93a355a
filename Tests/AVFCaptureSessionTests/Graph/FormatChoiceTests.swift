import AVFCapture
import CaptureDevice
import CoreVideo
import Testing

/// A webcam without a published list: encoding, width, height, frames a second.
struct Webcam: Sendable, CustomTestStringConvertible {
  var name: String
  var formats: [(FrameEncoding, Int, Int, [Int32])]
  /// The expected choice of each preset, as encoding and size.
  var expected: [(AVCaptureSession.Preset, String)]

  var testDescription: String { name }

  var streamFormats: [StreamFormat] {
    formats.map { encoding, width, height, rates in
      StreamFormat(
        size: FrameSize(width: width, height: height), encoding: encoding,
        frameDurations: rates.map { FrameDuration(1, $0)...FrameDuration(1, $0) })
    }
  }

  static let yuyv = FrameEncoding.pixels(kCVPixelFormatType_422YpCbCr8_yuvs)
  static let nv12 = FrameEncoding.pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)

  static let all: [Webcam] = [
    Webcam(
      name: "YUYV only",
      formats: [(yuyv, 640, 480, [30]), (yuyv, 1280, 720, [10]), (yuyv, 1920, 1080, [5])],
      expected: [(.high, "yuvs 640×480"), (.hd1280x720, "yuvs 1280×720"), (.photo, "yuvs 1920×1080")]),
    Webcam(
      name: "nothing fluent at all",
      formats: [(yuyv, 640, 480, [15]), (yuyv, 1600, 1200, [5])],
      expected: [(.high, "yuvs 640×480"), (.photo, "yuvs 1600×1200"), (.medium, "yuvs 640×480")]),
    Webcam(
      name: "25 frames a second",
      formats: [(yuyv, 720, 576, [25]), (yuyv, 352, 288, [25])],
      expected: [(.high, "yuvs 720×576"), (.cif352x288, "yuvs 352×288"), (.low, "yuvs 352×288")]),
    Webcam(
      name: "document camera with a huge slow still mode",
      formats: [(yuyv, 2592, 1944, [2]), (.motionJPEG, 2592, 1944, [15]), (.motionJPEG, 1024, 768, [30])],
      expected: [(.photo, "mjpg 2592×1944"), (.high, "mjpg 1024×768")]),
    Webcam(
      name: "only larger than high",
      formats: [(.motionJPEG, 2560, 1440, [30]), (.motionJPEG, 3840, 2160, [30])],
      expected: [(.high, "mjpg 2560×1440")]),
  ]
}

@Suite("Format choice")
struct FormatChoiceTests {
  @Test(arguments: Webcam.all)
  func `each preset chooses by rate, size and cost`(webcam: Webcam) {
    for (preset, expected) in webcam.expected {
      let formats = webcam.streamFormats
      let choice = FormatChoice.best(of: formats, for: preset)
      #expect(name(choice, in: formats) == expected, "\(preset.rawValue)")
    }
  }

  private func name(_ choice: FormatChoice.Choice?, in formats: [StreamFormat]) -> String {
    guard let choice else { return "none" }
    switch formats[choice.index].encoding {
    case .motionJPEG: return "mjpg \(choice.size)"
    case Webcam.nv12: return "420v \(choice.size)"
    default: return "yuvs \(choice.size)"
    }
  }

  @Test
  func `each preset takes of a real camera's list what its table says`() throws {
    let cameras = try WebcamListings.cameras()
    #expect(cameras.count == 32 && cameras.allSatisfy { !$0.formats.isEmpty && !$0.expected.isEmpty })
    for camera in cameras {
      for (preset, expected) in camera.expected {
        let choice = FormatChoice.best(of: camera.formats.map(\.format), for: preset)
        let name =
          choice.map { "\(camera.formats[$0.index].code) \($0.size.width)x\($0.size.height)" } ?? "none"
        #expect(name == expected, "\(camera.name), \(preset.rawValue)")
      }
    }
  }

  @Test
  func `a format that is wanted natively beats the usual one`() {
    let size = FrameSize(width: 640, height: 480)
    let rate = FrameDuration(1, 30)...FrameDuration(1, 1)
    let formats = [
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    ]
    .map { StreamFormat(size: size, encoding: .pixels($0), frameDurations: [rate]) }
    #expect(FormatChoice.best(of: formats, for: .vga640x480)?.index == 0)
    let wanted = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    #expect(FormatChoice.best(of: formats, for: .vga640x480, wanted: wanted)?.index == 1)
  }

  @Test
  func `a photo streams preview-sized where the device scales`() {
    let photo = StreamFormat(
      size: FrameSize(width: 4032, height: 3024), encoding: Webcam.nv12,
      frameDurations: [FrameDuration(1, 30)...FrameDuration(1, 1)], scalesStream: true, isPhotoQuality: true)
    let choice = FormatChoice.best(of: [photo], for: .photo)
    #expect(choice?.size == FrameSize(width: 1920, height: 1440))
    #expect(FormatChoice.best(of: [photo], for: .vga640x480) == nil, "a photo format is no way to get video")
  }

  @Test
  func `fitting keeps the aspect and even sides`() {
    let bounds = FormatChoice.previewBounds
    #expect(
      FormatChoice.fitted(FrameSize(width: 3088, height: 2320), into: bounds)
        == FrameSize(width: 1916, height: 1440))
    #expect(
      FormatChoice.fitted(FrameSize(width: 640, height: 480), into: bounds)
        == FrameSize(width: 640, height: 480))
    #expect(
      FormatChoice.fitted(FrameSize(width: 3024, height: 4032), into: bounds)
        == FrameSize(width: 1440, height: 1920))
  }
}
