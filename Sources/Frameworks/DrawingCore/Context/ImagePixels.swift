internal import CPangoCairo
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms

/// A picture's pixels as the library takes them: four bytes, multiplied by alpha, in a context's colour space.
struct ImagePixels {
  let surface: CairoSurface
  let width: Int
  let height: Int

  private static let scaler = PixelTransformer()

  /// - Parameters:
  ///   - order: The order of red and blue that is wanted; the library takes blue to be first.
  ///   - space: `nil` for the numbers as they are.
  ///   - limit: The pixels that the picture will cover; along an axis with at least one and a half times as many it is shrunk to
  ///     them, each pixel counting in full. `nil` for the picture's own.
  /// - Returns: `nil` when there is no memory.
  init?(_ image: CGImage, order: PixelOrder, space: CGColorSpace?, limit: PixelSize?) {
    guard let whole = malloc(4 * image.width * image.height) else { return nil }
    var memory = whole
    image.copyPixels8(
      into: memory, bytesPerRow: 4 * image.width, order: order, alpha: .premultiplied)
    var size = PixelSize(width: image.width, height: image.height)
    if let wanted = limit.flatMap({ Self.shrunk(size, to: $0) }),
      let smaller = malloc(4 * wanted.width * wanted.height)
    {
      if Self.shrink(memory, size, to: smaller, wanted) {
        free(memory)
        (memory, size) = (smaller, wanted)
      } else {
        free(smaller)
      }
    }
    if let space, let from = image.colorSpace {
      let conversion = ColorConversion(from: from, to: space)
      if !conversion.isIdentity {
        BitmapConversion(conversion).apply(
          memory.assumingMemoryBound(to: UInt8.self), count: size.width * size.height,
          red: order == .rgba ? 0 : 2)
      }
    }
    let picture = cairo_image_surface_create_for_data(
      memory.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
      Int32(4 * size.width))
    guard let surface = CairoSurface(picture, memory: memory) else { return nil }
    self.surface = surface
    (width, height) = (size.width, size.height)
  }

  /// The size that a picture is shrunk to; `nil` where it is not.
  private static func shrunk(_ size: PixelSize, to limit: PixelSize) -> PixelSize? {
    func shrunk(_ length: Int, _ limit: Int) -> Int { limit > 0 && 2 * length >= 3 * limit ? limit : length }
    let smaller = PixelSize(
      width: shrunk(size.width, limit.width), height: shrunk(size.height, limit.height))
    return smaller == size ? nil : smaller
  }

  private static func shrink(
    _ memory: UnsafeMutableRawPointer, _ size: PixelSize, to target: UnsafeMutableRawPointer,
    _ targetSize: PixelSize
  ) -> Bool {
    guard let source = buffer(memory, size), let result = buffer(target, targetSize) else { return false }
    return (try? scaler.apply(FrameTransform(size: targetSize), to: source, into: result)) != nil
  }

  private static func buffer(_ memory: UnsafeMutableRawPointer, _ size: PixelSize) -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    _ = CVPixelBufferCreateWithBytes(
      nil, size.width, size.height, kCVPixelFormatType_32BGRA, memory, 4 * size.width, nil, nil, nil, &buffer)
    return buffer
  }
}

/// The conversion of a bitmap's colours, by tables of the curves.
private struct BitmapConversion {
  private let light: [SIMD3<Float>]
  private let matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
  private let stored: [UInt8]

  init(_ conversion: ColorConversion) {
    light = (0...255).map { SIMD3(repeating: Float(conversion.source.transfer.linear(Double($0) / 255))) }
    stored = (0...4095).map { index in
      let value = conversion.target.transfer.stored(Double(index) / 4095)
      return UInt8((min(1, max(0, value)) * 255).rounded())
    }
    func column(_ unit: SIMD3<Double>) -> SIMD3<Float> { SIMD3<Float>(conversion.matrix * unit) }
    matrix = (column([1, 0, 0]), column([0, 1, 0]), column([0, 0, 1]))
  }

  func apply(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, red: Int) {
    for index in 0..<count {
      let pixel = pixels + 4 * index
      let alpha = Int(pixel[3])
      guard alpha > 0 else { continue }
      func straight(_ value: UInt8) -> Int {
        alpha == 255 ? Int(value) : min(255, (Int(value) * 255 + alpha / 2) / alpha)
      }
      let linear =
        matrix.0 * light[straight(pixel[red])] + matrix.1 * light[straight(pixel[1])]
        + matrix.2 * light[straight(pixel[2 - red])]
      func number(_ value: Float) -> UInt8 {
        let number = Int(stored[Int(min(1, max(0, value)) * 4095 + 0.5)])
        return UInt8(alpha == 255 ? number : (number * alpha + 127) / 255)
      }
      pixel[red] = number(linear.x)
      pixel[1] = number(linear.y)
      pixel[2 - red] = number(linear.z)
    }
  }
}
