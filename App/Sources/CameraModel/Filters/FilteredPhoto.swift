import AVFoundation

/// The file of a photo that came as pixels, with a filter.
enum FilteredPhoto {
  /// How finely files are written, from 0 to 1.
  private static let quality = 0.92

  /// The photo in a format, with all that is known of it; `nil` when it has no pixels of BGRA.
  static func file(of photo: AVCapturePhoto, _ filter: PhotoFilter, _ format: PhotoFormat) -> Data? {
    guard let pixels = photo.pixelBuffer,
      CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32BGRA
    else { return nil }
    let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
    let bytesPerRow = CVPixelBufferGetBytesPerRow(pixels)
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    // The photo's own pixels stay as they are.
    let copy = CVPixelBufferGetBaseAddress(pixels).map { Data(bytes: $0, count: height * bytesPerRow) }
    CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
    guard var bytes = copy else { return nil }
    bytes.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      filter.matrix?.apply(to: base, width: width, height: height, bytesPerRow: bytesPerRow)
    }
    let space = photo.cgImageRepresentation()?.colorSpace ?? CGColorSpace(name: CGColorSpace.sRGB)
    let info = CGBitmapInfo(
      rawValue: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.noneSkipFirst.rawValue)
    guard let space, let provider = CGDataProvider(data: bytes as CFData),
      let image = CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: bytesPerRow,
        space: space, bitmapInfo: info, provider: provider, decode: nil, shouldInterpolate: false,
        intent: .defaultIntent)
    else { return nil }
    let file = NSMutableData()
    let type = format == .heic ? "public.heic" : "public.jpeg"
    guard let destination = CGImageDestinationCreateWithData(file, type, 1, nil) else { return nil }
    var properties = photo.metadata
    properties[kCGImageDestinationLossyCompressionQuality as String] = quality
    CGImageDestinationAddImage(destination, image, properties as CFDictionary)
    return CGImageDestinationFinalize(destination) ? file as Data : nil
  }
}
