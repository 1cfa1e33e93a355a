internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Format descriptions of coded video.
enum CodedFormat {
  /// Whether the encoders of a codec put start codes before NAL units.
  static func hasStartCodes(_ codec: VideoEncoderSettings.Codec) -> Bool {
    codec == .h264 || codec == .hevc
  }

  /// The description by the parameter sets in a stream; `nil` where a codec that needs them has none there.
  static func description(
    _ codec: VideoEncoderSettings.Codec, _ bytes: UnsafeRawBufferPointer, _ settings: VideoEncoderSettings,
    _ colors: VideoColors
  ) -> CMFormatDescription? {
    var extensions = colors.extensions.merging(settings.facts.extensions) { $1 }
    if let shape = settings.pixelAspect, shape.width != shape.height {
      extensions[kCMFormatDescriptionExtension_PixelAspectRatio] = [
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: shape.width,
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: shape.height,
      ]
    }
    let units = hasStartCodes(codec) ? StartCodes.units(bytes) : []
    switch codec {
    case .h264:
      return CMFormatDescription(
        h264: units.filter { [7, 8, 13].contains($0[0] & 0x1F) }, extensions: extensions)
    case .hevc:
      return CMFormatDescription(
        hevc: units.filter { (32...34).contains($0[0] >> 1 & 0x3F) }, extensions: extensions)
    case .jpeg, .proRes422, .proRes422HQ, .proRes422LT, .proRes422Proxy:
      guard let code = FourCharacterCode(codec.rawValue)?.rawValue else { return nil }
      if codec == .jpeg {
        extensions.removeValue(forKey: kCMFormatDescriptionExtension_FullRangeVideo)
        extensions[kCMFormatDescriptionExtension_FormatName] = "Photo - JPEG"
      }
      var made: CMFormatDescription?
      _ = CMVideoFormatDescriptionCreate(
        allocator: nil, codecType: code, width: Int32(clamping: settings.size.width),
        height: Int32(clamping: settings.size.height), extensions: extensions, formatDescriptionOut: &made)
      return made
    }
  }
}
