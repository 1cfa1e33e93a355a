public import CoreVideo
public import Foundation
public import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// A picture as a recipe: what it is made of and what is done to it, computed when a `CIContext` renders it.
///
/// The origin is the lower left corner and `y` grows upwards. An image is immutable, cheap and thread-safe; methods that change
/// it return a new one. Its pixel buffers and images are not copied: do not write to a buffer while an image uses it.
public final class CIImage: NSObject, NSCopying, Sendable {
  let recipe: Recipe
  let facts: ImageFacts

  init(_ recipe: Recipe, facts: ImageFacts = ImageFacts()) {
    self.recipe = recipe
    self.facts = facts
    super.init()
  }

  /// An image without pixels.
  public convenience override init() {
    self.init(.nothing)
  }

  // MARK: Sources

  /// The picture in `pixelBuffer`, in the colours its attachments name; see ``init(cvPixelBuffer:options:)``.
  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer) {
    self.init(cvPixelBuffer: pixelBuffer, options: nil)
  }

  /// The picture in `pixelBuffer`.
  ///
  /// Y′CbCr becomes R′G′B′ by the buffer's matrix attachment. The colour space is the option's, or the buffer's
  /// `kCVImageBufferCGColorSpaceKey`, or the one its primaries stand for; the camera curves of BT.601 and BT.709 are
  /// read as sRGB's, for whose screens cameras develop their pictures. Floating-point numbers may exceed 0…1. A buffer
  /// of one number a pixel, such as a depth map, is gray in the working space; NaN is read as 0.
  ///
  /// - Parameter options: `.colorSpace`, `.properties`, `.applyOrientationProperty`, `.nearestSampling`.
  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]? = nil) {
    let size = PixelSize(
      width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer))
    let isMap = FloatPixels(pixelBuffer)?.isMap == true
    let space = CIImage.space(options, isMap ? nil : CGColorSpace.described(by: pixelBuffer))
    let picture = Picture(
      .buffer(pixelBuffer), size: size, colorSpace: space, isOpaque: pixelBuffer.hasNoAlpha)
    self.init(picture, options, ImageFacts(colorSpace: space, pixelBuffer: pixelBuffer))
  }

  /// The picture in `imageBuffer`; the same as ``init(cvPixelBuffer:)``.
  public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) {
    self.init(cvPixelBuffer: imageBuffer, options: nil)
  }

  /// The picture in `imageBuffer`; the same as ``init(cvPixelBuffer:options:)``.
  public convenience init(cvImageBuffer imageBuffer: CVImageBuffer, options: [CIImageOption: Any]? = nil) {
    self.init(cvPixelBuffer: imageBuffer, options: options)
  }

  /// The picture in `image`.
  public convenience init(cgImage image: CGImage) {
    self.init(cgImage: image, options: nil)
  }

  /// The picture in `image`.
  ///
  /// - Parameter options: `.colorSpace`, `.properties`, `.applyOrientationProperty`, `.nearestSampling`.
  public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]? = nil) {
    let space = CIImage.space(options, image.colorSpace ?? .standardRGB)
    let picture = Picture(
      .image(image), size: PixelSize(width: image.width, height: image.height), colorSpace: space,
      isOpaque: image.hasNoAlpha)
    self.init(picture, options, ImageFacts(colorSpace: space, cgImage: image))
  }

  /// The picture in `data`, rows from the top, alpha premultiplied.
  ///
  /// - Parameters:
  ///   - data: At least `bytesPerRow` times the height; less gives an image without pixels.
  ///   - size: In whole pixels.
  ///   - format: How the pixels lie.
  ///   - colorSpace: What the numbers mean; `nil` takes them for the working space's.
  public convenience init(
    bitmapData data: Data, bytesPerRow: Int, size: CGSize, format: CIFormat, colorSpace: CGColorSpace?
  ) {
    let width = Int(size.width)
    let height = Int(size.height)
    let space = format == .L8 ? CGColorSpaceCreateDeviceGray() : colorSpace ?? .standardRGB
    guard let bits = format.bitmapInfo, let provider = CGDataProvider(data: data), width > 0, height > 0,
      data.count >= bytesPerRow * (height - 1) + width * bits.bitsPerPixel / 8,
      let image = CGImage(
        width: width, height: height, bitsPerComponent: bits.bitsPerComponent,
        bitsPerPixel: bits.bitsPerPixel,
        bytesPerRow: bytesPerRow, space: space, bitmapInfo: bits.info, provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent)
    else {
      self.init(.nothing)
      return
    }
    let picture = Picture(
      .image(image), size: PixelSize(width: width, height: height), colorSpace: colorSpace,
      isOpaque: image.hasNoAlpha)
    self.init(.picture(picture), facts: ImageFacts(colorSpace: colorSpace))
  }

  /// `color` everywhere; its extent has no bounds.
  public convenience init(color: CIColor) {
    self.init(.color(color))
  }

  convenience init(_ picture: Picture, _ options: [CIImageOption: Any]?, _ facts: ImageFacts) {
    var facts = facts
    var recipe = Recipe.picture(picture)
    if options?[.nearestSampling] as? Bool == true { facts.sampling = .nearest }
    if let properties = options?[.properties] as? [String: Any] { facts.setProperties(properties) }
    if options?[.applyOrientationProperty] as? Bool == true, let number = facts.orientation, number != 1 {
      recipe = recipe.transformed(
        by: CIImage.transform(forExifOrientation: number, extent: recipe.extent), sampling: .linear)
      facts.orientationIsApplied()
    }
    self.init(recipe, facts: facts)
  }

  static func space(_ options: [CIImageOption: Any]?, _ natural: CGColorSpace?) -> CGColorSpace? {
    guard let chosen = options?[.colorSpace] else { return natural }
    // NSNull asks for no colour matching.
    return chosen as? CGColorSpace
  }

  /// An image without pixels.
  public class func empty() -> CIImage {
    CIImage()
  }

  /// The image itself: it cannot change.
  public func copy(with zone: NSZone? = nil) -> Any {
    self
  }

  // MARK: Facts

  /// Where the image has pixels; infinite for a colour, null for an empty image.
  public var extent: CGRect { recipe.extent }

  /// What is known beside the pixels, under ImageIO's keys (`kCGImageProperty…`); changed images keep it.
  public var properties: [String: Any] { BoxedNumbers.boxed(facts.properties) }

  /// The file that the image was made from; `nil` for other images and changed ones.
  public var url: URL? { facts.url }

  /// The colour space of the pixels it was made from; `nil` for others and changed images, and where there is none.
  public var colorSpace: CGColorSpace? { facts.colorSpace }

  /// The buffer that the image was made from; `nil` for other images and changed ones.
  public var pixelBuffer: CVPixelBuffer? { facts.pixelBuffer }

  /// The image that this one was made from; `nil` for other images and changed ones.
  public var cgImage: CGImage? { facts.cgImage }

  /// The extent, for logs.
  public override var description: String { "<CIImage: extent \(extent)>" }

  func changed(_ recipe: Recipe) -> CIImage {
    recipe === self.recipe ? self : CIImage(recipe, facts: facts.changed)
  }
}

/// A choice at the making of an image.
public struct CIImageOption: RawRepresentable, Sendable, Hashable {
  /// The option's name.
  public let rawValue: String

  /// The option of this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A `CGColorSpace` to take the numbers for, or `NSNull` for no colour matching.
  public static let colorSpace = CIImageOption(rawValue: "CIImageColorSpace")
  /// A dictionary of ImageIO properties that the image is to carry.
  public static let properties = CIImageOption(rawValue: "CIImageProperties")
  /// `true` turns the picture upright by the orientation in its properties.
  public static let applyOrientationProperty = CIImageOption(rawValue: "CIImageApplyOrientationProperty")
  /// `true` takes the nearest pixel instead of the mean when the picture is transformed.
  public static let nearestSampling = CIImageOption(rawValue: "CIImageNearestSampling")
}
