import AVFoundation
import CaptureDevice
import CoreMedia
import CoreVideo
import Foundation
import Linux
import PhotoProcessing
import PixelTransforms
import StillCodecs
import Testing

@Suite("PhotoDeveloper")
struct PhotoDeveloperTests {
  private let developer = PhotoDeveloper()

  private func buffer(_ format: OSType, _ width: Int = 64, _ height: Int = 48) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
    return try #require(buffer)
  }

  private func frame(_ picture: CapturedFrame.Picture) -> CapturedFrame {
    CapturedFrame(picture: picture, timestamp: MonotonicInstant(nanoseconds: 0), sequence: 0)
  }

  private func request(
    _ encoding: PhotoEncoding, preview: PhotoPreviewRequest? = nil, thumbnail: PhotoThumbnailRequest? = nil
  ) -> PhotoProcessingRequest {
    PhotoProcessingRequest(
      uniqueID: 1, encoding: encoding, preview: preview, thumbnail: thumbnail,
      camera: PhotoCamera(make: "", model: ""))
  }

  @Test(arguments: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8_yuvs])
  func `what goes into a file is not touched`(format: OSType) throws {
    let pixels = try buffer(format)
    let negative = try developer.develop(frame(.pixels(pixels)), for: request(.jpeg(quality: nil)))
    #expect(negative.picture === pixels)
    #expect(negative.preview == nil)
    #expect(negative.thumbnail == nil)
  }

  @Test func `what a client gets as pixels is in the format it asked for`() throws {
    let pixels = try buffer(kCVPixelFormatType_422YpCbCr8_yuvs)
    let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    let negative = try developer.develop(frame(.pixels(pixels)), for: request(.pixels(format)))
    #expect(CVPixelBufferGetPixelFormatType(negative.picture) == format)
  }

  @Test func `preview and thumbnail are made in the asked sizes`() throws {
    let pixels = try buffer(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    let preview = PhotoPreviewRequest(format: [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
      kCVPixelBufferWidthKey as String: 32, kCVPixelBufferHeightKey as String: 32,
    ])
    let thumbnail = PhotoThumbnailRequest(format: [
      AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 16, AVVideoHeightKey: 16,
    ])
    let negative = try developer.develop(
      frame(.pixels(pixels)), for: request(.jpeg(quality: 0.9), preview: preview, thumbnail: thumbnail))
    let small = try #require(negative.preview)
    #expect(CVPixelBufferGetPixelFormatType(small) == kCVPixelFormatType_32BGRA)
    #expect(CVPixelBufferGetWidth(small) == 32)
    #expect(CVPixelBufferGetHeight(small) == 24)
    #expect(CVPixelBufferGetWidth(try #require(negative.thumbnail)) == 16)
  }

  /// Apple: a preview keeps the photo's aspect and matches the longer of the two dimensions asked for; a client that gives one must
  /// give both.
  @Test func `a preview's larger side counts, and one side alone is no size`() throws {
    func request(_ sides: [CFString: Int]) -> PhotoPreviewRequest? {
      var format: [String: Any] = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
      for (key, side) in sides { format[key as String] = side }
      return PhotoPreviewRequest(format: format)
    }
    #expect(request([kCVPixelBufferWidthKey: 160, kCVPixelBufferHeightKey: 90])?.longerSide == 160)
    #expect(request([kCVPixelBufferWidthKey: 90, kCVPixelBufferHeightKey: 160])?.longerSide == 160)
    #expect(request([:])?.longerSide == 1920)
    #expect(request([kCVPixelBufferWidthKey: 160]) == nil)
    #expect(request([kCVPixelBufferHeightKey: 160]) == nil)
  }

  @Test func `a JPEG frame is decoded, a damaged one is an error`() throws {
    let file = try JPEGEncoder.encode(try buffer(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
    let size = FrameSize(width: 64, height: 48)
    func picture(_ data: Data) -> CapturedFrame.Picture {
      .jpeg(data.withUnsafeBytes { CMBlockBuffer(copying: $0) }, size)
    }
    let negative = try developer.develop(frame(picture(file)), for: request(.jpeg(quality: 0.9)))
    #expect(negative.size == size)
    for broken in [Data(), Data(file.prefix(file.count / 2)), Data(repeating: 7, count: 100)] {
      #expect(throws: StillCodecError.self) {
        try developer.develop(frame(picture(broken)), for: request(.jpeg(quality: 0.9)))
      }
    }
    #expect(throws: StillCodecError.self) {
      let liar = CapturedFrame.Picture.jpeg(
        file.withUnsafeBytes { CMBlockBuffer(copying: $0) }, FrameSize(width: 640, height: 480))
      _ = try developer.develop(frame(liar), for: request(.jpeg(quality: 0.9)))
    }
  }

  @Test func `the camera's own JPEG goes into the file unless another quality is asked for`() throws {
    let pixels = try buffer(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    let file = try JPEGEncoder.encode(pixels)
    let padded = file + Data(repeating: 0, count: 64)
    let camera = frame(
      .jpeg(padded.withUnsafeBytes { CMBlockBuffer(copying: $0) }, FrameSize(width: 64, height: 48)))
    let kept = try developer.develop(camera, for: request(.jpeg(quality: nil)))
    #expect(kept.cameraFile == file)
    #expect(try developer.develop(camera, for: request(.jpeg(quality: 0.5))).cameraFile == nil)
    #expect(try developer.develop(camera, for: request(.heic(quality: nil))).cameraFile == nil)
    #expect(
      try developer.develop(frame(.pixels(pixels)), for: request(.jpeg(quality: nil))).cameraFile == nil)

    let metadata = PhotoMetadata(["Orientation": 6])
    let written = try PhotoEncoder().encode(kept, metadata: metadata, for: request(.jpeg(quality: nil)))
    #expect(try StillFacts(written).orientation == 6)
    // From the first table on, every byte is the camera's.
    let table = try #require(file.range(of: Data([0xFF, 0xDB]))).lowerBound
    #expect(written.suffix(file.count - table) == file.suffix(from: table))
  }

  @Test(arguments: [
    (FrameSize(width: 4032, height: 3024), 160, 160, FrameSize(width: 160, height: 120)),
    (FrameSize(width: 4032, height: 3024), 1920, 1440, FrameSize(width: 1920, height: 1440)),
    (FrameSize(width: 640, height: 480), 1920, 1440, FrameSize(width: 640, height: 480)),
    (FrameSize(width: 4032, height: 3024), 10_000, 3, FrameSize(width: 4, height: 2)),
    (FrameSize(width: 1920, height: 1080), 100, 1000, FrameSize(width: 100, height: 56)),
  ])
  func `pictures fit into their bounds, keep their shape and never grow`(
    size: FrameSize, width: Int, height: Int, expected: FrameSize
  ) {
    #expect(PhotoDeveloper.size(size, within: width, height) == expected)
  }
}
