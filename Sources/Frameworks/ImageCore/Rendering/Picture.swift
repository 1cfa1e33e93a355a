internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import Linux
internal import PixelTransforms
internal import StillCodecs

/// Stored pixels that recipes start from: a pixel buffer, an image, or a file that is decoded when first needed.
final class Picture: Sendable {
  enum Content: Sendable {
    case buffer(CVPixelBuffer)
    case image(CGImage)
    /// Decoded by the closure at the first use; of some files also half or a quarter as wide and high.
    case coded(scales: [StillScale], @Sendable (StillScale) throws -> Memory)
  }

  /// Pixels as the renderer reads them.
  enum Memory: Sendable {
    /// In a format that ``PixelTransformer`` converts.
    case buffer(CVPixelBuffer)
    /// In floating point.
    case floats(FloatPixels)
    /// 16-bit red, green, blue and premultiplied alpha, rows from the top.
    case words([UInt16])
    case nothing
  }

  let size: PixelSize
  /// The colour space of the numbers; `nil` takes them for the working space's.
  let colorSpace: CGColorSpace?
  /// Whether there is no alpha at all.
  let isOpaque: Bool
  let content: Content
  private let resolved = Locked<Memory?>(nil)
  private let smaller = Locked<[StillScale: Picture]>([:])
  private let transformer = PixelTransformer(bufferLimit: 64, threads: 1)

  init(_ content: Content, size: PixelSize, colorSpace: CGColorSpace?, isOpaque: Bool) {
    self.content = content
    self.size = size
    self.colorSpace = colorSpace
    self.isOpaque = isOpaque
  }

  /// The pixels, decoded once and kept.
  ///
  /// Thread-safe; the first caller decodes while the others wait.
  var memory: Memory {
    resolved.withLock { resolved in
      if let resolved { return resolved }
      let memory = resolve()
      resolved = memory
      return memory
    }
  }

  /// The picture with a whole number of its pixels for each pixel, `ratio` at most across and along; `nil` where it is not coded so.
  ///
  /// Kept, so that it is decoded once.
  func smaller(by ratio: CGFloat) -> (picture: Picture, scale: StillScale)? {
    guard case .coded(let scales, let decode) = content,
      let scale = scales.filter({
        CGFloat($0.rawValue) <= ratio && size.width % $0.rawValue == 0 && size.height % $0.rawValue == 0
      }).max(by: { $0.rawValue < $1.rawValue })
    else { return nil }
    let picture = smaller.withLock { known in
      if let picture = known[scale] { return picture }
      let picture = Picture(
        .coded(scales: []) { _ in try decode(scale) },
        size: PixelSize(width: size.width / scale.rawValue, height: size.height / scale.rawValue),
        colorSpace: colorSpace, isOpaque: isOpaque)
      known[scale] = picture
      return picture
    }
    return (picture, scale)
  }

  private func resolve() -> Memory {
    switch content {
    case .buffer(let buffer): return FloatPixels(buffer).map { .floats($0) } ?? .buffer(buffer)
    case .image(let image): return Picture.memory(of: image)
    case .coded(_, let decode):
      do { return try decode(.full) } catch {
        RenderLog.report("A picture of \(size) is left clear: \(error)")
        return .nothing
      }
    }
  }

  static func memory(of image: CGImage) -> Memory {
    if image.bitsPerComponent > 8 {
      var words = [UInt16](repeating: 0, count: image.width * image.height * 4)
      words.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        image.copyPixels16(into: base, valuesPerRow: 4 * image.width, alpha: .premultiplied)
      }
      return .words(words)
    }
    // In the image's own order, so that rows are copied and not rearranged.
    let isRedFirst = image.layout.colorOffsets.first == 0
    var made: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, image.width, image.height, isRedFirst ? kCVPixelFormatType_32RGBA : kCVPixelFormatType_32BGRA, nil,
      &made)
    guard let buffer = made else { return .nothing }
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return .nothing }
    image.copyPixels8(
      into: base, bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), order: isRedFirst ? .rgba : .bgra,
      alpha: .premultiplied)
    return .buffer(buffer)
  }

  /// The rows of a part of the picture in memory: four bytes a pixel, green second, alpha last.
  struct Rows {
    let base: UnsafePointer<UInt8>
    let stride: Int
    /// The place of red: 2 in BGRA, 0 in RGBA.
    let red: Int
  }

  /// Lends the rows that cover `rect`, counted from the top; converts other formats.
  func withRows(_ buffer: CVPixelBuffer, _ rect: PixelRect, _ body: (Rows) -> Void) throws {
    let format = CVPixelBufferGetPixelFormatType(buffer)
    if format == kCVPixelFormatType_32BGRA || format == kCVPixelFormatType_32RGBA {
      let red = format == kCVPixelFormatType_32BGRA ? 2 : 0
      Picture.lend(buffer) { base, stride in
        body(Rows(base: base + rect.y * stride + 4 * rect.x, stride: stride, red: red))
      }
      return
    }
    // Subsampled formats are cut at whole colour samples.
    let x = rect.x & ~1
    let y = rect.y & ~1
    let wider = PixelRect(x: x, y: y, width: rect.x - x + rect.width, height: rect.y - y + rect.height)
    try transformer.withBGRA(wider, of: buffer) { base, stride in
      body(Rows(base: base + (rect.y - y) * stride + 4 * (rect.x - x), stride: stride, red: 2))
    }
  }

  private static func lend(_ buffer: CVPixelBuffer, _ body: (UnsafePointer<UInt8>, Int) -> Void) {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
    body(UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRow(buffer))
  }
}
