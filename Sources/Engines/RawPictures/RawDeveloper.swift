internal import CMosaics
package import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import PixelTransforms

/// Makes pictures of mosaics: levels, white balance, colours at every pixel, the camera's matrix, tones.
///
/// Green is found first, along edges rather than across them: of the estimates along rows and along columns (Hamilton and Adams, US patent
/// 5,629,734, 1997) each counts the more, the less the picture changes that way around. Red and blue follow green, by their differences
/// from it. All of it is done on roots of balanced light. Stateless and thread-safe; works on all processors.
package enum RawDeveloper {
  /// The kind of picture that comes out.
  package struct Rendering: Sendable {
    /// Stops by which it is brighter.
    package var exposure = 0.0
    /// The coded value, 0 to 1, of linear light from 0 to 1; `nil` is sRGB's.
    package var tone: (@Sendable (Double) -> Double)?

    /// As bright as it was taken, in sRGB.
    package init() {}
  }

  /// The picture of a mosaic, as large as it, in sRGB.
  ///
  /// - Parameters:
  ///   - mosaic: `kCVPixelFormatType_14Bayer_…`, of at least 2 × 2 pixels.
  ///   - target: `kCVPixelFormatType_32BGRA` or `kCVPixelFormatType_32RGBA`, of the same size.
  /// - Throws: `PixelTransformError` for other formats and sizes.
  package static func develop(
    _ mosaic: CVPixelBuffer, _ facts: RawFacts, _ rendering: Rendering = Rendering(),
    into target: CVPixelBuffer
  ) throws {
    let isRedFirst = target.format == kCVPixelFormatType_32RGBA
    guard isRedFirst || target.format == kCVPixelFormatType_32BGRA else {
      throw PixelTransformError.formatUnsupported(target.format)
    }
    let tone = rendering.tone ?? coded
    let table = (0..<16384).map { UInt8((min(max(tone(Double($0) / 16383), 0), 1) * 255).rounded()) }
    let plane = target.planes[0]
    try run(mosaic, facts, exposure: rendering.exposure, width: target.width, height: target.height) {
      row, colors in
      let bytes = (plane.baseAddress + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      guard isRedFirst else { return mosaics_bytes(colors, table, bytes, target.width) }
      // Blue comes first there.
      let order = [colors[2], colors[1], colors[0]]
      mosaics_bytes(order, table, bytes, target.width)
    }
    withExtendedLifetime(target) {}
  }

  /// The picture of a mosaic as numbers that are not bound to 0 to 1.
  package struct LinearRendering: Sendable {
    /// Stops by which it is brighter.
    package var exposure = 0.0
    /// The most light that is kept; 1 is white.
    package var most: Float = .infinity
    /// The light that comes out for light from 0 to 1, in even steps.
    ///
    /// Light beyond goes on as the last step does. Empty changes nothing.
    package var curve: [Float] = []

    /// As it was taken.
    package init() {}
  }

  /// The linear picture of a mosaic, in the colours of sRGB.
  ///
  /// - Parameter target: `kCVPixelFormatType_128RGBAFloat`, of the same size.
  /// - Throws: `PixelTransformError` for other formats and sizes.
  package static func developLinear(
    _ mosaic: CVPixelBuffer, _ facts: RawFacts, _ rendering: LinearRendering = LinearRendering(),
    into target: CVPixelBuffer
  ) throws {
    guard target.format == kCVPixelFormatType_128RGBAFloat else {
      throw PixelTransformError.formatUnsupported(target.format)
    }
    let plane = target.planes[0]
    try run(mosaic, facts, exposure: rendering.exposure, width: target.width, height: target.height) {
      row, colors in
      let pixels = (plane.baseAddress + row * plane.bytesPerRow).assumingMemoryBound(to: Float.self)
      mosaics_floats(colors, pixels, target.width)
      rendering.finish(pixels, target.width)
    }
    withExtendedLifetime(target) {}
  }

  /// The linear picture of a mosaic in half its width and height: a pixel for each four of the mosaic, so that no colour has to be found.
  ///
  /// - Parameter target: `kCVPixelFormatType_128RGBAFloat`, half as large; an odd row or column is left out.
  /// - Throws: `PixelTransformError` for other formats and sizes.
  package static func developHalf(
    _ mosaic: CVPixelBuffer, _ facts: RawFacts, _ rendering: LinearRendering = LinearRendering(),
    into target: CVPixelBuffer
  ) throws {
    guard let pattern = MosaicPattern(mosaic.format), target.format == kCVPixelFormatType_128RGBAFloat else {
      throw PixelTransformError.formatUnsupported(target.format)
    }
    guard target.width == mosaic.width / 2, target.height == mosaic.height / 2, target.width > 0,
      target.height > 0
    else { throw PixelTransformError.destinationUnsuitable }
    let quad = MosaicQuad(facts, pattern, exposure: rendering.exposure)
    let (source, plane) = (mosaic.planes[0], target.planes[0])
    let strips = (target.height + stripRows - 1) / stripRows
    Tiles.forEach(strips) { strip in
      for row in strip * stripRows..<min((strip + 1) * stripRows, target.height) {
        let upper = source.baseAddress + 2 * row * source.bytesPerRow
        let pixels = (plane.baseAddress + row * plane.bytesPerRow).assumingMemoryBound(to: Float.self)
        quad.develop(
          upper.assumingMemoryBound(to: UInt16.self),
          (upper + source.bytesPerRow).assumingMemoryBound(to: UInt16.self), into: pixels, target.width)
        rendering.finish(pixels, target.width)
      }
    }
    withExtendedLifetime((mosaic, target)) {}
  }

  /// sRGB's code of linear light (IEC 61966-2-1).
  package static func coded(_ light: Double) -> Double {
    light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  private typealias Colors = UnsafePointer<UnsafePointer<Float>?>

  /// Rows of a strip: each begins with some rows above it, so that strips are neither too small nor too many.
  private static let stripRows = 128

  private static func run(
    _ mosaic: CVPixelBuffer, _ facts: RawFacts, exposure: Double, width: Int, height: Int,
    _ finish: @escaping @Sendable (Int, Colors) -> Void
  ) throws {
    guard let pattern = MosaicPattern(mosaic.format) else {
      throw PixelTransformError.formatUnsupported(mosaic.format)
    }
    guard mosaic.width == width, mosaic.height == height else {
      throw PixelTransformError.destinationUnsuitable
    }
    guard width >= 2, height >= 2 else {
      throw PixelTransformError.sizeInvalid(PixelSize(width: width, height: height))
    }
    let code = MosaicCode(facts, pattern)
    let factor = exp2(exposure)
    let matrix = facts.matrix.map { Float($0 * factor) }
    let strips = (height + stripRows - 1) / stripRows
    Tiles.forEach(strips) { strip in
      let rows = strip * stripRows..<min((strip + 1) * stripRows, height)
      let work = MosaicStrip(mosaic, pattern, code, matrix)
      for row in rows { work.row(row, finish) }
    }
    withExtendedLifetime(mosaic) {}
  }
}
