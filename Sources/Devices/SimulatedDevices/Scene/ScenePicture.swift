public import CaptureDevice
public import CoreVideo
internal import FoundationExtras
public import GraphicsCore
internal import PixelTransforms

/// A raster picture for a scene, with smaller versions of itself so that it can be painted at any size.
///
/// Holds 4 bytes a pixel and a third more. Immutable.
public final class ScenePicture: Sendable {
  /// One size of the picture; the first is the full one, each next half of it.
  struct Level: Sendable {
    let width: Int
    let height: Int
    /// Premultiplied red, green, blue, alpha, sRGB-coded, row by row.
    let pixels: [SIMD4<UInt8>]
  }

  /// Pixels along x.
  public var width: Int { levels[0].width }
  /// Pixels along y.
  public var height: Int { levels[0].height }
  let levels: [Level]

  init(width: Int, height: Int, premultiplied pixels: [SIMD4<UInt8>]) {
    var levels = [Level(width: width, height: height, pixels: pixels)]
    while let last = levels.last, last.width > 1 || last.height > 1 { levels.append(last.halved()) }
    self.levels = levels
  }

  /// A picture from bytes.
  ///
  /// - Parameter rgba: Red, green, blue and alpha of each pixel, sRGB-coded, not premultiplied, row by row;
  ///   exactly `width` × `height` × 4 bytes.
  /// - Throws: `invalidScene` when the count is another.
  public convenience init(width: Int, height: Int, rgba: [UInt8]) throws(CaptureDeviceError) {
    let edges = 1...65_536
    guard edges.contains(width), edges.contains(height), rgba.count == width * height * 4 else {
      throw CaptureDeviceError(
        .invalidScene,
        "A picture of \(width)×\(height) has \(rgba.count) bytes; it needs 4 for each pixel, and edges of 1 to 65536."
      )
    }
    let pixels = (0..<width * height).map { index -> SIMD4<UInt8> in
      let alpha = UInt16(rgba[index * 4 + 3])
      func premultiplied(_ part: Int) -> UInt8 { UInt8((UInt16(rgba[index * 4 + part]) * alpha + 127) / 255) }
      return SIMD4(premultiplied(0), premultiplied(1), premultiplied(2), UInt8(alpha))
    }
    self.init(width: width, height: height, premultiplied: pixels)
  }

  /// A picture from a pixel buffer, in any format that can be turned into BGRA; a BGRA buffer's alpha is kept.
  ///
  /// - Throws: `invalidScene` when the format cannot be read.
  public convenience init(_ buffer: CVPixelBuffer) throws(CaptureDeviceError) {
    let source: CVPixelBuffer
    do {
      source = try PixelTransformer(bufferLimit: 1).apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: buffer)
    } catch {
      throw CaptureDeviceError(.invalidScene, "A scene cannot show this picture: \(error)")
    }
    self.init(source) { bgra in
      let alpha = UInt16(bgra.w)
      func premultiplied(_ part: UInt8) -> UInt8 { UInt8((UInt16(part) * alpha + 127) / 255) }
      return SIMD4(premultiplied(bgra.z), premultiplied(bgra.y), premultiplied(bgra.x), bgra.w)
    }
  }

  /// A picture from RGBA, premultiplied.
  convenience init(premultiplied buffer: CVPixelBuffer) {
    self.init(buffer) { $0 }
  }

  private convenience init(_ buffer: CVPixelBuffer, _ pixel: (SIMD4<UInt8>) -> SIMD4<UInt8>) {
    let plane = buffer.planes[0]
    var pixels: [SIMD4<UInt8>] = []
    pixels.reserveCapacity(buffer.width * buffer.height)
    for row in 0..<buffer.height {
      let bytes = UnsafeRawPointer(plane.baseAddress + row * plane.bytesPerRow)
      for column in 0..<buffer.width {
        pixels.append(pixel(bytes.loadUnaligned(fromByteOffset: 4 * column, as: SIMD4<UInt8>.self)))
      }
    }
    self.init(width: buffer.width, height: buffer.height, premultiplied: pixels)
  }

  /// A picture from an image, whose numbers are taken for sRGB.
  public convenience init(_ image: CGImage) {
    var pixels = [SIMD4<UInt8>](repeating: .zero, count: image.width * image.height)
    pixels.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      image.copyPixels8(into: base, bytesPerRow: image.width * 4, order: .rgba, alpha: .premultiplied)
    }
    self.init(width: image.width, height: image.height, premultiplied: pixels)
  }
}

extension ScenePicture.Level {
  /// The picture in half the size, each pixel the mean of four; the last row or column of an odd size counts twice.
  fileprivate func halved() -> ScenePicture.Level {
    let (newWidth, newHeight) = ((width + 1) / 2, (height + 1) / 2)
    var result: [SIMD4<UInt8>] = []
    result.reserveCapacity(newWidth * newHeight)
    pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<newHeight {
        let upper = row * 2 * width
        let lower = min(row * 2 + 1, height - 1) * width
        for column in 0..<newWidth {
          let left = column * 2
          let right = min(left + 1, width - 1)
          let sum =
            SIMD4<UInt16>(truncatingIfNeeded: pixels[upper + left])
            &+ SIMD4<UInt16>(truncatingIfNeeded: pixels[upper + right])
            &+ SIMD4<UInt16>(truncatingIfNeeded: pixels[lower + left])
            &+ SIMD4<UInt16>(truncatingIfNeeded: pixels[lower + right])
          result.append(SIMD4<UInt8>(truncatingIfNeeded: (sum &+ 2) &>> 2))
        }
      }
    }
    return ScenePicture.Level(width: newWidth, height: newHeight, pixels: result)
  }

  /// The colour between pixels, in components 0 to 1; beyond the edge, the edge goes on.
  @inline(__always)
  fileprivate func color(_ u: Float, _ v: Float) -> SIMD4<Float> {
    let x = min(max(u * Float(width) - 0.5, 0), Float(width - 1))
    let y = min(max(v * Float(height) - 0.5, 0), Float(height - 1))
    let column = min(Int(x), max(width - 2, 0))
    let row = min(Int(y), max(height - 2, 0))
    let right = min(column + 1, width - 1)
    let below = min(row + 1, height - 1)
    let (fx, fy) = (x - Float(column), y - Float(row))
    return pixels.withUnsafeBufferPointer { pixels in
      let upper =
        SIMD4<Float>(pixels[row * width + column]) * (1 - fx) + SIMD4<Float>(pixels[row * width + right]) * fx
      let lower =
        SIMD4<Float>(pixels[below * width + column]) * (1 - fx) + SIMD4<Float>(pixels[below * width + right])
        * fx
      return (upper * (1 - fy) + lower * fy) * (1 / 255)
    }
  }
}

extension ScenePicture: Drawing {
  var aspect: Double? { Double(height) / Double(width) }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    // Half a pixel outside still shows: the edge is where the picture ends, not the middle of its last pixel.
    guard u >= 0, v >= 0, u <= 1, v <= 1 else { return .zero }
    return level(for: pixel).color(u, v)
  }

  func blend(
    from start: SIMD2<Float>, step: SIMD2<Float>, pixel: Float,
    over colors: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    let level = level(for: pixel)
    for index in colors.indices {
      let place = start + step * Float(index)
      guard place.x >= 0, place.y >= 0, place.x <= 1, place.y <= 1 else { continue }
      let color = level.color(place.x, place.y)
      colors[index] = color.w >= 1 ? color : color + colors[index] * (1 - color.w)
    }
  }

  /// The smallest version that still has a pixel for each output pixel.
  private func level(for pixel: Float) -> Level {
    var index = 0
    while index + 1 < levels.count, Float(levels[index + 1].width) * pixel >= 1 { index += 1 }
    return levels[index]
  }
}
