public import Foundation
public import FoundationExtras

/// A picture as a grid of numbers with a colour space; immutable.
///
/// Gray or RGB with or without alpha, in integers of 8 or 16 bits or floats of 16 or 32. Copies and crops share the
/// bytes. Thread-safe.
public final class CGImage: @unchecked Sendable {  // Safe because every property is constant.
  /// Pixels along x.
  public let width: Int
  /// Pixels along y; row 0 is the top one.
  public let height: Int
  /// Bits of one number.
  public let bitsPerComponent: Int
  /// Bits from one pixel to the next.
  public let bitsPerPixel: Int
  /// Bytes from one row to the next.
  public let bytesPerRow: Int
  /// What the numbers mean; `nil` for a mask of alpha only.
  public let colorSpace: CGColorSpace?
  /// How the numbers lie in memory.
  public let bitmapInfo: CGBitmapInfo
  /// Whether a client that enlarges the image should smooth it.
  public let shouldInterpolate: Bool
  /// What to do with colours out of reach of the target.
  public let renderingIntent: CGColorRenderingIntent
  /// The type of the file the image came from, such as `public.jpeg`; `nil` for one made of pixels.
  public let utType: CFString?

  let source: CGDataProvider
  let sourceOffset: Int
  let decodeRanges: DecodeRanges?

  /// An image over the bytes of `provider`, which are shared, not copied.
  ///
  /// - Parameters:
  ///   - bitsPerComponent: 8 or 16; 16 or 32 for floats.
  ///   - bitsPerPixel: The bits of all components, with alpha or the skipped one.
  ///   - bytesPerRow: May be longer than the pixels need.
  ///   - decode: A lower and an upper value for each component, onto which its range is stretched; `nil` for 0…1.
  /// - Returns: `nil` when the layout is not among those above, contradicts itself, or needs more bytes than there
  ///   are. The last row needs no padding.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: CGBitmapInfo, provider: CGDataProvider,
    decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    let ranges = decode.map {
      DecodeRanges(values: Array(UnsafeBufferPointer(start: $0, count: 2 * space.numberOfComponents)))
    }
    self.init(
      width: width, height: height, bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: bitmapInfo, source: provider, offset: 0,
      decode: ranges, shouldInterpolate: shouldInterpolate, intent: intent, utType: nil)
  }

  package init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int,
    space: CGColorSpace?, bitmapInfo: CGBitmapInfo, source: CGDataProvider, offset: Int,
    decode: DecodeRanges?, shouldInterpolate: Bool, intent: CGColorRenderingIntent, utType: CFString?
  ) {
    // Sizes above this make products of two of them overflow; no file has them.
    let largest = 1 << 28
    guard width > 0, height > 0, width < largest, height < largest, bytesPerRow < largest << 4,
      let layout = BitmapLayout(
        bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel, bitmapInfo: bitmapInfo,
        colorComponents: space?.numberOfComponents ?? 0),
      bytesPerRow >= width * layout.bytesPerPixel,
      let count = source.data?.count,
      offset + (height - 1) * bytesPerRow + width * layout.bytesPerPixel <= count
    else { return nil }
    self.width = width
    self.height = height
    self.bitsPerComponent = bitsPerComponent
    self.bitsPerPixel = bitsPerPixel
    self.bytesPerRow = bytesPerRow
    colorSpace = space
    self.bitmapInfo = bitmapInfo
    self.source = source
    sourceOffset = offset
    decodeRanges = decode
    self.shouldInterpolate = shouldInterpolate
    renderingIntent = intent
    self.utType = utType
    self.layout = layout
  }

  /// Where each component of a pixel lies.
  package let layout: BitmapLayout

  /// Where alpha lies.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.alphaInfoMask.rawValue) ?? .none
  }

  /// The order of a pixel's bytes.
  public var byteOrderInfo: CGImageByteOrderInfo {
    CGImageByteOrderInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.byteOrderMask.rawValue) ?? .orderDefault
  }

  /// Whether the image masks others; never so here.
  public var isMask: Bool { false }

  /// The stretch of each component that the image was made with; lives as long as the image.
  public var decode: UnsafePointer<CGFloat>? {
    decodeRanges.map { UnsafePointer($0.memory) }
  }

  /// The bytes from the image's first pixel on, ``bytesPerRow`` apart.
  ///
  /// The provider the image was made with; of a crop, a new one with a copy of its rows.
  public var dataProvider: CGDataProvider? {
    guard sourceOffset > 0 else { return source }
    return withBytes { CGDataProvider(data: Data($0)) }
  }

  /// The same image as another object; shares the bytes.
  public func copy() -> CGImage? {
    CGImage(derivedFrom: self, space: colorSpace)
  }

  /// The same numbers taken as colours of another space.
  ///
  /// - Returns: `nil` when `space` has another number of components. Nothing is converted.
  public func copy(colorSpace space: CGColorSpace) -> CGImage? {
    guard colorSpace?.numberOfComponents == space.numberOfComponents else { return nil }
    return CGImage(derivedFrom: self, space: space)
  }

  /// The part of the image inside `rect`, in pixels from the top left corner; shares the bytes.
  ///
  /// - Returns: The smallest whole-pixel rectangle around `rect`, cut off at the image's edge; `nil` when nothing is
  ///   left.
  public func cropping(to rect: CGRect) -> CGImage? {
    let all = CGRect(x: 0, y: 0, width: width, height: height)
    guard !rect.isNull else { return nil }
    let part = rect.isInfinite ? all : rect.standardized.integral.intersection(all)
    guard !part.isNull, part.width >= 1, part.height >= 1 else { return nil }
    return CGImage(
      width: Int(part.width), height: Int(part.height), bitsPerComponent: bitsPerComponent,
      bitsPerPixel: bitsPerPixel, bytesPerRow: bytesPerRow, space: colorSpace, bitmapInfo: bitmapInfo,
      source: source,
      offset: sourceOffset + Int(part.minY) * bytesPerRow + Int(part.minX) * layout.bytesPerPixel,
      decode: decodeRanges, shouldInterpolate: shouldInterpolate, intent: renderingIntent, utType: utType)
  }

  private convenience init?(derivedFrom other: CGImage, space: CGColorSpace?) {
    self.init(
      width: other.width, height: other.height, bitsPerComponent: other.bitsPerComponent,
      bitsPerPixel: other.bitsPerPixel, bytesPerRow: other.bytesPerRow, space: space,
      bitmapInfo: other.bitmapInfo, source: other.source, offset: other.sourceOffset,
      decode: other.decodeRanges, shouldInterpolate: other.shouldInterpolate, intent: other.renderingIntent,
      utType: other.utType)
  }

  /// Runs `body` on the bytes from the first pixel to the last, rows ``bytesPerRow`` apart; copies nothing.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let count = (height - 1) * bytesPerRow + width * layout.bytesPerPixel
    // Safe because `init` refuses a provider without data.
    return try (source.data ?? Data()).withUnsafeBytes { bytes in
      try body(UnsafeRawBufferPointer(rebasing: bytes[sourceOffset..<sourceOffset + count]))
    }
  }
}

/// The stretch of each component, kept in memory that a client may point at.
package final class DecodeRanges: @unchecked Sendable {  // Safe because the memory is only read after init.
  let memory: UnsafeMutablePointer<CGFloat>
  let values: [CGFloat]

  init(values: [CGFloat]) {
    self.values = values
    memory = .allocate(capacity: values.count)
    memory.initialize(from: values, count: values.count)
  }

  deinit {
    memory.deallocate()
  }
}
