internal import CPangoCairo
package import Foundation
public import GraphicsCore

/// A bitmap with what draws into it: paths, pictures, gradients, text, with shadows and blending.
///
/// The origin is the lower left corner, the y axis points up; rows lie in memory from the top down. Pixels are 8-bit RGB with
/// premultiplied alpha or without alpha, either red first (`premultipliedLast`, `noneSkipLast`) or blue first
/// (`premultipliedFirst`, `noneSkipFirst` with `byteOrder32Little`), or alpha only. Colours and pictures are converted to the
/// context's colour space. Every call has drawn when it returns.
///
/// Thread-bound. Apple: `CGContext`; drawn by cairo.
///
/// - Note: Unlike AVFoundation's companion, gray contexts, those of 16 bits or floats, and patterns are missing.
public final class CGContext {
  /// Pixels along x.
  public let width: Int
  /// Pixels along y.
  public let height: Int
  /// Bytes from one row to the next.
  public let bytesPerRow: Int
  /// The space that colours are converted to; `nil` of a mask.
  public let colorSpace: CGColorSpace?
  /// The layout of the pixels.
  public let bitmapInfo: CGBitmapInfo

  let layout: ContextLayout
  let cairo: OpaquePointer
  private let memory: UnsafeMutableRawPointer
  private let ownsMemory: Bool

  /// What `saveGState()` keeps.
  var state: GraphicsState
  /// What was saved, and what layers were begun, the last one last.
  var saved: [SavedState] = []
  /// The path under construction, in device space.
  var outline = PathOutline()
  /// The order of red and blue that sources must have now.
  var sourceOrder: PixelOrder
  /// From the space that shadows are measured in to device space.
  let base: CGAffineTransform

  /// A context over memory of the client's, or of its own.
  ///
  /// - Parameters:
  ///   - data: `bytesPerRow * height` bytes that outlive the context, drawn over as they are; `nil` for memory of the context's
  ///     own, which is zero at first.
  ///   - bitsPerComponent: 8.
  ///   - bytesPerRow: A multiple of four; 0 for what is needed, if the memory is the context's own.
  ///   - space: An RGB space; a gray one for alpha only.
  ///   - bitmapInfo: The bits of a layout that ``CGContext`` lists.
  /// - Returns: `nil` for another layout, for no pixels, and where there is no memory.
  public convenience init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) {
    self.init(
      data: data, width: width, height: height, bitsPerComponent: bitsPerComponent,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: CGBitmapInfo(rawValue: bitmapInfo),
      base: .identity)
  }

  /// As ``init(data:width:height:bitsPerComponent:bytesPerRow:space:bitmapInfo:)``, whose bits are a number.
  public convenience init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: CGBitmapInfo
  ) {
    self.init(
      data: data, width: width, height: height, bitsPerComponent: bitsPerComponent,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: bitmapInfo, base: .identity)
  }

  /// - Parameter base: The first transform from user space to device space, which shadows are measured in.
  private init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: CGBitmapInfo, base: CGAffineTransform
  ) {
    // The library's coordinates end at 2^15 pixels.
    guard (1...32_767).contains(width), (1...32_767).contains(height),
      let layout = ContextLayout(bitmapInfo, bitsPerComponent: bitsPerComponent, space: space)
    else { return nil }
    let needed = (width * layout.bytesPerPixel + 3) / 4 * 4
    let rowBytes = bytesPerRow == 0 && data == nil ? needed : bytesPerRow
    guard rowBytes >= width * layout.bytesPerPixel, rowBytes % 4 == 0, rowBytes <= Int(Int32.max) else {
      return nil
    }
    guard let memory = data ?? calloc(height, rowBytes) else { return nil }
    let surface = cairo_image_surface_create_for_data(
      memory.assumingMemoryBound(to: UInt8.self), layout.cairoFormat, Int32(width), Int32(height),
      Int32(rowBytes))
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let cairo = cairo_create(surface) else {
      if data == nil { free(memory) }
      return nil
    }
    self.width = width
    self.height = height
    self.bytesPerRow = rowBytes
    self.layout = layout
    self.memory = memory
    ownsMemory = data == nil
    colorSpace = layout == .alpha ? nil : space
    self.bitmapInfo = bitmapInfo
    self.cairo = cairo
    self.base = base
    state = GraphicsState(ctm: base)
    sourceOrder = layout.order
    cairo_set_line_width(cairo, 1)
    applyTransform()
  }

  /// A context for drawing where the y axis points down: 8-bit sRGB, blue first, over memory of its own.
  ///
  /// - Parameters:
  ///   - bounds: What is drawn, in points.
  ///   - scale: How many pixels make a point.
  ///   - isOpaque: Whether the pixels have no alpha.
  /// - Returns: `nil` for no pixels, for more than 32 767 along a side, and where there is no memory.
  package convenience init?(bounds: CGRect, scale: CGFloat, isOpaque: Bool = false) {
    let (width, height) = ((bounds.width * scale).rounded(.up), (bounds.height * scale).rounded(.up))
    guard width >= 1, height >= 1, width <= 32_767, height <= 32_767 else { return nil }
    let alpha = isOpaque ? CGImageAlphaInfo.noneSkipFirst : .premultipliedFirst
    self.init(
      data: nil, width: Int(width), height: Int(height), bitsPerComponent: 8, bytesPerRow: 0,
      space: .standardRGB,
      bitmapInfo: .byteOrder32Little.union(CGBitmapInfo(rawValue: alpha.rawValue)),
      base: CGAffineTransform(
        a: scale, b: 0, c: 0, d: -scale, tx: -bounds.minX * scale, ty: height + bounds.minY * scale))
  }

  deinit {
    cairo_destroy(cairo)
    if ownsMemory { free(memory) }
  }

  /// Bits of one component.
  public var bitsPerComponent: Int { 8 }

  /// Bits from one pixel to the next.
  public var bitsPerPixel: Int { layout.bytesPerPixel * 8 }

  /// Where alpha lies.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.alphaInfoMask.rawValue) ?? .none
  }

  /// The pixels, from the top row down; valid as long as the context.
  public var data: UnsafeMutableRawPointer? { memory }

  /// What has been drawn so far, as a picture of its own.
  ///
  /// Copies the pixels. `nil` when there is no memory.
  public func makeImage() -> CGImage? {
    let bytes = Data(bytes: memory, count: height * bytesPerRow)
    guard let provider = CGDataProvider(data: bytes) else { return nil }
    return CGImage(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: bitsPerPixel,
      bytesPerRow: bytesPerRow, space: colorSpace, bitmapInfo: bitmapInfo, source: provider, offset: 0,
      decode: nil, shouldInterpolate: true, intent: .defaultIntent, utType: nil)
  }

  /// Has everything drawn; nothing waits here.
  public func flush() {}

  /// Has everything drawn; nothing waits here.
  public func synchronize() {}
}
