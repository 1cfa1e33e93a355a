internal import CameraFrames
internal import ImageIO
internal import StillCodecs
package import CaptureDevice
internal import Foundation
internal import FoundationExtras

/// Writes down how a photo came about: EXIF, TIFF, orientation.
package enum PhotoMetadataBuilder {
  /// The software that photos name as their maker.
  package static let software = "Obscura 0.1.0"

  /// The properties of the picture of `size` made from `frame`, with the client's own over them.
  ///
  /// - Parameter isWideColor: Whether the picture's colours are Display P3 rather than sRGB.
  package static func metadata(
    for frame: PhotoFrameFacts, size: FrameSize, isWideColor: Bool, request: PhotoProcessingRequest
  ) -> PhotoMetadata {
    let date = CaptureDate(of: frame)
    let own: [String: Any] = [
      kCGImagePropertyOrientation as String: Int(request.orientation.rawValue),
      kCGImagePropertyDPIWidth as String: 72,
      kCGImagePropertyDPIHeight as String: 72,
      kCGImagePropertyExifDictionary as String: exif(
        frame, size: size, isWideColor: isWideColor, request: request, date: date),
      kCGImagePropertyTIFFDictionary as String: tiff(request, date: date),
      FrameKeys.sequenceNumber: frame.sequence,
    ]
    var metadata = PhotoMetadata(own).merging(request.clientMetadata)
    if let identifier = request.proxyIdentifier {
      // Over a client's own note, which the finished photo will have.
      let note = [
        kCGImagePropertyExifMakerNote as String: PhotoProxy.makerNote(
          identifier, beside: appleNote(of: metadata))
      ]
      metadata = metadata.merging(PhotoMetadata([kCGImagePropertyExifDictionary as String: note]))
    }
    return PhotoMetadata(BoxedNumbers.boxed(metadata.properties))
  }

  /// What properties say in the form of Apple's maker note; `nil` where they say nothing.
  private static func appleNote(of metadata: PhotoMetadata) -> AppleMakerNote? {
    guard let values = metadata.properties[kCGImagePropertyMakerAppleDictionary] as? [String: Any] else {
      return nil
    }
    var note = AppleMakerNote()
    note.set(values)
    return note
  }

  /// The properties with the number of frames that the picture is fused of (EXIF 2.32, CompositeImage); one frame is not noted.
  static func metadata(_ metadata: PhotoMetadata, ofFrames frames: (used: Int, taken: Int)) -> PhotoMetadata {
    guard frames.used > 1 else { return metadata }
    // 3 is "made of several pictures while it was taken".
    let exif: [String: Any] = [
      kCGImagePropertyExifCompositeImage as String: 3,
      kCGImagePropertyExifSourceImageNumberOfCompositeImage as String: [frames.taken, frames.used],
    ]
    return PhotoMetadata(
      BoxedNumbers.boxed(
        metadata.merging(PhotoMetadata([kCGImagePropertyExifDictionary as String: exif])).properties))
  }

  private static func exif(
    _ frame: PhotoFrameFacts, size: FrameSize, isWideColor: Bool, request: PhotoProcessingRequest,
    date: CaptureDate
  ) -> [String: Any] {
    let camera = request.camera
    let controls = frame.controls
    let (lens, zoom) = camera.lenses.lens(for: controls)
    let enlargement = zoom * request.enlargement
    var exif = controls.exposure.exifProperties(lens: lens)
    exif[kCGImagePropertyExifDateTimeOriginal as String] = date.text
    exif[kCGImagePropertyExifDateTimeDigitized as String] = date.text
    exif[kCGImagePropertyExifSubsecTime as String] = date.subsecondText
    exif[kCGImagePropertyExifSubsecTimeOriginal as String] = date.subsecondText
    exif[kCGImagePropertyExifSubsecTimeDigitized as String] = date.subsecondText
    exif[kCGImagePropertyExifOffsetTime as String] = date.offsetText
    exif[kCGImagePropertyExifOffsetTimeOriginal as String] = date.offsetText
    exif[kCGImagePropertyExifOffsetTimeDigitized as String] = date.offsetText
    exif[kCGImagePropertyExifPixelXDimension as String] = size.width
    exif[kCGImagePropertyExifPixelYDimension as String] = size.height
    // 65535 is "uncalibrated": EXIF has no number for P3, the ICC profile says it.
    exif[kCGImagePropertyExifColorSpace as String] = isWideColor ? 65535 : 1
    exif[kCGImagePropertyExifFlash as String] = flash(
      request.flash, hasFlash: camera.hasFlash, isFlashed: controls.isFlashed)
    var bias = controls.exposureBias
    var (mode, program) = (0, 2)
    switch request.exposure {
    case .bias(let asked): (bias, mode) = (asked, 2)
    case .manual: (mode, program) = (1, 1)
    case nil:
      if !camera.isExposureAutomatic || controls.exposureMode == .custom { (mode, program) = (1, 1) }
    }
    exif[kCGImagePropertyExifExposureMode as String] = mode
    exif[kCGImagePropertyExifExposureProgram as String] = program
    if camera.hasBias || bias != 0 { exif[kCGImagePropertyExifExposureBiasValue as String] = Double(bias) }
    exif[kCGImagePropertyExifWhiteBalance as String] = controls.whiteBalanceMode == .locked ? 1 : 0
    if enlargement != 1 {
      exif[kCGImagePropertyExifDigitalZoomRatio as String] = enlargement
      if let lens {
        let length = lens.focalLengthIn35mmFilm * enlargement
        exif[kCGImagePropertyExifFocalLenIn35mmFilm as String] = Int(length.rounded())
      }
    }
    exif[kCGImagePropertyExifSceneType as String] = 1
    return exif
  }

  /// EXIF's bits of the flash (EXIF 2.32, 4.6.5, tag Flash).
  package static func flash(_ mode: FlashMode, hasFlash: Bool, isFlashed: Bool) -> Int {
    let fired = 1, always = 1 << 3, never = 2 << 3, auto = 3 << 3, noFlash = 1 << 5
    guard hasFlash || isFlashed else { return noFlash }
    let wish =
      switch mode {
      case .off: never
      case .on: always
      case .auto: auto
      }
    return isFlashed ? wish | fired : wish
  }

  private static func tiff(_ request: PhotoProcessingRequest, date: CaptureDate) -> [String: Any] {
    var tiff: [String: Any] = [
      kCGImagePropertyTIFFSoftware as String: software,
      kCGImagePropertyTIFFDateTime as String: date.text,
      kCGImagePropertyTIFFOrientation as String: Int(request.orientation.rawValue),
      kCGImagePropertyTIFFXResolution as String: 72,
      kCGImagePropertyTIFFYResolution as String: 72,
      kCGImagePropertyTIFFResolutionUnit as String: 2,
    ]
    if !request.camera.make.isEmpty { tiff[kCGImagePropertyTIFFMake as String] = request.camera.make }
    if !request.camera.model.isEmpty { tiff[kCGImagePropertyTIFFModel as String] = request.camera.model }
    return tiff
  }
}
