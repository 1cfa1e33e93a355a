public import CoreMedia
public import Foundation
public import ImageCore

/// A frame of a video composition that a client filters.
///
/// Thread-safe. Finish it once, at any time and on any thread: the frame waits for it. One that is given up without that fails.
///
/// Apple: `AVAsynchronousCIImageFilteringRequest`.
open class AVAsynchronousCIImageFilteringRequest: NSObject, @unchecked Sendable {  // Safe: constants.
  /// The frame as it would be without filters: upright, its lower left corner at the origin.
  ///
  /// Apple: `AVAsynchronousCIImageFilteringRequest.sourceImage`.
  public let sourceImage: CIImage
  /// The frame's time in the composition.
  ///
  /// Apple: `AVAsynchronousCIImageFilteringRequest.compositionTime`.
  public let compositionTime: CMTime
  /// The size of the frame in pixels.
  ///
  /// Apple: `AVAsynchronousCIImageFilteringRequest.renderSize`.
  public let renderSize: CGSize
  private let outcome: FrameOutcome<FilteredImage>

  init(_ sourceImage: CIImage, time: CMTime, size: CGSize, outcome: FrameOutcome<FilteredImage>) {
    self.sourceImage = sourceImage
    compositionTime = time
    renderSize = size
    self.outcome = outcome
    super.init()
  }

  deinit {
    outcome.settle(
      .failure(
        AVError(
          .operationInterrupted,
          because: "A filter of a video composition gave up a frame without finishing it.")))
  }

  /// Gives the filtered frame, of which the part from the origin to ``renderSize`` is shown; black where it is clear.
  ///
  /// - Parameter context: What it is rendered with; `nil` for one of the composition's own.
  ///
  /// Apple: `AVAsynchronousCIImageFilteringRequest.finish(with:context:)`.
  open func finish(with filteredImage: CIImage, context: CIContext?) {
    outcome.settle(.success(FilteredImage(image: filteredImage, context: context)))
  }

  /// Says that the frame cannot be filtered, which ends the reading, export or playing with that error.
  ///
  /// Apple: `AVAsynchronousCIImageFilteringRequest.finish(with:)`.
  open func finish(with error: any Error) {
    outcome.settle(.failure(error))
  }
}

/// A frame that a client has filtered.
struct FilteredImage: Sendable {
  let image: CIImage
  let context: CIContext?
}
