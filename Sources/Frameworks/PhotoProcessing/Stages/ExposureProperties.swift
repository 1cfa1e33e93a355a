package import CaptureDevice
internal import Foundation
internal import ImageIO

extension FrameExposure {
  /// What EXIF says of an exposure and its lens, for photos and for the frames of a stream.
  package func exifProperties(lens: LensFacts?) -> [String: Any] {
    var exif: [String: Any] = [:]
    if let durationNanoseconds, durationNanoseconds > 0 {
      let seconds = Double(durationNanoseconds) / 1_000_000_000
      exif[kCGImagePropertyExifExposureTime as String] = seconds
      exif[kCGImagePropertyExifShutterSpeedValue as String] = -log2(seconds)
    }
    if let iso {
      exif[kCGImagePropertyExifISOSpeedRatings as String] = [Int(iso.rounded())]
    }
    if let lens {
      if lens.aperture > 0 {
        exif[kCGImagePropertyExifFNumber as String] = lens.aperture
        exif[kCGImagePropertyExifApertureValue as String] = 2 * log2(lens.aperture)
      }
      if lens.focalLength > 0 { exif[kCGImagePropertyExifFocalLength as String] = lens.focalLength }
      exif[kCGImagePropertyExifFocalLenIn35mmFilm as String] = Int(lens.focalLengthIn35mmFilm.rounded())
      if !lens.model.isEmpty { exif[kCGImagePropertyExifLensModel as String] = lens.model }
      if let brightness = brightness(lens) {
        exif[kCGImagePropertyExifBrightnessValue as String] = brightness
      }
    }
    return exif
  }

  /// The APEX brightness: Bv = Av + Tv − Sv (EXIF 2.32, annex C), with Sv 5 at ISO 100.
  private func brightness(_ lens: LensFacts) -> Double? {
    guard let durationNanoseconds, durationNanoseconds > 0, let iso, iso > 0, lens.aperture > 0 else {
      return nil
    }
    let time = -log2(Double(durationNanoseconds) / 1_000_000_000)
    return 2 * log2(lens.aperture) + time - (log2(Double(iso) / 100) + 5)
  }
}
