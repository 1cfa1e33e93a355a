import AVFoundation
import Foundation

/// The details that the file of a photo or video records.
package struct PhotoDetails: Sendable, Equatable {
  package var name = ""
  package var bytes: Int64 = 0
  package var width = 0
  package var height = 0
  package var date: Date?
  /// Seconds of a video.
  package var duration: Double?
  package var camera: String?
  package var lens: String?
  /// Seconds.
  package var exposure: Double?
  package var aperture: Double?
  package var iso: Int?
  /// Millimetres, as of a lens before a film of 35 mm where the file says so.
  package var focalLength: Double?
  /// Stops.
  package var bias: Double?
  package var firedFlash: Bool?
  /// Degrees, north and east positive.
  package var latitude: Double?
  package var longitude: Double?

  /// Nothing is known.
  package init() {}

  /// Reads the file of a photo or video that was taken at `taken`, as the library says; blocks.
  init(_ url: URL, taken: Date? = nil) {
    name = url.lastPathComponent
    let facts = try? FileManager.default.attributesOfItem(atPath: url.path)
    bytes = (facts?[.size] as? NSNumber)?.int64Value ?? 0
    date = facts?[.modificationDate] as? Date
    if PictureReader.isMovie(url) { readMovie(url) } else { readPhoto(url) }
    if let taken { date = taken }
  }

  private mutating func readMovie(_ url: URL) {
    let asset = AVURLAsset(url: url)
    duration = asset.duration.seconds
    date = asset.creationDate?.dateValue ?? date
    guard let track = asset.tracks(withMediaType: .video).first else { return }
    let shown = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform)
    (width, height) = (Int(shown.width.rounded()), Int(shown.height.rounded()))
  }

  private mutating func readPhoto(_ url: URL) {
    guard let source = CGImageSourceCreateWithURL(url, nil),
      let all = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
    else { return }
    date = source.captureDate ?? date
    width = Self.number(all[kCGImagePropertyPixelWidth]).map { Int($0) } ?? 0
    height = Self.number(all[kCGImagePropertyPixelHeight]).map { Int($0) } ?? 0
    if (Self.number(all[kCGImagePropertyOrientation]) ?? 1) >= 5 { swap(&width, &height) }
    let exif = all[kCGImagePropertyExifDictionary] as? CFDictionary ?? [:]
    let tiff = all[kCGImagePropertyTIFFDictionary] as? CFDictionary ?? [:]
    let words = [tiff[kCGImagePropertyTIFFMake], tiff[kCGImagePropertyTIFFModel]].compactMap { $0 as? String }
    // Most makers begin the model's name with their own.
    let isRepeated = words.count == 2 && words[1].hasPrefix(words[0])
    camera = words.isEmpty ? nil : isRepeated ? words[1] : words.joined(separator: " ")
    lens = exif[kCGImagePropertyExifLensModel] as? String
    exposure = Self.number(exif[kCGImagePropertyExifExposureTime])
    aperture = Self.number(exif[kCGImagePropertyExifFNumber])
    let speeds = exif[kCGImagePropertyExifISOSpeedRatings] as? [Any]
    iso = Self.number(speeds?.first).map { Int($0) }
    focalLength =
      Self.number(exif[kCGImagePropertyExifFocalLenIn35mmFilm])
      ?? Self.number(exif[kCGImagePropertyExifFocalLength])
    bias = Self.number(exif[kCGImagePropertyExifExposureBiasValue])
    firedFlash = Self.number(exif[kCGImagePropertyExifFlash]).map { Int($0) & 1 == 1 }
    let gps = all[kCGImagePropertyGPSDictionary] as? CFDictionary ?? [:]
    func place(_ value: CFString, _ side: CFString, _ negative: String) -> Double? {
      Self.number(gps[value]).map { (gps[side] as? String) == negative ? -$0 : $0 }
    }
    latitude = place(kCGImagePropertyGPSLatitude, kCGImagePropertyGPSLatitudeRef, "S")
    longitude = place(kCGImagePropertyGPSLongitude, kCGImagePropertyGPSLongitudeRef, "W")
  }

  private static func number(_ value: Any?) -> Double? {
    (value as? NSNumber)?.doubleValue ?? (value as? Double) ?? (value as? Int).map(Double.init)
  }
}
