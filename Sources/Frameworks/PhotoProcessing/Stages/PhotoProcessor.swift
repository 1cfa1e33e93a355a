package import CameraFrames
package import CaptureDevice
package import CoreVideo

/// The stages of a photo that need neither camera nor client: fuse, develop, encode.
///
/// The one place where photos are finished, at once or later: the same frames and request give the same bytes. Thread-safe;
/// its pools of memory serve all photos that pass it.
package struct PhotoProcessor: Sendable {
  private let fusion = PhotoFusion()
  private let developer = PhotoDeveloper()
  private let encoder = PhotoEncoder()

  /// A processor without any memory yet.
  package init() {}

  /// Makes the pictures that `request` asks for of a picture's frames.
  ///
  /// In little light they are fused before; else the first is developed as it is.
  ///
  /// - Parameters:
  ///   - frames: At least one, the one whose moment the photo shows first.
  ///   - processor: The way to their pictures; `nil` for frames from a file.
  /// - Throws: As ``PhotoDeveloper/develop(_:for:by:)`` and ``PhotoFusion/fuse(_:for:decode:)``.
  package func develop(
    _ frames: [CapturedFrame], for request: PhotoProcessingRequest, by processor: FrameProcessor? = nil
  ) throws -> PhotoDeveloper.Negative {
    precondition(!frames.isEmpty, "A picture has at least one frame.")
    let fused = try fusion.fuse(frames, for: request) { try developer.picture(of: $0, by: processor) }
    guard let fused else { return try developer.develop(frames[0], for: request, by: processor) }
    var negative = try developer.develop(fused.frame, for: request)
    negative.frames = (used: fused.mergedCount, taken: frames.count)
    return negative
  }

  /// As ``PhotoDeveloper/picture(of:by:)``.
  package func picture(of frame: CapturedFrame, by processor: FrameProcessor) throws -> CVPixelBuffer {
    try developer.picture(of: frame, by: processor)
  }

  /// As ``PhotoDeveloper/shown(_:for:)``.
  package func shown(_ picture: CVPixelBuffer, for request: PhotoProcessingRequest) throws -> CVPixelBuffer {
    try developer.shown(picture, for: request)
  }

  /// Writes the developed picture as a file with its metadata, or hands its pixels over where those were asked for.
  ///
  /// - Throws: `StillCodecError`.
  package func encode(
    _ negative: PhotoDeveloper.Negative, for request: PhotoProcessingRequest
  ) throws -> PhotoResult {
    try PhotoResult(of: negative, request, encoder)
  }

  /// All stages, one after the other.
  ///
  /// - Throws: What the stages throw.
  package func process(
    _ frames: [CapturedFrame], for request: PhotoProcessingRequest, by processor: FrameProcessor? = nil
  ) throws -> PhotoResult {
    var request = request
    request.frame = request.frame ?? frames.first.map { PhotoFrameFacts($0) }
    return try encode(develop(frames, for: request, by: processor), for: request)
  }
}
