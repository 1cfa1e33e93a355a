public import CoreMedia
internal import CoreVideo
public import Foundation
internal import FoundationExtras
public import GraphicsCore
internal import Linux
internal import MediaFiles
internal import PixelTransforms
internal import StillCodecs
internal import VideoCodecs

/// Makes still pictures of an asset's moments.
///
/// Thread-safe. Apple: `AVAssetImageGenerator`.
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {  // Safe: changes are under a lock.
  /// The outcome of making a picture.
  ///
  /// Apple: `AVAssetImageGenerator.Result`.
  public enum Result: Int, Sendable {
    /// There is a picture.
    case succeeded = 0
    /// There is an error.
    case failed = 1
    /// The client has cancelled it.
    case cancelled = 2
  }

  /// Called for each moment: the requested time, the picture, its time, how it ended, and why it failed.
  ///
  /// Apple: `AVAssetImageGeneratorCompletionHandler`.
  public typealias CompletionHandler =
    @Sendable (CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void

  /// The asset whose pictures are made.
  ///
  /// Apple: `AVAssetImageGenerator.asset`.
  public let asset: AVAsset
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "obscura.image-generator")

  struct State {
    var appliesTransform = false
    var maximumSize = CGSize.zero
    var before = CMTime.positiveInfinity
    var after = CMTime.positiveInfinity
    var composition: AVVideoComposition?
    var aperture: ApertureMode?
    /// Counts up with every cancellation.
    var generation = 0
  }

  /// A generator for an asset.
  ///
  /// Apple: `AVAssetImageGenerator.init(asset:)`.
  public init(asset: AVAsset) {
    self.asset = asset
  }

  /// Whether pictures are turned as the track says; not by default.
  ///
  /// Apple: `AVAssetImageGenerator.appliesPreferredTrackTransform`.
  open var appliesPreferredTrackTransform: Bool {
    get { state.withLock { $0.appliesTransform } }
    set { state.withLock { $0.appliesTransform = newValue } }
  }

  /// The size in which a picture must fit, with its shape kept; zero (the default) is no bound, also in one direction.
  ///
  /// Apple: `AVAssetImageGenerator.maximumSize`.
  open var maximumSize: CGSize {
    get { state.withLock { $0.maximumSize } }
    set { state.withLock { $0.maximumSize = newValue } }
  }

  /// How much earlier than asked a picture may be; infinite by default, which takes the key frame that costs least, and behind the
  /// end the last picture.
  ///
  /// Apple: `AVAssetImageGenerator.requestedTimeToleranceBefore`.
  open var requestedTimeToleranceBefore: CMTime {
    get { state.withLock { $0.before } }
    set { state.withLock { $0.before = newValue } }
  }

  /// How much later than asked a picture may be; infinite by default, which before the beginning takes the first picture.
  ///
  /// Apple: `AVAssetImageGenerator.requestedTimeToleranceAfter`.
  open var requestedTimeToleranceAfter: CMTime {
    get { state.withLock { $0.after } }
    set { state.withLock { $0.after = newValue } }
  }

  /// The part of frames that is in pictures; ``ApertureMode/cleanAperture`` at first, which `nil` means too.
  ///
  /// Nothing with a ``videoComposition``. Apple: `AVAssetImageGenerator.apertureMode`.
  open var apertureMode: ApertureMode? {
    get { state.withLock { $0.aperture ?? .cleanAperture } }
    set { state.withLock { $0.aperture = newValue } }
  }

  /// How frames become one picture; `nil` (the default) takes the first video track's.
  ///
  /// Pictures then have exactly the times that are asked for, and are not turned as the track says.
  /// A composition without a frame duration above zero, a size or instructions is a programming mistake, and is not set.
  ///
  /// Apple: `AVAssetImageGenerator.videoComposition`.
  open var videoComposition: AVVideoComposition? {
    get { state.withLock { $0.composition } }
    set {
      if let newValue, !newValue.isAcceptable(for: "AVAssetImageGenerator.videoComposition") { return }
      let old = state.withLock { state in
        defer { state.composition = newValue }
        return state.composition
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Makes a picture; blocks until it is decoded.
  ///
  /// - Parameter actualTime: Gets the picture's own time.
  /// - Throws: ``AVError``: `noImageAtTime`, `decodeFailed`, or why the file cannot be read.
  ///
  /// Apple: `AVAssetImageGenerator.copyCGImage(at:actualTime:)`.
  open func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage
  {
    let made = try make(requestedTime)
    actualTime?.pointee = made.actualTime
    return made.image
  }

  /// Makes a picture.
  ///
  /// Apple: `AVAssetImageGenerator.image(at:)`.
  open func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
    try await withCheckedThrowingContinuation { continuation in
      queue.carry { continuation.resume(with: Swift.Result { try self.make(time) }) }
    }
  }

  /// Makes pictures one after the other; cancelling the task that iterates ends it.
  ///
  /// Apple: `AVAssetImageGenerator.images(for:)`.
  open func images(for times: [CMTime]) -> Images { Images(generator: self, times: times) }

  /// Makes pictures, and calls `handler` for each on another queue, in the order of `requestedTimes`.
  ///
  /// Apple: `AVAssetImageGenerator.generateCGImagesAsynchronously(forTimes:completionHandler:)`.
  open func generateCGImagesAsynchronously(
    forTimes requestedTimes: [NSValue], completionHandler handler: @escaping CompletionHandler
  ) {
    let times = requestedTimes.map(\.timeValue)
    let generation = state.withLock { $0.generation }
    for time in times {
      queue.carry {
        guard self.state.withLock({ $0.generation }) == generation else {
          handler(time, nil, .invalid, .cancelled, nil)
          return
        }
        do {
          let made = try self.make(time)
          handler(time, made.image, made.actualTime, .succeeded, nil)
        } catch {
          handler(time, nil, .invalid, .failed, error)
        }
      }
    }
  }

  /// Makes a picture, and calls `handler` on another queue with it and its own time, or with why there is none.
  ///
  /// One that ``cancelAllCGImageGeneration()`` ends gets `operationCancelled`.
  ///
  /// Apple: `AVAssetImageGenerator.generateCGImageAsynchronously(for:completionHandler:)`.
  open func generateCGImageAsynchronously(
    for requestedTime: CMTime,
    completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
  ) {
    let generation = state.withLock { $0.generation }
    queue.carry {
      guard self.state.withLock({ $0.generation }) == generation else {
        return handler(nil, .invalid, AVError(.operationCancelled))
      }
      do {
        let made = try self.make(requestedTime)
        handler(made.image, made.actualTime, nil)
      } catch {
        handler(nil, .invalid, error)
      }
    }
  }

  /// Ends what is not under way yet; its handlers are called with ``Result/cancelled``.
  ///
  /// Apple: `AVAssetImageGenerator.cancelAllCGImageGeneration()`.
  open func cancelAllCGImageGeneration() {
    state.withLock { $0.generation += 1 }
  }

  private func make(_ time: CMTime) throws -> (image: CGImage, actualTime: CMTime) {
    try asset.open()
    let settings = state.withLock { $0 }
    guard let track = asset.tracks(withMediaType: .video).first else {
      throw AVError(.noImageAtTime, because: "The file has no pictures.")
    }
    if let composition = settings.composition {
      return try composed(composition, nearest(to: time, of: composition, settings), settings.maximumSize)
    }
    do {
      let found = try FrameFinder(track).frame(
        at: time, before: settings.before, after: settings.after)
      guard let found else {
        throw AVError(.noImageAtTime, because: "There is no picture at \(time.seconds) s.")
      }
      let part = AperturePart(settings.aperture ?? .cleanAperture, of: track, found.pixels)
      let image = try StillFrame(
        pixels: found.pixels, shownSize: part.shownSize,
        transform: settings.appliesTransform ? track.preferredTransform : .identity,
        maximumSize: settings.maximumSize, crop: part.crop
      ).image()
      return (image, found.time)
    } catch {
      throw TrackDecoding.error(error)
    }
  }

  /// A time at which a composition is shown: where the tolerances allow it, that of its first or last frame for one outside of it.
  private func nearest(to time: CMTime, of composition: AVVideoComposition, _ settings: State) throws(AVError)
    -> CMTime
  {
    let (end, step) = (asset.duration, composition.frameDuration)
    var found = time
    if time.isNumeric, time < .zero, .zero - time <= settings.after { found = .zero }
    if time.isNumeric, time >= end, step.isNumeric, step > .zero {
      // The last unit of the step that begins before the end, whatever the end's own scale is.
      let units = end.convertScale(step.timescale, method: .roundTowardPositiveInfinity).value - 1
      let last = CMTime(value: max(units, 0) / step.value * step.value, timescale: step.timescale)
      if time - last <= settings.before { found = last }
    }
    guard found.isNumeric, found >= .zero, found < end else {
      throw AVError(.noImageAtTime, because: "There is no picture at \(time.seconds) s.")
    }
    return found
  }

  private func composed(
    _ composition: AVVideoComposition, _ time: CMTime, _ maximumSize: CGSize
  ) throws -> (image: CGImage, actualTime: CMTime) {
    do {
      let range = CMTimeRange(start: time, duration: CMTime(value: 1, timescale: 600))
      let renderer = try CompositionRenderer(
        composition, tracks: asset.tracks(withMediaType: .video), range: range, end: asset.duration,
        pixelFormat: kCVPixelFormatType_32BGRA)
      let picture = try renderer.picture(at: time)
      let size = CGSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
      let image = try StillFrame(
        pixels: picture, shownSize: size, transform: .identity, maximumSize: maximumSize
      ).image()
      return (image, time)
    } catch {
      throw TrackDecoding.error(error)
    }
  }
}
