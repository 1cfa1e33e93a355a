internal import CPainting
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
}

extension ScenePicture: Drawing {
  var aspect: Double? { Double(height) / Double(width) }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    paint(run, over: colors, count: count, goesOn: false)
  }

  /// As ``paint(_:over:count:)``; where `goesOn`, the edge goes on beyond the edge.
  func paint(
    _ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int, goesOn: Bool
  ) {
    let level = level(for: run.pixel)
    level.pixels.withUnsafeBytes {
      painting_picture(
        run, $0.baseAddress, Int32(level.width), Int32(level.height), goesOn, colors, count)
    }
  }

  /// The smallest version that still has a pixel for each output pixel.
  private func level(for pixel: Float) -> Level {
    var index = 0
    while index + 1 < levels.count, Float(levels[index + 1].width) * pixel >= 1 { index += 1 }
    return levels[index]
  }
}
