internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import StillCodecs

/// The pictures of a GIF, put together when they are asked for.
///
/// Thread-safe.
final class AnimatedPictures: Sendable {
  private let data: Data
  private let file: GIFFile
  /// `nil` before the first picture.
  private let composer: Locked<GIFComposer?> = Locked(nil)

  init(_ data: Data, _ file: GIFFile) {
    (self.data, self.file) = (data, file)
  }

  func picture(at index: Int) throws -> CVPixelBuffer {
    try composer.withLock { composer in
      let present = try composer ?? GIFComposer(data, file)
      composer = present
      return try present.picture(at: index)
    }
  }
}

extension GIFFile {
  /// What the file says of itself, as ImageIO's dictionary.
  var properties: CFDictionary {
    var properties: CFDictionary = [
      kCGImagePropertyGIFCanvasPixelWidth: width, kCGImagePropertyGIFCanvasPixelHeight: height,
      kCGImagePropertyGIFHasGlobalColorMap: hasSharedColors,
      kCGImagePropertyGIFFrameInfoArray: frames.map(\.properties),
    ]
    if let loops { properties[kCGImagePropertyGIFLoopCount] = loops }
    return properties
  }
}

extension GIFFile.Frame {
  /// For how long a picture is shown, as ImageIO's dictionary.
  var properties: CFDictionary {
    let seconds = Double(hundredths) / 100
    return [
      kCGImagePropertyGIFUnclampedDelayTime: seconds,
      kCGImagePropertyGIFDelayTime: max(0.1, seconds),
    ]
  }
}
