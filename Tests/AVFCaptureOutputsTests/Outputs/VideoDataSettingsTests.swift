import AVFoundation
import CaptureDevice
import Testing

@Suite("VideoDataSettings: reading videoSettings")
struct VideoDataSettingsTests {
  private let formatKey = kCVPixelBufferPixelFormatTypeKey as String
  private let widthKey = kCVPixelBufferWidthKey as String
  private let heightKey = kCVPixelBufferHeightKey as String

  private func read(_ settings: [String: Any]?) -> VideoDataSettings? {
    VideoDataSettings(settings, pixelFormats: VideoDataSettings.pixelFormats)
  }

  @Test func `nothing, an empty dictionary and keys are three different wishes`() {
    #expect(read(nil) == .standard)
    #expect(read([:]) == .native)
    #expect(
      read([formatKey: kCVPixelFormatType_32BGRA])
        == .explicit(pixelFormat: kCVPixelFormatType_32BGRA, size: nil))
    #expect(
      read([widthKey: 640, heightKey: 480.0])
        == .explicit(pixelFormat: nil, size: FrameSize(width: 640, height: 480)))
  }

  @Test func `half a size, an unknown format and an unknown key are refused`() {
    #expect(read([widthKey: 640]) == nil)
    #expect(read([widthKey: 0, heightKey: 480]) == nil)
    #expect(read([formatKey: OSType(7)]) == nil)
    #expect(read([formatKey: "420v"]) == nil)
    #expect(read(["Quality": 1]) == nil)
  }

  @Test func `native keeps what the device has, standard wants 4:2:0 in two planes`() {
    let packed = FrameEncoding.pixels(kCVPixelFormatType_422YpCbCr8_yuvs)
    let full = FrameEncoding.pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    #expect(VideoDataSettings.native.pixelFormat(for: packed) == kCVPixelFormatType_422YpCbCr8_yuvs)
    #expect(
      VideoDataSettings.standard.pixelFormat(for: packed) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    #expect(
      VideoDataSettings.standard.pixelFormat(for: full) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    for settings in [VideoDataSettings.native, .standard] {
      #expect(settings.pixelFormat(for: .motionJPEG) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    }
  }

  @Test func `a named format is what is delivered, whatever the device sends`() {
    let settings = VideoDataSettings.explicit(pixelFormat: kCVPixelFormatType_32BGRA, size: nil)
    #expect(settings.pixelFormat(for: .motionJPEG) == kCVPixelFormatType_32BGRA)
  }
}
