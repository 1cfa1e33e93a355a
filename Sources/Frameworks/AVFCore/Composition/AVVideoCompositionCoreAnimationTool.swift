internal import CoreVideo
public import CoreMedia
internal import Dispatch
internal import DrawingCore
public import Foundation
internal import GraphicsCore
public import QuartzCore

/// The time that animations of a video composition's layers begin at for its first moment: `beginTime` 0 is the moment of adding them.
///
/// Apple: `AVCoreAnimationBeginTimeAtZero`.
public let AVCoreAnimationBeginTimeAtZero: CFTimeInterval = 1e-100

/// Draws layers, with their animations, into the frames of a video composition.
///
/// For exports and readers; a player or an image generator takes no composition with a tool. Times of the composition are those of the
/// layers: an animation with ``AVCoreAnimationBeginTimeAtZero`` begins with the first frame. The y axis of these layers points up, as Core
/// Animation's own does; what a layer shows is upright. From then on the layers belong to the tool: they are drawn on the thread that makes the
/// frames, and animations of theirs are kept at their end.
/// Apple: `AVVideoCompositionCoreAnimationTool`.
open class AVVideoCompositionCoreAnimationTool: NSObject, @unchecked Sendable {
  // Safe because layers are reached on `drawing` alone once frames are made.

  private enum Place {
    /// Beside the tracks, by a number.
    case track(CMPersistentTrackID)
    /// Over frames, which are the contents of these layers in it.
    case around([CALayer])
  }

  private let layer: CALayer
  private let place: Place
  private let drawing = DispatchQueue(label: "obscura.animation-tool")

  private init(_ layer: CALayer, _ place: Place) {
    (self.layer, self.place) = (layer, place)
    super.init()
    layer.joinMovie()
  }

  /// A layer that is a track of its own: layer instructions with that number place it among the others, and its opacity.
  ///
  /// - Parameters:
  ///   - layer: Of its bounds' size, in points of the composition.
  ///   - trackID: A number that no track of the asset has.
  ///
  /// Apple: `AVVideoCompositionCoreAnimationTool.init(additionalLayer:asTrackID:)`.
  public convenience init(additionalLayer layer: CALayer, asTrackID trackID: CMPersistentTrackID) {
    self.init(layer, .track(trackID))
  }

  /// Layers around the frames: what is rendered is the animation layer, in which each frame is the contents of the video layer.
  ///
  /// - Parameters:
  ///   - videoLayer: In the tree of the animation layer, or that layer itself.
  ///   - animationLayer: Of the composition's size.
  ///
  /// Apple: `AVVideoCompositionCoreAnimationTool.init(postProcessingAsVideoLayer:in:)`.
  public convenience init(postProcessingAsVideoLayer videoLayer: CALayer, in animationLayer: CALayer) {
    self.init(animationLayer, .around([videoLayer]))
  }

  /// Layers around the frames, which several of them show.
  ///
  /// Apple: `AVVideoCompositionCoreAnimationTool.init(postProcessingAsVideoLayers:in:)`.
  public convenience init(postProcessingAsVideoLayers videoLayers: [CALayer], in animationLayer: CALayer) {
    self.init(animationLayer, .around(videoLayers))
  }

  // MARK: Drawing

  /// The number of the track that the layer is; `nil` for layers around frames.
  var trackID: CMPersistentTrackID? {
    guard case .track(let number) = place else { return nil }
    return number
  }

  /// Draws the layers around a frame.
  ///
  /// - Parameters:
  ///   - frame: Is not written any more.
  ///   - scale: Pixels of a point.
  ///   - canvas: BGRA; all of it is drawn.
  func draw(around frame: CGImage, at time: CMTime, scale: CGFloat, into canvas: CVPixelBuffer) {
    guard case .around(let videos) = place, let context = Self.context(canvas) else { return }
    drawing.sync {
      let old = videos.map(\.contents)
      for video in videos { video.contents = frame }
      defer { for (video, contents) in zip(videos, old) { video.contents = contents } }
      context.setFillColor(CGColor.black)
      context.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height))
      context.scaleBy(x: scale, y: scale)
      context.translateBy(x: -layer.bounds.minX, y: -layer.bounds.minY)
      layer.render(in: context, atMovieTime: time.seconds)
    }
  }

  /// Draws the layer that is a track over what is there.
  ///
  /// - Parameters:
  ///   - instruction: Where and how faint, in the composition's coordinates.
  ///   - scale: Pixels of a point.
  func draw(
    _ instruction: AVVideoCompositionLayerInstruction, at time: CMTime, scale: CGFloat,
    over canvas: CVPixelBuffer
  ) {
    let placement = instruction.placement(at: time)
    guard placement.opacity > 0, let context = Self.context(canvas) else { return }
    drawing.sync {
      let bounds = layer.bounds
      // Instructions count from the upper side, and so does the layer's picture that they place.
      context.translateBy(x: 0, y: CGFloat(canvas.height))
      context.scaleBy(x: scale, y: -scale)
      context.concatenate(placement.transform)
      if let crop = placement.crop { context.clip(to: crop) }
      context.translateBy(x: -bounds.minX, y: bounds.maxY)
      context.scaleBy(x: 1, y: -1)
      context.setAlpha(CGFloat(placement.opacity))
      context.beginTransparencyLayer(auxiliaryInfo: nil)
      layer.render(in: context, atMovieTime: time.seconds)
      context.endTransparencyLayer()
    }
  }

  /// A context over the canvas' memory, whose origin is the lower left corner.
  private static func context(_ canvas: CVPixelBuffer) -> CGContext? {
    let plane = canvas.planes[0]
    let info = CGBitmapInfo.byteOrder32Little.union(
      CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedFirst.rawValue))
    return CGContext(
      data: plane.baseAddress, width: plane.width, height: plane.height, bitsPerComponent: 8,
      bytesPerRow: plane.bytesPerRow, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info)
  }
}
