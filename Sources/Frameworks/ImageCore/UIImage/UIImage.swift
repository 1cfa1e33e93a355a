public import Foundation
public import GraphicsCore
internal import ImageIO
internal import PixelTransforms

/// A picture to show: pixels or a recipe, how it is to be turned, and how many pixels make a point.
///
/// Immutable; may be used from any thread.
open class UIImage: NSObject, @unchecked Sendable {  // Safe: every property is constant.
  /// The orientation of stored pixels: the turn that they need before they are shown.
  public enum Orientation: Int, Sendable, CaseIterable {
    /// As they are. EXIF 1.
    case up = 0
    /// By half a turn. EXIF 3.
    case down = 1
    /// By a quarter turn counterclockwise. EXIF 8.
    case left = 2
    /// By a quarter turn clockwise. EXIF 6.
    case right = 3
    /// Left and right exchanged. EXIF 2.
    case upMirrored = 4
    /// Top and bottom exchanged. EXIF 4.
    case downMirrored = 5
    /// By a quarter turn counterclockwise, once left and right have been exchanged. EXIF 5.
    case leftMirrored = 6
    /// By a quarter turn clockwise, once left and right have been exchanged. EXIF 7.
    case rightMirrored = 7
  }

  enum Content: Sendable {
    case pixels(CGImage)
    case recipe(CIImage)
    /// A file whose pixels are decoded when asked for; the size is in its head.
    case file(CGImageSource, PixelSize)
    case nothing
  }

  let content: Content
  /// How the pixels are to be turned before they are shown.
  public let imageOrientation: Orientation
  /// How many pixels make a point.
  public let scale: CGFloat

  init(_ content: Content, scale: CGFloat, orientation: Orientation) {
    self.content = content
    imageOrientation = orientation
    self.scale = scale > 0 ? scale : 1
    super.init()
  }

  /// An image without pixels.
  public convenience override init() {
    self.init(.nothing, scale: 1, orientation: .up)
  }

  /// The pixels of `cgImage` as they are, one to a point.
  public convenience init(cgImage: CGImage) {
    self.init(.pixels(cgImage), scale: 1, orientation: .up)
  }

  /// The pixels of `cgImage`.
  ///
  /// - Parameters:
  ///   - scale: How many pixels make a point.
  ///   - orientation: How they are to be turned.
  public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    self.init(.pixels(cgImage), scale: scale, orientation: orientation)
  }

  /// The recipe `ciImage` as it is, one pixel to a point; computed when its pixels are asked for.
  public convenience init(ciImage: CIImage) {
    self.init(.recipe(ciImage), scale: 1, orientation: .up)
  }

  /// The recipe `ciImage`.
  ///
  /// - Parameters:
  ///   - scale: How many pixels make a point.
  ///   - orientation: How it is to be turned.
  public convenience init(ciImage: CIImage, scale: CGFloat, orientation: Orientation) {
    self.init(.recipe(ciImage), scale: scale, orientation: orientation)
  }

  /// The stored pixels; `nil` for an image made of a recipe, and when a file's pixels turn out to be broken.
  ///
  /// A file's pixels are decoded at the first call and kept.
  public var cgImage: CGImage? {
    switch content {
    case .pixels(let image): image
    case .file(let source, _): CGImageSourceCreateImageAtIndex(source, 0, nil)
    case .recipe, .nothing: nil
    }
  }

  /// The recipe; `nil` for an image made of pixels.
  public var ciImage: CIImage? {
    if case .recipe(let image) = content { image } else { nil }
  }

  /// The size as shown, in points; zero for a recipe without bounds.
  public var size: CGSize {
    let pixels: CGSize
    switch content {
    case .pixels(let image): pixels = CGSize(width: image.width, height: image.height)
    case .file(_, let size): pixels = CGSize(width: size.width, height: size.height)
    case .recipe(let image):
      pixels = image.extent.isNull || image.extent.isInfiniteExtent ? .zero : image.extent.size
    case .nothing: pixels = .zero
    }
    switch imageOrientation {
    case .left, .right, .leftMirrored, .rightMirrored:
      return CGSize(width: pixels.height / scale, height: pixels.width / scale)
    default:
      return CGSize(width: pixels.width / scale, height: pixels.height / scale)
    }
  }

  /// The same image shown with left and right exchanged; no pixel is touched.
  public func withHorizontallyFlippedOrientation() -> UIImage {
    let flipped: Orientation
    switch imageOrientation {
    case .up: flipped = .upMirrored
    case .upMirrored: flipped = .up
    case .down: flipped = .downMirrored
    case .downMirrored: flipped = .down
    case .left: flipped = .rightMirrored
    case .rightMirrored: flipped = .left
    case .right: flipped = .leftMirrored
    case .leftMirrored: flipped = .right
    }
    return UIImage(content, scale: scale, orientation: flipped)
  }

  /// The size and orientation, for logs.
  public override var description: String {
    "<UIImage: \(size.width)x\(size.height) points, scale \(scale), \(imageOrientation)>"
  }

  /// Whether `object` shows the same pixels in the same way.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIImage else { return false }
    return identity == other.identity && scale == other.scale && imageOrientation == other.imageOrientation
  }

  /// Follows ``isEqual(_:)``.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identity)
    hasher.combine(scale)
    hasher.combine(imageOrientation)
    return hasher.finalize()
  }

  /// The object that holds the pixels.
  private var identity: ObjectIdentifier? {
    switch content {
    case .pixels(let image): ObjectIdentifier(image)
    case .recipe(let image): ObjectIdentifier(image)
    case .file(let source, _): ObjectIdentifier(source)
    case .nothing: nil
    }
  }
}

extension UIImage.Orientation {
  /// The EXIF orientation (TIFF 6.0, tag 274) that means the same.
  var exifNumber: Int {
    switch self {
    case .up: 1
    case .upMirrored: 2
    case .down: 3
    case .downMirrored: 4
    case .leftMirrored: 5
    case .right: 6
    case .rightMirrored: 7
    case .left: 8
    }
  }

  /// The orientation that the EXIF number means; other numbers mean `up`.
  init(exifNumber: Int) {
    self = Self.allCases.first { $0.exifNumber == exifNumber } ?? .up
  }
}

extension CIImage {
  /// The picture of `image`, its orientation not applied; `nil` for an image without pixels.
  public convenience init?(image: UIImage) {
    self.init(image: image, options: nil)
  }

  /// The picture of `image`, its orientation not applied; `nil` for an image without pixels.
  ///
  /// - Parameter options: As in ``init(cgImage:options:)``; an image made of a recipe has use only for `.properties`.
  public convenience init?(image: UIImage, options: [CIImageOption: Any]? = nil) {
    if let pixels = image.cgImage {
      self.init(cgImage: pixels, options: options)
    } else if let recipe = image.ciImage {
      var facts = recipe.facts
      if let properties = options?[.properties] as? [String: Any] { facts.setProperties(properties) }
      self.init(recipe.recipe, facts: facts)
    } else {
      return nil
    }
  }
}
