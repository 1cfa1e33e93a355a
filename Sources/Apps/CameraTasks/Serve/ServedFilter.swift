internal import AVFoundation
internal import CoreVideo
internal import ImageCore

/// A look that a served camera's pictures get: one of Core Image's photo effects.
package enum ServedFilter: String, CaseIterable, Sendable {
  case chrome, fade, instant, mono, noir, process, tonal, transfer

  /// Core Image's name.
  var filterName: String { "CIPhotoEffect\(rawValue.prefix(1).uppercased())\(rawValue.dropFirst())" }

  /// Gives a camera's pictures the look from the next one on, in all that the session does with them.
  func apply(to input: AVCaptureDeviceInput) {
    let (name, context) = (filterName, CIContext())
    input.setPictureChange(pixelFormats: [kCVPixelFormatType_32BGRA]) { picture, target, _ in
      let image = CIImage(cvPixelBuffer: picture)
      context.render(image.applyingFilter(name), to: target)
    }
  }
}
