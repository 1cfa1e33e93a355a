public import CoreVideo
internal import PhotoProcessing

extension AVCapturePhoto {
  /// How far each place of a photo of constant colour has the colours of the flash's own light: 255 is full, 0 none; `nil` for other photos.
  ///
  /// One byte a place (`kCVPixelFormatType_OneComponent8`), lying as the photo's pixels, each for 4 × 4 of them. Confidence is full where six
  /// tenths of the light or more came from the flash, less where the scene's own light outshone it or little of it came back, and none
  /// where the sensor was full, or a wide dynamic range presses highlights together. Clients must not write to it.
  ///
  /// - Note: Unlike AVFoundation, which names neither its size nor its measure: a byte is for 4 × 4 pixels and measures the flash's share of the light.
  ///
  /// Apple: `AVCapturePhoto.constantColorConfidenceMap`.
  public var constantColorConfidenceMap: CVPixelBuffer? { result.constantColor?.map }

  /// The mean of ``constantColorConfidenceMap`` from 0 to 1, the middle of the photo weighted most; 0 for other photos.
  ///
  /// Apple: `AVCapturePhoto.constantColorCenterWeightedMeanConfidenceLevel`.
  public var constantColorCenterWeightedMeanConfidenceLevel: Float { result.constantColor?.mean ?? 0 }
}
