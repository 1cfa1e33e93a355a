internal import Foundation
internal import FoundationExtras
internal import StillCodecs

/// Makes a GIF file of images and sources.
struct GIFFileWriter {
  /// Of the whole file.
  let properties: CFDictionary

  func write(_ pictures: [(content: CGImageDestination.Content, properties: CFDictionary)]) throws -> Data {
    let loops = (properties[kCGImagePropertyGIFDictionary] as? [String: Any])?[kCGImagePropertyGIFLoopCount]
    let images = try pictures.map { picture in
      let image =
        switch picture.content {
        case .image(let image): image
        case .source(let source):
          try source.image(keeps: false) ?? { throw StillCodecError.unreadableSource }()
        }
      return GIFEncoder.Picture(image, seconds: Self.seconds(picture.properties))
    }
    // One that does not say how often it loops is shown once.
    return try GIFEncoder.encode(images, loops: LooseNumber.integer(loops))
  }

  /// Browsers show what is shorter than a fiftieth of a second for a tenth.
  private static func seconds(_ properties: CFDictionary) -> Double {
    let own = properties[kCGImagePropertyGIFDictionary] as? [String: Any]
    if let exact = LooseNumber.double(own?[kCGImagePropertyGIFUnclampedDelayTime]), exact > 0 { return exact }
    let seconds = LooseNumber.double(own?[kCGImagePropertyGIFDelayTime]) ?? 0
    return seconds < 0.02 ? 0.1 : seconds
  }
}
