public import Foundation
internal import FoundationExtras
public import GraphicsCore
public import ImageIO
internal import PixelTransforms
internal import StillCodecs

extension CIImage {
  /// The picture in a JPEG, HEIC or PNG file's bytes, laid as it is stored.
  ///
  /// Only the head is read at once; the pixels are decoded when first rendered, and kept. ``properties`` are the file's. A picture
  /// that is damaged, or takes more than 512 MB to decode, stays clear, and a line on standard error says so.
  ///
  /// - Returns: `nil` when the data is no such file.
  public convenience init?(data: Data) {
    self.init(data: data, options: nil)
  }

  /// The picture in a JPEG, HEIC or PNG file's bytes, or one beside it.
  ///
  /// - Parameter options: As in ``init(cgImage:options:)``; `.applyOrientationProperty` lays the picture upright. `.auxiliaryDepth` and its
  ///   kin make the image of what the file holds beside its picture, which is decoded at once.
  /// - Returns: `nil` when the data is no such file, or holds no picture of the kind that is asked for.
  public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
    self.init(file: data, url: nil, options)
  }

  /// The picture in the file at `url`, read at once; see ``init(data:)``.
  ///
  /// - Returns: `nil` when the file cannot be read, is no regular file, or has over 256 MB.
  public convenience init?(contentsOf url: URL) {
    self.init(contentsOf: url, options: nil)
  }

  /// The picture in the file at `url`, read at once; see ``init(data:options:)``.
  ///
  /// - Returns: `nil` when the file cannot be read.
  public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
    guard let data = InputFile.contents(of: url) else { return nil }
    self.init(file: data, url: url, options)
  }

  private convenience init?(file data: Data, url: URL?, _ options: [CIImageOption: Any]?) {
    guard let facts = try? StillFacts(data) else { return nil }
    if let type = AuxiliaryImage.type(options) {
      guard let buffer = AuxiliaryImage.buffer(type, in: data) else { return nil }
      self.init(auxiliary: buffer, of: facts, url: url, options)
      return
    }
    let space = CIImage.space(options, facts.colorSpace)
    let picture = Picture(
      .coded(scales: facts.format == .jpeg ? [.half, .quarter] : []) { scale in
        try Picture.memory(of: data, facts, scale)
      },
      size: PixelSize(width: facts.width, height: facts.height), colorSpace: space, isOpaque: !facts.hasAlpha)
    self.init(picture, options, ImageFacts(colorSpace: space, url: url, properties: facts.properties))
  }

  /// The image turned upright as `orientation` says, its lower left corner at the origin.
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    oriented(forExifOrientation: Int32(orientation.rawValue))
  }

  /// The transform that ``oriented(_:)`` applies.
  public func orientationTransform(for orientation: CGImagePropertyOrientation) -> CGAffineTransform {
    orientationTransform(forExifOrientation: Int32(orientation.rawValue))
  }
}

extension Picture {
  /// The pixels of a file.
  fileprivate static func memory(
    of file: Data, _ facts: StillFacts, _ scale: StillScale
  ) throws -> Memory {
    // Only these need more than 8 bits, or their alpha multiplied.
    if facts.bitsPerComponent > 8 && facts.format == .png || facts.format == .heic && facts.hasAlpha,
      let source = CGImageSourceCreateWithData(file, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, [kCGImageSourceShouldCache: false])
    {
      return memory(of: image)
    }
    return .buffer(try facts.decode(file, scale: scale))
  }
}
