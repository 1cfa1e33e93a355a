public import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import Linux

/// The frames of a video composition over several tracks.
///
/// Apple: `AVAssetReaderVideoCompositionOutput`.
open class AVAssetReaderVideoCompositionOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The tracks.
  ///
  /// Apple: `AVAssetReaderVideoCompositionOutput.videoTracks`.
  public let videoTracks: [AVAssetTrack]

  override var tracks: [AVAssetTrack] { videoTracks }
  /// What comes out: a pixel format.
  ///
  /// Apple: `AVAssetReaderVideoCompositionOutput.videoSettings`.
  public let videoSettings: [String: Any]?
  private let composition = Locked<AVVideoComposition?>(nil)
  /// Held while a frame is rendered; a client's filters run on a queue of their own meanwhile.
  private let rendering = Lock()
  nonisolated(unsafe) private var renderers: ArraySlice<CompositionRenderer> = []  // Safe: under `rendering`.
  nonisolated(unsafe) private var isOver = false  // Safe because it is reached under `rendering`.

  private let hasUsableSettings: Bool

  /// An output of tracks.
  ///
  /// - Parameter videoSettings: Pixel buffer attributes; a codec among them is a programming mistake, and such an output cannot be
  ///   added.
  ///
  /// Apple: `AVAssetReaderVideoCompositionOutput.init(videoTracks:videoSettings:)`.
  public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) {
    self.videoTracks = videoTracks
    self.videoSettings = videoSettings
    hasUsableSettings = ReaderSettings.check(videoSettings, .video, "AVAssetReaderVideoCompositionOutput")
    super.init()
  }

  /// The composition; must be set before reading begins.
  ///
  /// A composition without a frame duration above zero, a size or instructions is a programming mistake, and is not set.
  ///
  /// Apple: `AVAssetReaderVideoCompositionOutput.videoComposition`.
  open var videoComposition: AVVideoComposition? {
    get { composition.withLock { $0 } }
    set {
      if let newValue,
        !newValue.isAcceptable(
          for: "AVAssetReaderVideoCompositionOutput.videoComposition", takesTool: true)
      {
        return
      }
      let old = composition.withLock { composition in
        defer { composition = newValue }
        return composition
      }
      withExtendedLifetime(old) {}
    }
  }

  open override var mediaType: AVMediaType { .video }

  override func canBelong(to asset: AVAsset) -> Bool {
    super.canBelong(to: asset) && hasUsableSettings && !videoTracks.isEmpty
      && videoTracks.allSatisfy { $0.asset === asset }
  }

  override func open(_ range: CMTimeRange) throws { try restart([range]) }

  override func restart(_ ranges: [CMTimeRange]) throws {
    guard let composition = videoComposition else {
      throw AVError(.invalidVideoComposition, because: "The output has no video composition.")
    }
    let format =
      PixelFormatChoice.codes(videoSettings?[kCVPixelBufferPixelFormatTypeKey]).first
      ?? kCVPixelFormatType_32BGRA
    let end = videoTracks.compactMap(\.asset).map(\.duration).max() ?? .zero
    let opened = try ranges.map { range in
      try CompositionRenderer(composition, tracks: videoTracks, range: range, end: end, pixelFormat: format)
    }
    rendering.withLock {
      renderers = opened[...]
      isOver = false
    }
  }

  override var isAtEnd: Bool { rendering.withLock { isOver } }

  open override func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard let reader = readingReader else { return nil }
    return finished(
      rendering.withLock {
        Result { () throws -> CMSampleBuffer? in
          while !isOver, let renderer = renderers.first {
            if let frame = try renderer.frame() { return frame }
            renderers.removeFirst()
          }
          return nil
        }
      }, reader)
  }

  private func finished(_ result: Result<CMSampleBuffer?, any Error>, _ reader: AVAssetReader)
    -> CMSampleBuffer?
  {
    switch result {
    case .success(let sample?): return sample
    case .failure(let error):
      reader.fail(TrackDecoding.error(error))
      return nil
    case .success(nil):
      let isFirst = rendering.withLock {
        defer { isOver = true }
        return !isOver
      }
      if isFirst, !mayReset { reader.outputEnded() }
      return nil
    }
  }
}
