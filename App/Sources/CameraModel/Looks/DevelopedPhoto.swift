import AVFoundation

/// The file of a photo that came as pixels: cut, coloured and coded in one go.
enum DevelopedPhoto {
  /// How finely files are written, from 0 to 1.
  private static let quality = 0.92

  /// The photo in a format, with all that is known of it; `nil` when it has no pixels of BGRA.
  static func file(of photo: AVCapturePhoto, _ look: PhotoLook, _ format: PhotoFormat) -> Data? {
    guard let pixels = photo.pixelBuffer,
      CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32BGRA
    else { return nil }
    var properties = photo.metadata
    let orientation = (properties[kCGImagePropertyOrientation as String] as? NSNumber)?.intValue ?? 1
    let part = part(of: pixels, look.aspect, orientation)
    guard var bytes = copy(part, of: pixels) else { return nil }
    bytes.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      look.filter.matrix?.apply(
        to: base, width: part.width, height: part.height, bytesPerRow: part.width * 4)
    }
    let space = photo.cgImageRepresentation()?.colorSpace ?? CGColorSpace(name: CGColorSpace.sRGB)
    let info = CGBitmapInfo(
      rawValue: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.noneSkipFirst.rawValue)
    guard let space, let provider = CGDataProvider(data: bytes as CFData),
      let image = CGImage(
        width: part.width, height: part.height, bitsPerComponent: 8, bitsPerPixel: 32,
        bytesPerRow: part.width * 4, space: space, bitmapInfo: info, provider: provider, decode: nil,
        shouldInterpolate: false, intent: .defaultIntent)
    else { return nil }
    let file = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(file, format.typeIdentifier, 1, nil) else {
      return nil
    }
    properties[kCGImageDestinationLossyCompressionQuality as String] = quality
    var exif = properties[kCGImagePropertyExifDictionary as String] as? [String: Any] ?? [:]
    exif[kCGImagePropertyExifPixelXDimension as String] = part.width
    exif[kCGImagePropertyExifPixelYDimension as String] = part.height
    properties[kCGImagePropertyExifDictionary as String] = exif
    CGImageDestinationAddImage(destination, image, properties as CFDictionary)
    return CGImageDestinationFinalize(destination) ? file as Data : nil
  }

  /// The part of the pixels that an upright viewer shows as the preview did.
  private static func part(of pixels: CVPixelBuffer, _ aspect: PhotoAspect, _ orientation: Int) -> (
    x: Int, y: Int, width: Int, height: Int
  ) {
    let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
    // From 5 on, viewers turn the picture by a quarter: its width is then what was its height.
    guard orientation >= 5 else { return aspect.part(ofWidth: width, height: height) }
    let upright = aspect.part(ofWidth: height, height: width)
    return (x: upright.y, y: upright.x, width: upright.height, height: upright.width)
  }

  /// The part's pixels, in rows without gaps: the photo's own stay as they are.
  private static func copy(_ part: (x: Int, y: Int, width: Int, height: Int), of pixels: CVPixelBuffer)
    -> Data?
  {
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(pixels) else { return nil }
    let bytesPerRow = CVPixelBufferGetBytesPerRow(pixels)
    var bytes = Data(count: part.width * part.height * 4)
    bytes.withUnsafeMutableBytes { memory in
      for row in 0..<part.height {
        let from = base + (part.y + row) * bytesPerRow + part.x * 4
        memory.baseAddress?.advanced(by: row * part.width * 4).copyMemory(
          from: from, byteCount: part.width * 4)
      }
    }
    return bytes
  }
}
