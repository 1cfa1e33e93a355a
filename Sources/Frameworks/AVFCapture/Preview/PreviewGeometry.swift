public import AVFCore
public import Foundation
public import GraphicsCore

/// The geometry of a preview's picture in a rectangle: hosts draw by it, and points and rectangles are converted by it.
///
/// Two spaces. The *picture's* is that of capture devices and metadata outputs: (0, 0) is the top left corner of the picture
/// as the sensor gives it, unturned and unmirrored, (1, 1) the bottom right one. The *layer's* is that of the bounds, y
/// downwards. A pure value; the same numbers draw and convert, so that both agree.
public struct PreviewGeometry: Sendable, Hashable {
  /// The size of the unturned picture in pixels; only its aspect counts.
  public var pictureSize: CGSize
  /// Degrees clockwise by which the picture is turned: 0, 90, 180, or 270.
  public var rotationAngle: Int
  /// Whether the turned picture is mirrored left to right.
  public var isMirrored: Bool
  /// How the turned picture fills the bounds.
  public var gravity: AVLayerVideoGravity
  /// The rectangle that the picture is drawn in.
  public var bounds: CGRect

  /// The geometry of a picture in `bounds`.
  public init(
    pictureSize: CGSize, rotationAngle: Int = 0, isMirrored: Bool = false,
    gravity: AVLayerVideoGravity = .resizeAspect, bounds: CGRect
  ) {
    self.pictureSize = pictureSize
    self.rotationAngle = rotationAngle
    self.isMirrored = isMirrored
    self.gravity = gravity
    self.bounds = bounds
  }

  private var change: OrientationTable.Change {
    OrientationTable.change(rotation: rotationAngle, isMirrored: isMirrored)
  }

  /// The rectangle that the whole turned picture covers: inside the bounds, or larger where it fills them.
  ///
  /// The bounds themselves when a side of the picture or of the bounds is nothing.
  public var pictureRect: CGRect {
    let turned = change.applied(to: pictureSize)
    let scales = (bounds.width / turned.width, bounds.height / turned.height)
    guard turned.width > 0, turned.height > 0, scales.0 > 0, scales.1 > 0 else { return bounds }
    let scale: CGFloat
    switch gravity {
    case .resizeAspect: scale = min(scales.0, scales.1)
    case .resizeAspectFill: scale = max(scales.0, scales.1)
    default: return bounds
    }
    let size = CGSize(width: turned.width * scale, height: turned.height * scale)
    return CGRect(
      x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2, width: size.width,
      height: size.height)
  }

  /// From the picture's space to the layer's, turn and mirroring included.
  public var transform: CGAffineTransform {
    let rect = pictureRect
    return change.unit.concatenating(
      CGAffineTransform(a: rect.width, b: 0, c: 0, d: rect.height, tx: rect.minX, ty: rect.minY))
  }

  /// A point of the picture's space in the layer's.
  public func layerPoint(fromPicturePoint point: CGPoint) -> CGPoint {
    point.applying(transform)
  }

  /// A point of the layer's space in the picture's; beyond 0 and 1 outside of the picture.
  ///
  /// The picture's origin while the bounds have no size.
  public func picturePoint(fromLayerPoint point: CGPoint) -> CGPoint {
    isFlat ? .zero : point.applying(transform.inverted())
  }

  /// A rectangle of the picture's space in the layer's.
  public func layerRect(fromPictureRect rect: CGRect) -> CGRect {
    rect.applying(transform)
  }

  /// A rectangle of the layer's space in the picture's; empty at the origin while the bounds have no size.
  public func pictureRect(fromLayerRect rect: CGRect) -> CGRect {
    isFlat ? .zero : rect.applying(transform.inverted())
  }

  private var isFlat: Bool {
    let rect = pictureRect
    return rect.width <= 0 || rect.height <= 0
  }
}
