package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
internal import RawPictures

extension DNGDecoder {
  /// The picture of a file, developed in the light that it was taken in, as bright as the file wants it, in sRGB without a curve of its own.
  ///
  /// - Parameter scale: From a half on a pixel is made of each four of the sensor's, so that no colour has to be found.
  /// - Returns: `kCVPixelFormatType_32RGBA`, as large as what is shown of it in that scale, laid as it is stored.
  /// - Throws: ``StillCodecError``, `PixelTransformError`, CoreVideo's errors.
  package static func develop(_ data: Data, scale: StillScale = .full) throws -> CVPixelBuffer {
    let head = try Head(data)
    let pixels = head.area.width * head.area.height
    // The numbers, a part of them as it is unpacked, and the picture, once more where it is cut.
    try DecodeLimit.check(
      bytes: pixels * (scale == .full ? 12 : 10), fileBytes: data.count, width: head.area.width,
      height: head.area.height, format: .dng)
    let mosaic = try head.area.mosaic()
    let facts = head.facts.rawFacts(of: mosaic)
    let shown = head.shown
    let developed: CVPixelBuffer
    var crop = PixelRect(x: shown.x, y: shown.y, width: shown.width, height: shown.height)
    if scale == .full {
      developed = try CVPixelBuffer(
        format: kCVPixelFormatType_32RGBA, width: mosaic.width, height: mosaic.height)
      var rendering = RawDeveloper.Rendering()
      rendering.exposure = head.baselineExposure
      try RawDeveloper.develop(mosaic, facts, rendering, into: developed)
    } else {
      developed = try half(mosaic, facts, exposure: head.baselineExposure)
      // An odd row or column is left out there.
      crop = PixelRect(
        x: min(shown.x / 2, developed.width - 1), y: min(shown.y / 2, developed.height - 1),
        width: max(shown.width / 2, 1), height: max(shown.height / 2, 1))
      crop.width = min(crop.width, developed.width - crop.x)
      crop.height = min(crop.height, developed.height - crop.y)
    }
    let size = scale.size(width: shown.width, height: shown.height)
    let picture = try PixelTransformer(bufferLimit: 1).apply(
      FrameTransform(crop: crop, size: PixelSize(width: size.width, height: size.height)), to: developed)
    CVBufferSetAttachment(
      picture, kCVImageBufferCGColorSpaceKey, CGColorSpace.standardRGB, .shouldPropagate)
    return picture
  }

  /// The picture in half its width and height.
  private static func half(_ mosaic: CVPixelBuffer, _ facts: RawFacts, exposure: Double) throws
    -> CVPixelBuffer
  {
    let (width, height) = (mosaic.width / 2, mosaic.height / 2)
    let light = try CVPixelBuffer(format: kCVPixelFormatType_128RGBAFloat, width: width, height: height)
    var rendering = RawDeveloper.LinearRendering()
    rendering.exposure = exposure
    try RawDeveloper.developHalf(mosaic, facts, rendering, into: light)
    let picture = try CVPixelBuffer(format: kCVPixelFormatType_32RGBA, width: width, height: height)
    let codes = (0..<4096).map { UInt8((RawDeveloper.coded(Double($0) / 4095) * 255).rounded()) }
    for y in 0..<height {
      let source = light.planes[0].row(y).bindMemory(to: Float.self)
      let target = picture.planes[0].row(y).bindMemory(to: UInt8.self)
      for index in 0..<4 * width {
        // Written so that what is no number becomes black.
        let bounded = source[index] > 0 ? min(source[index], 1) : 0
        target[index] = index & 3 == 3 ? 255 : codes[Int(bounded * 4095 + 0.5)]
      }
    }
    withExtendedLifetime((light, picture)) {}
    return picture
  }
}
