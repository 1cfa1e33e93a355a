public import CoreVideo
public import Foundation
public import GraphicsCore
internal import PixelTransforms

/// The size in which a video composition is rendered, and buffers for its frames.
///
/// Thread-safe. Apple: `AVVideoCompositionRenderContext`.
open class AVVideoCompositionRenderContext: NSObject, @unchecked Sendable {  // Safe: constants.
  /// The size of the frames in pixels, ``renderScale`` in it.
  ///
  /// Apple: `AVVideoCompositionRenderContext.size`.
  public let size: CGSize
  /// From the composition's points to the frame's pixels.
  ///
  /// Apple: `AVVideoCompositionRenderContext.renderTransform`.
  public let renderTransform: CGAffineTransform
  /// By what the composition's size was multiplied.
  ///
  /// Apple: `AVVideoCompositionRenderContext.renderScale`.
  public let renderScale: Float
  /// The composition.
  ///
  /// Apple: `AVVideoCompositionRenderContext.videoComposition`.
  public let videoComposition: AVVideoComposition

  private let pixelSize: PixelSize
  private let format: OSType
  private let transformer: PixelTransformer

  init(_ composition: AVVideoComposition, size: PixelSize, format: OSType, transformer: PixelTransformer) {
    videoComposition = composition
    self.size = CGSize(width: size.width, height: size.height)
    renderScale = composition.renderScale
    renderTransform = CGAffineTransform(scaleX: CGFloat(renderScale), y: CGFloat(renderScale))
    pixelSize = size
    self.format = format
    self.transformer = transformer
  }

  /// A buffer for a frame, from the context's pool; `nil` when too many are in use.
  ///
  /// Apple: `AVVideoCompositionRenderContext.newPixelBuffer()`.
  open func newPixelBuffer() -> CVPixelBuffer? {
    try? transformer.makeBuffer(size: pixelSize, pixelFormat: format)
  }
}
