internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import GraphicsCore
internal import ImageCore

extension AVVideoComposition {
  /// A composition that shows the first video track of an asset as players do, each frame through a client's filters.
  ///
  /// Reads the asset's file.
  ///
  /// - Parameter applier: Called for each frame, on a queue of the composition's own, one after the other; it must finish its
  ///   request, and must not wait for what shows the composition.
  ///
  /// Apple: `AVVideoComposition.init(asset:applyingCIFiltersWithHandler:)`.
  public convenience init(
    asset: AVAsset,
    applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
  ) {
    var state = Self.properties(of: asset)
    state.filter = FrameFilter(applier)
    self.init(state)
  }

  /// As ``init(asset:applyingCIFiltersWithHandler:)``, without blocking.
  ///
  /// - Throws: ``AVError`` when the asset cannot be read.
  ///
  /// Apple: `AVVideoComposition.videoComposition(with:applyingCIFiltersWithHandler:)`.
  public class func videoComposition(
    with asset: AVAsset,
    applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
  ) async throws -> AVMutableVideoComposition {
    _ = try await asset.load(.tracks)
    return AVMutableVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier)
  }
}

/// A client's filters for the frames of a composition.
struct FrameFilter: Sendable {
  private let applier: @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
  private let queue = DispatchQueue(label: "obscura.composition-filter")
  private let context = CIContext()

  init(_ applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void) {
    self.applier = applier
  }

  /// Draws what the client makes of `picture` into `canvas`, which has the same size; black where that is clear.
  func draw(_ picture: CVPixelBuffer, at time: CMTime, into canvas: CVPixelBuffer) throws {
    let size = CGSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    let outcome = FrameOutcome<FilteredImage>()
    let source = CIImage(cvPixelBuffer: picture)
    queue.async { [applier] in
      applier(AVAsynchronousCIImageFilteringRequest(source, time: time, size: size, outcome: outcome))
    }
    let filtered = try outcome.wait()
    let whole = CGRect(origin: .zero, size: size)
    (filtered.context ?? context).render(
      filtered.image.composited(over: CIImage.black.cropped(to: whole)), to: canvas, bounds: whole,
      colorSpace: source.colorSpace)
  }
}
