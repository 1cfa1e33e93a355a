public import DrawingCore
public import Foundation
internal import FoundationExtras

/// How a renderer's image is stored.
///
/// Apple: `UIGraphicsImageRendererFormat`.
open class UIGraphicsImageRendererFormat: NSObject {
  /// How many pixels make a point; 1 at first.
  ///
  /// - Note: Unlike AVFoundation's companion, which begins with the screen's scale: here there may be no screen.
  open var scale: CGFloat = 1
  /// Whether the image has no alpha; it then begins black.
  open var opaque = false
  /// The rectangle that is drawn, in points.
  open fileprivate(set) var bounds = CGRect.zero

  /// The format that renderers have unless they are given one.
  public override init() {
    super.init()
  }

  /// The format that renderers have unless they are given one.
  open class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }

  /// The format that suits the machine: the default one.
  open class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// The context and the format of the image that a renderer's closure draws; valid in the closure.
///
/// Apple: `UIGraphicsImageRendererContext`.
open class UIGraphicsImageRendererContext: NSObject {
  /// The context itself, its y axis pointing down.
  public let cgContext: CGContext
  /// The format of the image.
  public let format: UIGraphicsImageRendererFormat

  init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) {
    cgContext = context
    self.format = format
  }

  /// What has been drawn so far.
  open var currentImage: UIImage {
    cgContext.makeImage().map { UIImage(cgImage: $0, scale: format.scale, orientation: .up) } ?? UIImage()
  }

  /// Fills a rectangle with the context's colour, in the place of what is there.
  open func fill(_ rect: CGRect) { fill(rect, blendMode: .copy) }

  /// Fills a rectangle with the context's colour, blended with what is there.
  open func fill(_ rect: CGRect, blendMode: CGBlendMode) {
    cgContext.saveGState()
    cgContext.setBlendMode(blendMode)
    cgContext.fill(rect)
    cgContext.restoreGState()
  }

  /// Draws a line of one point's width inside a rectangle's edge, in the place of what is there.
  open func stroke(_ rect: CGRect) { stroke(rect, blendMode: .copy) }

  /// Draws a line of one point's width inside a rectangle's edge, blended with what is there.
  open func stroke(_ rect: CGRect, blendMode: CGBlendMode) {
    cgContext.saveGState()
    cgContext.setBlendMode(blendMode)
    cgContext.stroke(rect.insetBy(dx: 0.5, dy: 0.5), width: 1)
    cgContext.restoreGState()
  }

  /// Draws from now on only inside a rectangle, too.
  open func clip(to rect: CGRect) { cgContext.clip(to: rect) }
}

/// Draws images by closures.
///
/// In the closure the context is the thread's current one: text, images, colours and paths draw into it. The y axis points down.
/// Images are 8-bit sRGB. Apple: `UIGraphicsImageRenderer`; drawn by ``CGContext``.
open class UIGraphicsImageRenderer: NSObject {
  /// The format of the images.
  public let format: UIGraphicsImageRendererFormat
  private let bounds: CGRect

  /// A renderer of images of a size, in points.
  public convenience init(size: CGSize) {
    self.init(size: size, format: .default())
  }

  /// A renderer of images of a size, in points.
  public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
    self.init(bounds: CGRect(origin: .zero, size: size), format: format)
  }

  /// A renderer of images of a rectangle, in points.
  public convenience init(bounds: CGRect) {
    self.init(bounds: bounds, format: .default())
  }

  /// A renderer of images of a rectangle, in points.
  public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
    self.bounds = bounds
    self.format = UIGraphicsImageRendererFormat()
    self.format.scale = format.scale > 0 && format.scale.isFinite ? format.scale : 1
    self.format.opaque = format.opaque
    self.format.bounds = bounds
  }

  /// The image that `actions` draws.
  ///
  /// A size without pixels, or with more than 32 767 along a side, is a programming mistake: `actions` is not called, and the image
  /// is empty.
  public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    guard let context = CGContext(bounds: bounds, scale: format.scale, isOpaque: format.opaque) else {
      ProgrammingMistake.report(
        rule:
          "An image needs 1 to 32767 pixels along each side; \(bounds.width) by \(bounds.height) points at a scale of "
          + "\(format.scale) are not that.")
      return UIImage()
    }
    let renderer = UIGraphicsImageRendererContext(context, format)
    UIGraphicsPushContext(context)
    actions(renderer)
    UIGraphicsPopContext()
    return renderer.currentImage
  }

  /// The image that `actions` draws, as a JPEG file.
  ///
  /// - Parameter compressionQuality: From 0, smallest, to 1, best.
  /// - Returns: No bytes where there is no image.
  public func jpegData(
    withCompressionQuality compressionQuality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
  ) -> Data {
    image(actions: actions).jpegData(compressionQuality: compressionQuality) ?? Data()
  }

  /// The image that `actions` draws, as a PNG file.
  ///
  /// - Returns: No bytes where there is no image.
  public func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
    image(actions: actions).pngData() ?? Data()
  }
}
