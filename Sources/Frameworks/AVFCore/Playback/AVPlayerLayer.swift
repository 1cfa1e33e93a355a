public import CoreVideo
public import Foundation
public import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
public import QuartzCore

/// A layer that shows what a player plays.
///
/// Nothing is drawn here: a host (`LayerView` of GTKLayers) takes pictures from ``frames`` and draws them into ``videoRect``, or asks for the layer's picture
/// with ``makePicture()``. Thread-bound as every `CALayer`; pictures may be had on any thread.
///
/// Apple: `AVPlayerLayer`.
open class AVPlayerLayer: CALayer, KeyValueObservable {
  /// Who observes the layer's properties.
  public let observerTable = ObserverTable()
  /// What the layer's picture is drawn from.
  public let frames = PlayerFrames()
  private let painter = PixelTransformer(bufferLimit: 4)
  private var shown: AVPlayer?
  private var isReady = false
  private var gravity = AVLayerVideoGravity.resizeAspect

  /// A layer that shows nothing until it has a player.
  ///
  /// Apple: `AVPlayerLayer.init()`.
  public override init() {
    super.init()
    begin()
  }

  /// A layer that shows a player.
  ///
  /// Apple: `AVPlayerLayer.init(player:)`.
  public convenience init(player: AVPlayer?) {
    self.init()
    self.player = player
  }

  /// A layer with the geometry, appearance and gravity of `layer`; it has no player.
  ///
  /// Apple: `CALayer.init(layer:)`.
  public override init(layer: Any) {
    super.init(layer: layer)
    if let layer = layer as? AVPlayerLayer { gravity = layer.gravity }
    begin()
  }

  private func begin() {
    let reference = Reference(self)
    frames.observe { isReady in
      guard let layer = reference.layer else { return }
      let old = layer.isReady
      layer.isReady = isReady
      if old != isReady {
        layer.observerTable.changed(\AVPlayerLayer.isReadyForDisplay, of: layer, from: old, to: isReady)
      }
    }
  }

  private final class Reference: @unchecked Sendable {  // Safe because it is followed on the main thread.
    weak let layer: AVPlayerLayer?

    init(_ layer: AVPlayerLayer) {
      self.layer = layer
    }
  }

  /// The player whose pictures are shown; `nil` at first.
  ///
  /// Several layers may show one player. Apple: `AVPlayerLayer.player`.
  open var player: AVPlayer? {
    get {
      observerTable.access(\AVPlayerLayer.player)
      return shown
    }
    set {
      guard newValue !== shown else { return }
      observerTable.changing(\AVPlayerLayer.player, of: self) {
        shown?.core.remove(frames)
        shown = newValue
        frames.show(nil)
        newValue?.core.add(frames)
      }
    }
  }

  /// Whether there is a picture to show; observable.
  ///
  /// Apple: `AVPlayerLayer.isReadyForDisplay`.
  open var isReadyForDisplay: Bool {
    observerTable.access(\AVPlayerLayer.isReadyForDisplay)
    return isReady
  }

  /// How the picture fills the bounds; `resizeAspect` at first.
  ///
  /// Apple: `AVPlayerLayer.videoGravity`.
  open var videoGravity: AVLayerVideoGravity {
    get { gravity }
    set {
      gravity = newValue
      noteChange()
    }
  }

  /// Where the picture lies in the bounds: inside of them, or larger where it fills them; zero without a picture.
  ///
  /// Apple: `AVPlayerLayer.videoRect`.
  open var videoRect: CGRect {
    let item = player?.currentItem
    let size = frames.takeNewest()?.presentationSize ?? item?.presentationSize ?? .zero
    return gravity.place(size, in: bounds)
  }

  /// The picture on show, unturned; `nil` when there is none.
  ///
  /// Apple: `AVPlayerLayer.displayedPixelBuffer()`.
  open func displayedPixelBuffer() -> CVPixelBuffer? { frames.takeNewest()?.pixels }

  // MARK: Pictures in memory

  /// The layer's picture as it would look on a screen, in BGRA, of the bounds' size times `contentsScale`.
  ///
  /// Black where the picture does not reach.
  /// - Returns: `nil` before the first picture, and while the bounds have no size.
  /// - Throws: `PixelTransformError`, when too many pictures are held.
  public func makePicture() throws -> CVPixelBuffer? { try painting.picture(of: self) }

  private var painting: LayerPainting { LayerPainting(frames: frames, gravity: gravity, painter: painter) }

  /// Draws the layer's picture over the whole of `target`.
  ///
  /// - Parameter target: BGRA, of any size: what the bounds show is stretched to it.
  /// - Returns: `false` before the first picture, and while the bounds have no size: the target is left as it was.
  /// - Throws: `PixelTransformError`, when the target is not BGRA.
  @discardableResult
  public func drawPicture(into target: CVPixelBuffer) throws -> Bool {
    try painting.draw(bounds, into: target)
  }
}

extension AVLayerVideoGravity {
  /// Where a picture of a size lies in a rectangle.
  package func place(_ size: CGSize, in bounds: CGRect) -> CGRect {
    guard size.width > 0, size.height > 0, bounds.width > 0, bounds.height > 0 else { return .zero }
    let gravity: CALayerContentsGravity
    switch self {
    case .resizeAspect: gravity = .resizeAspect
    case .resizeAspectFill: gravity = .resizeAspectFill
    default: gravity = .resize
    }
    return gravity.place(size, in: bounds)
  }
}
