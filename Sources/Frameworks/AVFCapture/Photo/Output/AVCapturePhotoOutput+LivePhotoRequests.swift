internal import AVFCore
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import ImageIO
internal import MediaFiles
internal import PhotoProcessing

extension AVCapturePhotoOutput {
  /// Checks what settings say of a Live Photo's movie, in Apple's order.
  func checkLive(_ settings: AVCapturePhotoSettings) throws(Refusal) {
    guard let url = settings.livePhotoMovieFileURL else { return }
    guard isLivePhotoCaptureEnabled else {
      throw .mistake(
        "livePhotoMovieFileURL needs the photo output's isLivePhotoCaptureEnabled; ask isLivePhotoCaptureSupported first."
      )
    }
    guard !isLivePhotoCaptureSuspended else {
      throw .mistake("livePhotoMovieFileURL is not for an output whose isLivePhotoCaptureSuspended is true.")
    }
    guard url.isFileURL else {
      throw .mistake("livePhotoMovieFileURL names a file; given was \(url.absoluteString).")
    }
    guard !(settings is AVCapturePhotoBracketSettings) else {
      throw .mistake("Brackets take no movie; leave their livePhotoMovieFileURL nil.")
    }
    guard availableLivePhotoVideoCodecTypes.contains(settings.livePhotoVideoCodecType) else {
      throw .mistake(
        "livePhotoVideoCodecType is one of the photo output's availableLivePhotoVideoCodecTypes.")
    }
  }

  /// The request for the movie of a photo; `nil` for a photo without one.
  func liveRequest(
    _ settings: AVCapturePhotoSettings, _ connection: AVCaptureConnection, _ source: StillSource
  ) -> LivePhotoRequest? {
    guard let url = settings.livePhotoMovieFileURL else { return nil }
    let camera = PhotoCamera(source.device, source.facts)
    var metadata = settings.livePhotoMovieMetadata.compactMap(\.fileItem)
    let given = Set(metadata.map(\.key))
    for (key, text) in [
      ("make", camera.make), ("model", camera.model), ("software", PhotoMetadataBuilder.software),
      ("location.ISO6709", PlaceText.iso6709(settings.metadata) ?? ""),
    ] {
      let name = "com.apple.quicktime.\(key)"
      guard !text.isEmpty, !given.contains(name) else { continue }
      metadata.append(MovieMetadata(keySpace: .quickTimeMetadata, key: name, value: .text(text)))
    }
    return LivePhotoRequest(
      url: url, size: FilmEncoder.size(of: source.plan.stream), rotation: connection.settings.rotation,
      isMirrored: connection.settings.isMirrored, metadata: metadata,
      isTrimmed: isLivePhotoAutoTrimmingEnabled)
  }
}

extension LivePhotoRequest {
  /// What the photo's file says of its movie: Apple's maker note has their common name.
  var photoMetadata: PhotoMetadata {
    PhotoMetadata([kCGImagePropertyMakerAppleDictionary: ["17": identifier]])
  }
}

/// Writes the place that a picture's properties name as movies name it.
enum PlaceText {
  /// Such as `+37.5665+126.9780+038.000/` (ISO 6709, annex H); `nil` where the properties name none.
  static func iso6709(_ properties: [String: Any]) -> String? {
    guard let gps = properties[kCGImagePropertyGPSDictionary] as? [String: Any],
      let latitude = LooseNumber.double(gps[kCGImagePropertyGPSLatitude]),
      let longitude = LooseNumber.double(gps[kCGImagePropertyGPSLongitude])
    else { return nil }
    let south = gps[kCGImagePropertyGPSLatitudeRef] as? String == "S"
    let west = gps[kCGImagePropertyGPSLongitudeRef] as? String == "W"
    var text =
      number(south ? -latitude : latitude, digits: 2, decimals: 4)
      + number(west ? -longitude : longitude, digits: 3, decimals: 4)
    if let altitude = LooseNumber.double(gps[kCGImagePropertyGPSAltitude]) {
      let isBelow = LooseNumber.integer(gps[kCGImagePropertyGPSAltitudeRef]) == 1
      text += number(isBelow ? -altitude : altitude, digits: 3, decimals: 3)
    }
    return text + "/"
  }

  private static func number(_ value: Double, digits: Int, decimals: Int) -> String {
    let text = String(format: "%0\(digits + 1 + decimals).\(decimals)f", abs(value))
    return (value < 0 ? "-" : "+") + text
  }
}
