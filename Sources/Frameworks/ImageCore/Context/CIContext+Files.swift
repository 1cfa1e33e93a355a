internal import CoreVideo
public import Foundation
internal import FoundationExtras
public import GraphicsCore
internal import ImageIO
internal import Linux
internal import PixelTransforms
internal import StillCodecs

/// A choice at the writing of an image file.
public struct CIImageRepresentationOption: RawRepresentable, Sendable, Hashable {
  /// The option's name: one of ImageIO's `kCGImageDestination…` keys.
  public let rawValue: String

  /// The option of this name; `kCGImageDestinationLossyCompressionQuality` is the one in use.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

extension CIContext {
  /// All of `image` as a JPEG file.
  ///
  /// ``CIImage/properties`` go into the file as metadata. Transparent parts become white.
  ///
  /// - Parameters:
  ///   - colorSpace: Of the file: red, green and blue.
  ///   - options: `kCGImageDestinationLossyCompressionQuality`, 0…1, 0.9 unless given.
  /// - Returns: `nil` for an image without bounds or pixels, and for a space of another model.
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    try? file(of: image, as: .jpeg, format: .RGBX8, colorSpace: colorSpace, options)
  }

  /// All of `image` as a PNG file.
  ///
  /// - Parameters:
  ///   - format: `.RGBA16` gives 16 bits a component, `.L8` gray, the others 8.
  ///   - colorSpace: Of the file; gray for `.L8`, else red, green and blue.
  /// - Returns: `nil` for an image without bounds or pixels, and for a space of another model.
  public func pngRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    try? file(of: image, as: .png, format: format, colorSpace: colorSpace, options)
  }

  /// All of `image` as a HEIC file of 8 bits a component.
  ///
  /// ``CIImage/properties`` go into the file as metadata. Transparent parts become white.
  ///
  /// - Parameters:
  ///   - format: How the pixels are computed; the file has 8 bits a component.
  ///   - colorSpace: Of the file: red, green and blue.
  ///   - options: `kCGImageDestinationLossyCompressionQuality`, 0…1, 0.9 unless given.
  /// - Returns: `nil` for an image without bounds or pixels, and for a space of another model.
  public func heifRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    try? file(of: image, as: .heic, format: format, colorSpace: colorSpace, options)
  }

  /// Writes all of `image` to a JPEG file, whole or not at all; see ``jpegRepresentation(of:colorSpace:options:)``.
  ///
  /// - Throws: What kept the picture from being made or the file from being written, in one sentence.
  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(file(of: image, as: .jpeg, format: .RGBX8, colorSpace: colorSpace, options), to: url)
  }

  /// Writes all of `image` to a PNG file; see ``pngRepresentation(of:format:colorSpace:options:)``.
  ///
  /// The file is there whole or not at all.
  ///
  /// - Throws: What kept the picture from being made or the file from being written, in one sentence.
  public func writePNGRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(file(of: image, as: .png, format: format, colorSpace: colorSpace, options), to: url)
  }

  /// Writes all of `image` to a HEIC file; see ``heifRepresentation(of:format:colorSpace:options:)``.
  ///
  /// The file is there whole or not at all.
  ///
  /// - Throws: What kept the picture from being made or the file from being written, in one sentence.
  public func writeHEIFRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(file(of: image, as: .heic, format: format, colorSpace: colorSpace, options), to: url)
  }

  private func write(_ data: Data, to url: URL) throws {
    guard url.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
    try AtomicFile.write(data, to: url.path)
  }

  private func file(
    of image: CIImage, as type: StillFormat, format: CIFormat, colorSpace: CGColorSpace,
    _ options: [CIImageRepresentationOption: Any]
  ) throws -> Data {
    guard let bounds = CIContext.bounds(image.extent) else {
      throw ImageFileError.withoutBounds
    }
    var properties = image.properties
    for (option, value) in options { properties[option.rawValue] = value }
    // What is made smaller, or has a thumbnail, is left to ImageIO.
    let isPlain =
      properties[kCGImageDestinationImageMaxPixelSize] == nil
      && properties[kCGImageDestinationEmbedThumbnail] == nil
    if type != .png, colorSpace.model == .rgb, format != .L8, isPlain,
      let pixels = try lumaAndChroma(image, bounds, colorSpace)
    {
      return try self.file(of: pixels, as: type, colorSpace, properties)
    }
    let file = NSMutableData()
    guard
      let pixels = createCGImage(image, from: image.extent, format: format, colorSpace: colorSpace),
      let destination = CGImageDestinationCreateWithData(file, type.typeIdentifier, 1, nil)
    else {
      throw ImageFileError.notRenderable(width: bounds.width, height: bounds.height)
    }
    CGImageDestinationAddImage(destination, pixels, properties)
    guard CGImageDestinationFinalize(destination) else {
      throw ImageFileError.notEncodable(type.typeIdentifier)
    }
    return file.copied
  }

  /// The picture as the codecs take it: a camera's, cut and turned at most, as it is; one that is opaque, rendered.
  ///
  /// `nil` where transparent parts lie on white first.
  private func lumaAndChroma(
    _ image: CIImage, _ bounds: GridRect, _ space: CGColorSpace
  ) throws -> CVPixelBuffer? {
    if let exact = exact(image, bounds, colorSpace: space), !exact.buffer.isRGB {
      return try transformer.apply(exact.transform, to: exact.buffer)
    }
    guard image.recipe.isOpaque, image.extent.isWhole else { return nil }
    let buffer = try transformer.makeBuffer(
      size: PixelSize(width: bounds.width, height: bounds.height),
      pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    // What JFIF and the HEIC writer say of their numbers.
    CVBufferSetAttachment(
      buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
    let moved = image.recipe.transformed(
      by: CGAffineTransform(translationX: -image.extent.minX, y: -image.extent.minY), sampling: .linear)
    let whole = GridRect(x: 0, y: 0, width: bounds.width, height: bounds.height)
    try write(CIImage(moved), to: buffer, whole, whole, space)
    return buffer
  }

  private func file(
    of buffer: CVPixelBuffer, as type: StillFormat, _ space: CGColorSpace, _ properties: [String: Any]
  ) throws -> Data {
    let quality = LooseNumber.double(properties[kCGImageDestinationLossyCompressionQuality])
    let block = ExifBlock(
      properties: properties, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
      colorSpace: space)
    let exif = block.isEmpty ? nil : try block.data()
    let profile = space == .standardRGB || space == CGColorSpaceCreateDeviceRGB() ? nil : space.copyICCData()
    switch type {
    case .jpeg:
      var options = JPEGEncoder.Options()
      options.quality = quality ?? options.quality
      options.threads = Tiles.threads
      options.exif = exif
      options.profile = profile
      return try JPEGEncoder.encode(buffer, options: options)
    case .heic:
      var options = HEICEncoder.Options()
      options.quality = quality ?? options.quality
      options.threads = Tiles.threads
      options.orientation = LooseNumber.integer(properties[kCGImagePropertyOrientation]) ?? 1
      options.exif = exif
      options.profile = profile
      return try HEICEncoder.encode(buffer, options: options)
    case .png, .dng, .gif: throw ImageFileError.notEncodable(type.typeIdentifier)
    }
  }
}
