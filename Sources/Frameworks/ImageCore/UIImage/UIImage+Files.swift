public import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageIO
internal import PixelTransforms
internal import StillCodecs

extension UIImage {
  /// The picture in a JPEG, HEIC or PNG file's bytes, with the file's orientation, one pixel to a point.
  ///
  /// Only the head is read at once.
  ///
  /// - Returns: `nil` when the data is no such file.
  public convenience init?(data: Data) {
    self.init(data: data, scale: 1)
  }

  /// The picture in a JPEG, HEIC or PNG file's bytes, with the file's orientation.
  ///
  /// - Parameter scale: How many pixels make a point.
  /// - Returns: `nil` when the data is no such file.
  public convenience init?(data: Data, scale: CGFloat) {
    guard let facts = try? StillFacts(data), let source = CGImageSourceCreateWithData(data, nil) else {
      return nil
    }
    self.init(
      .file(source, PixelSize(width: facts.width, height: facts.height)), scale: scale,
      orientation: Orientation(exifNumber: facts.orientation))
  }

  /// The picture in the file at `path`.
  ///
  /// A name that ends in `@2x` or `@3x` before its extension means two or three pixels to a point.
  ///
  /// - Returns: `nil` when the file cannot be read.
  public convenience init?(contentsOfFile path: String) {
    let url = URL(fileURLWithPath: path)
    guard let data = InputFile.contents(of: url) else { return nil }
    let name = url.deletingPathExtension().lastPathComponent
    self.init(data: data, scale: name.hasSuffix("@3x") ? 3 : name.hasSuffix("@2x") ? 2 : 1)
  }

  /// The picture as a JPEG file that carries its orientation.
  ///
  /// - Parameter compressionQuality: From 0, smallest, to 1, best.
  /// - Returns: `nil` for an image without pixels or bounds.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    file(
      "public.jpeg", [kCGImageDestinationLossyCompressionQuality: Double(min(1, max(0, compressionQuality)))])
  }

  /// The picture as a HEIC file that carries its orientation.
  ///
  /// - Returns: `nil` for an image without pixels or bounds.
  public func heicData() -> Data? {
    file("public.heic", [:])
  }

  /// The picture as a PNG file, its pixels turned upright because viewers disregard a PNG's orientation.
  ///
  /// - Returns: `nil` for an image without pixels or bounds.
  public func pngData() -> Data? {
    guard let pixels = storedPixels else { return nil }
    if imageOrientation == .up { return UIImage.file("public.png", pixels, [:]) }
    let space = pixels.colorSpace.flatMap { $0.model == .rgb ? $0 : nil } ?? .standardRGB
    let upright = CIImage(cgImage: pixels).oriented(forExifOrientation: Int32(imageOrientation.exifNumber))
    let format: CIFormat = pixels.bitsPerComponent > 8 ? .RGBA16 : .RGBA8
    return CIContext().createCGImage(upright, from: upright.extent, format: format, colorSpace: space)
      .flatMap { UIImage.file("public.png", $0, [:]) }
  }

  private func file(_ type: String, _ properties: CFDictionary) -> Data? {
    var properties = properties
    properties[kCGImagePropertyOrientation] = imageOrientation.exifNumber
    return storedPixels.flatMap { UIImage.file(type, $0, properties) }
  }

  /// The pixels as they are stored, computed for a recipe.
  private var storedPixels: CGImage? {
    cgImage ?? ciImage.flatMap { CIContext().createCGImage($0, from: $0.extent) }
  }

  private static func file(_ type: String, _ image: CGImage, _ properties: CFDictionary) -> Data? {
    let file = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(file, type, 1, nil) else { return nil }
    CGImageDestinationAddImage(destination, image, properties)
    return CGImageDestinationFinalize(destination) ? file.copied : nil
  }
}
