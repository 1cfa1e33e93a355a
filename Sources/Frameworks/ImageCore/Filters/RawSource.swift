internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageIO
internal import PixelTransforms
internal import RawPictures
internal import StillCodecs

/// A raw picture with what its file says: what a `CIRAWFilter` develops.
final class RawSource: Sendable {
  let mosaic: CVPixelBuffer
  let facts: DNGEncoder.Options
  let baselineExposure: Double
  let preview: Data?
  let exif: ExifBlock

  /// The picture of a DNG file; `nil` for other data.
  init?(_ data: Data) {
    guard DNGDecoder.mayRead(data), let picture = try? DNGDecoder.decode(data) else { return nil }
    mosaic = picture.mosaic
    facts = picture.facts
    baselineExposure = picture.baselineExposure
    preview = picture.preview
    exif = picture.exif
  }

  /// A sensor's numbers with their meaning, in ImageIO's dictionaries; `nil` for other pixel formats.
  init?(_ buffer: CVPixelBuffer, _ properties: [AnyHashable: Any]) {
    guard MosaicPattern(buffer.format) != nil, buffer.width >= 2, buffer.height >= 2 else { return nil }
    var known: CFDictionary = [:]
    for (key, value) in properties {
      if let key = key as? String { known[key as CFString] = value }
    }
    let own = known[kCGImagePropertyDNGDictionary] as? CFDictionary ?? [:]
    var facts = DNGEncoder.Options()
    facts.take(dngProperties: own)
    let orientation = LooseNumber.integer(known[kCGImagePropertyOrientation]) ?? 1
    facts.orientation = (1...8).contains(orientation) ? orientation : 1
    mosaic = buffer
    self.facts = facts
    baselineExposure = LooseNumber.double(own[kCGImagePropertyDNGBaselineExposure]) ?? 0
    preview = nil
    exif = ExifBlock(properties: known)
  }

  /// The part of the numbers that is shown.
  var crop: (x: Int, y: Int, width: Int, height: Int) {
    facts.crop ?? (0, 0, mosaic.width, mosaic.height)
  }

  // MARK: Developing

  /// The developed picture: linear, its origin the lower left corner of what is shown; pixels are made when they are first needed.
  ///
  /// - Parameter isDraft: Whether a pixel for each four of the sensor's is enough.
  func image(
    _ raw: RawFacts, _ rendering: RawDeveloper.LinearRendering, isDraft: Bool, properties: [String: Any]
  ) -> CIImage {
    let factor = isDraft ? 2 : 1
    let size = PixelSize(width: mosaic.width / factor, height: mosaic.height / factor)
    let space = CGColorSpace(name: CGColorSpace.extendedLinearSRGB) ?? .standardRGB
    let picture = Picture(
      .coded(scales: []) { [self] _ in
        let target = try CVPixelBuffer(
          format: kCVPixelFormatType_128RGBAFloat, width: size.width, height: size.height)
        if isDraft {
          try RawDeveloper.developHalf(mosaic, raw, rendering, into: target)
        } else {
          try RawDeveloper.developLinear(mosaic, raw, rendering, into: target)
        }
        return FloatPixels(target).map { .floats($0) } ?? .nothing
      }, size: size, colorSpace: space, isOpaque: true)
    var facts = ImageFacts(colorSpace: space)
    facts.setProperties(properties)
    let (x, y, width, height) = crop
    var image = CIImage(.picture(picture), facts: facts)
    if isDraft { image = image.transformed(by: CGAffineTransform(scaleX: 2, y: 2)) }
    // Rows count from the top there, from the bottom here; a draft leaves out an odd row below.
    let below = size.height * factor - y - height
    return image.cropped(to: CGRect(x: x, y: max(below, 0), width: width, height: height))
      .transformed(by: CGAffineTransform(translationX: CGFloat(-x), y: CGFloat(-max(below, 0))))
  }
}
