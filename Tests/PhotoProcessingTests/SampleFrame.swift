import CaptureDevice
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import ImageIO
import Linux
import PhotoProcessing
import StillCodecs

/// Frames of 320×240 pixels as cameras send them.
enum SampleFrame: CaseIterable {
  case pixels, jpeg

  /// A frame with a pattern that no two rows share.
  func frame() throws -> CapturedFrame {
    let pixels = try Self.picture()
    let picture: CapturedFrame.Picture
    switch self {
    case .pixels: picture = .pixels(pixels)
    case .jpeg:
      let file = try JPEGEncoder.encode(pixels, options: JPEGEncoder.Options())
      picture = .jpeg(
        file.withUnsafeBytes { CMBlockBuffer(copying: $0) }, FrameSize(width: 320, height: 240))
    }
    return CapturedFrame(
      picture: picture, timestamp: MonotonicInstant(nanoseconds: 1_500_000_000), sequence: 45,
      conditions: FrameConditions(exposure: FrameExposure(durationNanoseconds: 8_333_333, iso: 64)))
  }

  private static func picture() throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 320, 240, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    guard let made else { throw DeferredPhotoError.unsuitable }
    for (number, plane) in made.planes.enumerated() {
      for row in 0..<plane.height {
        let bytes = plane.row(row)
        for column in bytes.indices {
          bytes[column] = UInt8(truncatingIfNeeded: row &* 3 &+ column &* (number + 1) &+ row &* column / 50)
        }
      }
    }
    CVBufferSetAttachments(
      made,
      [
        kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_P3_D65,
        kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_sRGB,
        kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_601_4,
      ], .shouldPropagate)
    return made
  }

  /// A request with something in every part that a file shows.
  static func request(_ encoding: PhotoEncoding, _ frame: CapturedFrame) -> PhotoProcessingRequest {
    var request = PhotoProcessingRequest(
      uniqueID: 3, encoding: encoding, orientation: .right, prioritization: .quality,
      camera: PhotoCamera(make: "Maker", model: "Model"),
      clientMetadata: PhotoMetadata(["{GPS}": ["Latitude": 1.25]]))
    request.thumbnail = PhotoThumbnailRequest(format: ["AVVideoCodecKey": "jpeg"])
    request.frame = PhotoFrameFacts(frame)
    return request
  }
}

/// A folder for one test.
enum TemporaryFolder {
  static func use(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }
}
