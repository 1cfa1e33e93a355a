public import DrawingCore
public import Foundation
internal import GraphicsCore
internal import ImageIO
internal import PixelTransforms

extension UIImage {
  /// Draws the image upright in the thread's current context, its upper left corner at `point`, one point of it to a point.
  ///
  /// Apple: `UIImage.draw(at:)`.
  public func draw(at point: CGPoint) { draw(at: point, blendMode: .normal, alpha: 1) }

  /// Draws the image upright over `rect` of the thread's current context, whose y axis points down.
  ///
  /// Of a JPEG that becomes smaller no more is decoded than is seen. Apple: `UIImage.draw(in:)`.
  public func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }

  /// Draws the image upright, its upper left corner at `point`, blended with what is there.
  ///
  /// Apple: `UIImage.draw(at:blendMode:alpha:)`.
  public func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {
    draw(in: CGRect(origin: point, size: size), blendMode: blendMode, alpha: alpha)
  }

  /// Draws the image upright over `rect`, blended with what is there.
  ///
  /// Apple: `UIImage.draw(in:blendMode:alpha:)`.
  public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
    guard let context = UIGraphicsGetCurrentContext(), rect.width > 0, rect.height > 0,
      rect.width.isFinite, rect.height.isFinite, rect.minX.isFinite, rect.minY.isFinite
    else { return }
    context.saveGState()
    defer { context.restoreGState() }
    if blendMode != .normal { context.setBlendMode(blendMode) }
    if alpha != 1 { context.setAlpha(alpha) }
    // From the stored picture, a square of 1 whose y axis points up, to the rectangle.
    context.translateBy(x: rect.minX, y: rect.maxY)
    context.scaleBy(x: rect.width, y: -rect.height)
    context.concatenate(imageOrientation.upright)
    guard let picture = pixels(for: context.ctm) else { return }
    context.draw(picture, in: CGRect(x: 0, y: 0, width: 1, height: 1))
  }

  /// The stored pixels, as many as are seen when a square of 1 goes through `transform`.
  private func pixels(for transform: CGAffineTransform) -> CGImage? {
    guard case .file(let source, let size) = content else {
      return cgImage ?? ciImage.flatMap { CIContext().createCGImage($0, from: $0.extent) }
    }
    let scale = max(
      hypot(transform.a, transform.b) / CGFloat(size.width),
      hypot(transform.c, transform.d) / CGFloat(size.height))
    guard scale < 0.75, scale > 0 else { return cgImage }
    let edge = (scale * CGFloat(max(size.width, size.height))).rounded(.up)
    return CGImageSourceCreateThumbnailAtIndex(
      source, 0,
      [kCGImageSourceThumbnailMaxPixelSize: Double(edge), kCGImageSourceCreateThumbnailFromImageAlways: true])
      ?? cgImage
  }
}

extension UIImage.Orientation {
  /// From the stored picture, a square of 1 whose y axis points up, to the picture as shown.
  fileprivate var upright: CGAffineTransform {
    switch self {
    case .up: .identity
    case .upMirrored: CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0)
    case .down: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
    case .downMirrored: CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 1)
    case .right: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
    case .left: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
    case .leftMirrored: CGAffineTransform(a: 0, b: -1, c: -1, d: 0, tx: 1, ty: 1)
    case .rightMirrored: CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
    }
  }
}
