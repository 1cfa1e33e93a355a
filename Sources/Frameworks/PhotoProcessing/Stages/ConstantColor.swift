package import CaptureDevice
package import CoreVideo
internal import FrameFusion
internal import PixelTransforms

/// How far the colours of a photo are those of the flash's own light.
package struct ConstantColorConfidence: Sendable {
  /// A byte for each place: 255 is full, 0 none; smaller than the photo, and of its shape.
  package var map: CVPixelBuffer
  /// The mean from 0 to 1, the middle weighted most.
  package var mean: Float
}

/// Makes photos that show a scene in the flash's light alone, of a frame with flash and one without.
///
/// Thread-safe; its pool of memory serves all photos.
package struct ConstantColor: Sendable {
  private let transformer = PixelTransformer(bufferLimit: .max)

  /// The linear luma from which on a frame of a wide dynamic range presses light together.
  private static let highlights: Float = 0.5

  package init() {}

  /// The frame without flash did not come, or does not fit.
  package struct NoAmbientFrame: Error {
    package init() {}
  }

  /// The pictures of a photo in the flash's light alone; white is what is white in that light.
  ///
  /// Blocks for some 20 ns a pixel.
  ///
  /// - Parameters:
  ///   - flash: The developed frame with flash, and the state of the controls for it.
  ///   - ambient: The same of the frame without, developed alike.
  ///   - gains: The white balance gains that make the flash's light neutral.
  /// - Throws: ``NoAmbientFrame``, and what the transformer throws.
  package func separate(
    _ flash: (negative: PhotoDeveloper.Negative, controls: ControlState),
    from ambient: (negative: PhotoDeveloper.Negative, controls: ControlState), gains: WhiteBalanceGains
  ) throws -> (negative: PhotoDeveloper.Negative, confidence: ConstantColorConfidence) {
    let (lit, dark) = (
      SIMD3(flash.controls.whiteBalanceGains), SIMD3(ambient.controls.whiteBalanceGains)
    )
    // Back to what the sensor saw, and forth to what the flash's gains make of it, as bright as it was.
    let neutral = SIMD3(gains) * (lit.y / gains.green)
    let ratio = flash.controls.exposure.brightness / ambient.controls.exposure.brightness
    let factors = (lit: neutral / lit, dark: neutral / dark * Float(ratio))
    let limit = flash.controls.isHDR ? Self.highlights : 1
    func separate(_ one: CVPixelBuffer, _ other: CVPixelBuffer?) throws -> (
      CVPixelBuffer, FlashLight.Confidence
    ) {
      guard let other else { throw NoAmbientFrame() }
      let colors = FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA)
      let (litColors, darkColors) = try (
        transformer.apply(colors, to: one), transformer.apply(colors, to: other)
      )
      // A client may have asked for this very format, and the frame's own picture goes out beside this one.
      let target = litColors === one ? try transformer.copy(one) : litColors
      guard
        let confidence = try FlashLight.separate(
          litColors, factors.lit, from: darkColors, factors.dark, limit: limit, into: target)
      else { throw NoAmbientFrame() }
      let format = CVPixelBufferGetPixelFormatType(one)
      return try (transformer.apply(FrameTransform(pixelFormat: format), to: target), confidence)
    }
    var result = flash.negative
    let (picture, confidence) = try separate(flash.negative.picture, ambient.negative.picture)
    result.picture = picture
    // What the camera compressed has the ambient light still.
    result.cameraFile = nil
    result.preview = try flash.negative.preview.map { try separate($0, ambient.negative.preview).0 }
    result.thumbnail = try flash.negative.thumbnail.map { try separate($0, ambient.negative.thumbnail).0 }
    return (result, ConstantColorConfidence(map: confidence.map, mean: confidence.mean))
  }
}

extension SIMD3<Float> {
  fileprivate init(_ gains: WhiteBalanceGains) {
    self.init(gains.red, gains.green, gains.blue)
  }
}

extension FrameExposure {
  /// How bright a frame gets by it, against others; 1 where nothing is known.
  fileprivate var brightness: Double {
    guard let durationNanoseconds, let iso, durationNanoseconds > 0, iso > 0 else { return 1 }
    return Double(durationNanoseconds) * Double(iso)
  }
}
