package import CaptureDevice

/// The stages of a photo that need neither camera nor client: fuse, develop, encode.
///
/// The one place where photos are finished, at once or later: the same frames and request give the same bytes. Thread-safe;
/// its pools of memory serve all photos that pass it.
package struct PhotoProcessor: Sendable {
  private let developer = PhotoDeveloper()
  private let encoder = PhotoEncoder()

  /// A processor without any memory yet.
  package init() {}

  /// Makes the pictures that `request` asks for of a picture's frames.
  ///
  /// Fusion will merge the frames before this; until then the first is developed.
  ///
  /// - Parameter frames: At least one, the one to develop first.
  /// - Throws: As ``PhotoDeveloper/develop(_:for:)``.
  package func develop(
    _ frames: [CapturedFrame], for request: PhotoProcessingRequest
  ) throws -> PhotoDeveloper.Negative {
    precondition(!frames.isEmpty, "A picture has at least one frame.")
    return try developer.develop(frames[0], for: request)
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
    _ frames: [CapturedFrame], for request: PhotoProcessingRequest
  ) throws -> PhotoResult {
    var request = request
    request.frame = request.frame ?? frames.first.map { PhotoFrameFacts($0) }
    return try encode(develop(frames, for: request), for: request)
  }
}
