public import CoreVideo
public import Foundation
internal import FoundationExtras
public import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// Computes the pixels of images.
///
/// The working space is extended linear sRGB in 32-bit floats unless an option names another one or none; alpha is
/// premultiplied. Big pictures are computed in tiles on all cores, which do not show. Stored pixels that are only cut and turned,
/// and keep their colours, are copied exactly.
///
/// Thread-safe. Methods return when the pixels are there, and need no display.
public final class CIContext: NSObject, Sendable {
  /// The space images are mixed in; `nil` when they are mixed as the numbers stand.
  public let workingColorSpace: CGColorSpace?
  let outputColorSpace: CGColorSpace?
  let color: WorkingColor
  /// Whether colours that have alpha beside them are multiplied by it.
  private let isPremultiplied: Bool
  let transformer = PixelTransformer(bufferLimit: 64)

  /// A context that mixes in extended linear sRGB and gives sRGB.
  public convenience override init() {
    self.init(options: nil)
  }

  /// A context with choices of its own.
  ///
  /// - Parameter options: `.workingColorSpace` and `.outputColorSpace` (a `CGColorSpace`, or `NSNull` for no colour
  ///   matching) change results, and so does `.outputPremultiplied`; the others are advice and change none.
  public init(options: [CIContextOption: Any]?) {
    func space(_ option: CIContextOption, _ fallback: CGColorSpace) -> CGColorSpace? {
      guard let value = options?[option] else { return fallback }
      guard let space = value as? CGColorSpace else { return nil }
      return space.model == .rgb || option == .outputColorSpace ? space : fallback
    }
    workingColorSpace = space(.workingColorSpace, .standardWorking)
    outputColorSpace = space(.outputColorSpace, .standardRGB)
    color = WorkingColor(space: workingColorSpace)
    isPremultiplied = LooseNumber.truth(options?[.outputPremultiplied]) ?? true
    super.init()
  }

  /// Gives back the memory that is kept for the next rendering.
  ///
  /// Decoded pictures belong to their images and go with them.
  public func clearCaches() {
    TileMemory.clear()
  }

  // MARK: To images

  /// The part `fromRect` of `image` as 8-bit RGBA in the context's output space.
  ///
  /// - Parameter fromRect: Sides between pixels are moved outwards.
  /// - Returns: `nil` when the rectangle is empty, infinite or too large for memory.
  public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
    createCGImage(image, from: fromRect, format: .RGBA8, colorSpace: outputColorSpace)
  }

  /// The part `fromRect` of `image`.
  ///
  /// - Parameters:
  ///   - fromRect: Sides between pixels are moved outwards.
  ///   - format: How the pixels are stored.
  ///   - colorSpace: What they mean; `nil` writes the working numbers without colour matching, for sRGB.
  /// - Returns: `nil` when the rectangle is empty, infinite or too large for memory, or the space has not as many
  ///   components as the format.
  public func createCGImage(
    _ image: CIImage, from fromRect: CGRect, format: CIFormat, colorSpace: CGColorSpace?
  ) -> CGImage? {
    guard let bounds = CIContext.bounds(fromRect), let layout = format.layout,
      let bits = format.bitmapInfo
    else { return nil }
    let tag = colorSpace ?? (format == .L8 ? CGColorSpaceCreateDeviceGray() : .standardRGB)
    guard tag.numberOfComponents == (format == .L8 ? 1 : 3) else { return nil }
    var info = bits.info
    let isOpaque = image.recipe.isOpaque && CIContext.covers(image.recipe.extent, bounds)
    if isOpaque { info = info.withoutAlpha } else if !isPremultiplied { info = info.withStraightAlpha }

    let data: Data
    let rowBytes: Int
    if format == .RGBA8 || format == .BGRA8 || format == .ARGB8, isOpaque || isPremultiplied,
      let buffer = exactBuffer(image, bounds, colorSpace: colorSpace, pixelFormat: format.pixelFormat)
    {
      data = buffer.wrappedAsData()
      rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    } else {
      rowBytes = bounds.width * layout.bytesPerPixel
      guard let memory = malloc(rowBytes * bounds.height) else { return nil }
      render(
        image.recipe,
        BitmapSink(
          layout: layout, base: memory, rowBytes: rowBytes, bounds: bounds, exit: color.exit(to: colorSpace),
          isPremultiplied: isPremultiplied || format == .RGBX8),
        bounds)
      data = Data(bytesNoCopy: memory, count: rowBytes * bounds.height, deallocator: .free)
    }
    guard let provider = CGDataProvider(data: data) else { return nil }
    return CGImage(
      width: bounds.width, height: bounds.height, bitsPerComponent: bits.bitsPerComponent,
      bitsPerPixel: bits.bitsPerPixel, bytesPerRow: rowBytes, space: tag, bitmapInfo: info,
      provider: provider,
      decode: nil, shouldInterpolate: true, intent: .defaultIntent)
  }

  // MARK: To memory

  /// Writes `image` into memory that the caller owns, rows from the top.
  ///
  /// - Parameters:
  ///   - data: Room for `rowBytes` times the height of `bounds`.
  ///   - bounds: What of the image is written; sides between pixels are moved outwards.
  ///   - format: How the pixels are stored.
  ///   - colorSpace: What they mean; `nil` writes the working numbers without colour matching.
  public func render(
    _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect, format: CIFormat,
    colorSpace: CGColorSpace?
  ) {
    guard let rect = CIContext.bounds(bounds), let layout = format.layout,
      rowBytes >= rect.width * layout.bytesPerPixel
    else {
      ProgrammingMistake.report(
        rule: "A bitmap is rendered into a known format with rows at least as long as the bounds are wide.")
      return
    }
    render(
      image.recipe,
      BitmapSink(
        layout: layout, base: data, rowBytes: rowBytes, bounds: rect, exit: color.exit(to: colorSpace),
        isPremultiplied: isPremultiplied || format == .RGBX8),
      rect)
  }

  // MARK: To pixel buffers

  /// Writes `image` into all of `buffer`, in the colours that the buffer's attachments name.
  ///
  /// The image's origin comes to lie at the buffer's lower left corner; where there is no image the buffer is cleared.
  public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
    let bounds = CGRect(
      x: 0, y: 0, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
    render(image, to: buffer, bounds: bounds, colorSpace: CGColorSpace.described(by: buffer))
  }

  /// Writes the part of `image` within `bounds` into `buffer`.
  ///
  /// The image's origin comes to lie at the buffer's lower left corner, so `bounds` is at once what is taken of the
  /// image and what is changed of the buffer. Where there is no image the buffer is cleared.
  ///
  /// - Parameters:
  ///   - buffer: In any format that can be converted to, or the call is reported as a mistake. Bounds within formats
  ///     of shared colour samples are moved outwards to whole samples.
  ///   - colorSpace: What the numbers will mean; `nil` writes the working numbers without colour matching.
  public func render(_ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?) {
    let whole = GridRect(
      x: 0, y: 0, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
    let rect = bounds.pixels(within: whole)
    if rect.isEmpty { return }
    do {
      try write(
        image, to: buffer, rect, whole, colorSpace, isPremultiplied: isPremultiplied || buffer.hasNoAlpha)
    } catch {
      ProgrammingMistake.report(rule: "An image was not rendered into a pixel buffer: \(error)")
    }
  }

  func write(
    _ image: CIImage, to buffer: CVPixelBuffer, _ rect: GridRect, _ whole: GridRect, _ space: CGColorSpace?,
    isPremultiplied: Bool = true
  ) throws {
    if rect == whole, isPremultiplied || image.recipe.isOpaque,
      let exact = exact(image, rect, colorSpace: space), exact.keepsAlpha(in: buffer),
      exact.buffer !== buffer
    {
      return try transformer.apply(exact.transform, to: exact.buffer, into: buffer)
    }
    if let layout = buffer.bytesLayout {
      CVPixelBufferLockBaseAddress(buffer, [])
      defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
      guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
      let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
      let start = base + (whole.height - rect.maxY) * rowBytes + 4 * rect.x
      let sink = BitmapSink(
        layout: layout, base: start, rowBytes: rowBytes, bounds: rect, exit: color.exit(to: space),
        isPremultiplied: isPremultiplied)
      if image.recipe.reads(buffer) {
        // Tiles must not read what others have written.
        let copy = try transformer.apply(FrameTransform(pixelFormat: nil), copying: buffer)
        return render(image.recipe.replacing(buffer, by: copy), sink, rect)
      }
      return render(image.recipe, sink, rect)
    }
    if rect == whole, whole.height % 2 == 0, !image.recipe.reads(buffer) {
      return try fill(buffer, image.recipe, whole, space)
    }
    // Everything else is made as BGRA first.
    let size = PixelSize(width: whole.width, height: whole.height)
    let middle = try transformer.makeBuffer(size: size, pixelFormat: kCVPixelFormatType_32BGRA)
    if rect != whole { try transformer.apply(.identity, to: buffer, into: middle) }
    try write(image, to: middle, rect, whole, space)
    try transformer.apply(.identity, to: middle, into: buffer)
  }

  /// Writes `recipe` into all of a buffer whose pixels are no bytes of red, green and blue, tile by tile.
  private func fill(
    _ buffer: CVPixelBuffer, _ recipe: Recipe, _ whole: GridRect, _ space: CGColorSpace?
  ) throws {
    let exit = color.exit(to: space)
    try forEachBand(of: recipe, whole) { recipe, band, renderer in
      let parts = band.tiles(for: recipe).map {
        PixelRect(x: $0.x, y: whole.height - $0.maxY, width: $0.width, height: $0.height)
      }
      try transformer.fill(buffer, parts: parts) { part, memory, rowBytes in
        let rect = GridRect(
          x: part.x, y: whole.height - part.y - part.height, width: part.width, height: part.height)
        BitmapSink(
          layout: .bytes(red: 2, green: 1, blue: 0, alpha: 3), base: memory, rowBytes: rowBytes, bounds: rect,
          exit: exit
        ).write(renderer.tile(recipe, rect))
      }
    }
  }

  // MARK: Parts

  /// Renders `recipe` in tiles over the cores.
  func render(_ recipe: Recipe, _ sink: BitmapSink, _ bounds: GridRect) {
    forEachBand(of: recipe, bounds) { recipe, band, renderer in
      let tiles = band.tiles(for: recipe)
      Tiles.forEach(tiles.count) { sink.write(renderer.tile(recipe, tiles[$0])) }
    }
  }

  /// Prepares `recipe` for one band of `bounds` after the other: what tiles have in common takes memory by the size of a band.
  private func forEachBand(
    of recipe: Recipe, _ bounds: GridRect, _ body: (Recipe, GridRect, TileRenderer) throws -> Void
  ) rethrows {
    let renderer = TileRenderer(color: color)
    let recipe = recipe.withSmallerFiles
    let rows = max(64, (1 << 22) / max(1, bounds.width) / 64 * 64)
    for y in stride(from: bounds.y, to: bounds.maxY, by: rows) {
      let band = GridRect(x: bounds.x, y: y, width: bounds.width, height: rows).intersection(bounds)
      try body(recipe.prepared(for: band, renderer), band, renderer)
    }
  }

  /// Whole pixels around `rect`; `nil` for rectangles that no bitmap can have.
  static func bounds(_ rect: CGRect) -> GridRect? {
    if rect.isNull || rect.isEmpty || rect.isInfiniteExtent || !rect.width.isFinite || !rect.minX.isFinite {
      return nil
    }
    let pixels = rect.standardized.allPixels
    guard !pixels.isEmpty, pixels.width <= 65536, pixels.height <= 65536 else { return nil }
    return pixels
  }

  private static func covers(_ extent: CGRect, _ bounds: GridRect) -> Bool {
    extent.isInfiniteExtent
      || extent.contains(CGRect(x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height))
  }

  /// The region as stored pixels, when neither light nor colours have to be computed.
  func exact(_ image: CIImage, _ bounds: GridRect, colorSpace: CGColorSpace?) -> ExactPicture? {
    guard let exact = ExactPicture(image.recipe, region: bounds) else { return nil }
    if workingColorSpace == nil || exact.picture.colorSpace == nil && colorSpace == nil { return exact }
    guard let source = exact.picture.colorSpace, let colorSpace else { return nil }
    return ColorConversion(from: source, to: colorSpace).isIdentity ? exact : nil
  }

  private func exactBuffer(
    _ image: CIImage, _ bounds: GridRect, colorSpace: CGColorSpace?, pixelFormat: OSType?
  ) -> CVPixelBuffer? {
    guard let pixelFormat, let exact = exact(image, bounds, colorSpace: colorSpace) else { return nil }
    var transform = exact.transform
    transform.pixelFormat = pixelFormat
    do {
      let buffer = try transformer.apply(transform, to: exact.buffer)
      // An image must not change when the buffer's owner writes the next frame into it.
      return buffer === exact.buffer ? try transformer.apply(.identity, copying: buffer) : buffer
    } catch {
      // The tiles can do what the short way cannot.
      return nil
    }
  }
}

/// A choice at the making of a context.
public struct CIContextOption: RawRepresentable, Sendable, Hashable {
  /// The option's name.
  public let rawValue: String

  /// The option of this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The `CGColorSpace` of red, green and blue to mix in; `NSNull` for no colour matching at all.
  public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
  /// The `CGColorSpace` of results that are not asked for in another one; `NSNull` for no colour matching.
  public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
  /// Whether colours in results are multiplied by alpha, a Boolean; they are unless it says no.
  ///
  /// Pixels without alpha are as ever.
  public static let outputPremultiplied = CIContextOption(rawValue: "output_premultiplied")
  /// Advice to compute on the processor, which is always done.
  public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
  /// Advice to keep intermediate results; none are kept.
  public static let cacheIntermediates = CIContextOption(rawValue: "cache_intermediates")
  /// Advice to let others go first.
  public static let priorityRequestLow = CIContextOption(rawValue: "low_priority")
  /// Advice to shrink pictures well, which is always done.
  public static let highQualityDownsample = CIContextOption(rawValue: "high_quality_downsample")
  /// A name for the developer's eyes.
  public static let name = CIContextOption(rawValue: "name")
  /// The ``CIFormat`` to mix in; it is 32-bit floats whatever is asked for.
  public static let workingFormat = CIContextOption(rawValue: "working_format")
  /// Advice to take the processor that needs less power; there is one.
  public static let allowLowPower = CIContextOption(rawValue: "allow_low_power")
  /// Advice how much memory to take, in megabytes; a picture is made in tiles, which take little.
  public static let memoryLimit = CIContextOption(rawValue: "memory_limit")
}
