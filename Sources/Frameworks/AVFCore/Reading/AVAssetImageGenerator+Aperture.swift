internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

extension AVAssetImageGenerator {
  /// The part of frames that is in pictures, and whether their pixels' shape counts.
  ///
  /// Apple: `AVAssetImageGenerator.ApertureMode`.
  public struct ApertureMode: RawRepresentable, Hashable, Sendable {
    /// Apple's text.
    public let rawValue: String

    /// The mode with Apple's text `rawValue`; unknown ones count as ``cleanAperture``.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The part that is meant to be seen, with square pixels.
    public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
    /// All of the frame, with square pixels.
    public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
    /// All of the frame, pixels as they are coded.
    public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
  }
}

/// The part of a frame that an aperture mode shows, and the size in which it does.
struct AperturePart {
  let shownSize: CGSize
  /// `nil` for all of the frame.
  let crop: PixelRect?

  init(_ mode: AVAssetImageGenerator.ApertureMode, of track: AVAssetTrack, _ pixels: CVPixelBuffer) {
    let coded = PixelSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    switch mode {
    case .encodedPixels:
      shownSize = CGSize(width: coded.width, height: coded.height)
      crop = nil
    case .productionAperture:
      shownSize = track.naturalSize
      crop = nil
    default:
      let formats = track.formatDescriptions.compactMap { $0 as? CMFormatDescription }
      let whole = PixelRect(x: 0, y: 0, width: coded.width, height: coded.height)
      guard let format = formats.first,
        CMFormatDescriptionGetExtension(
          format, extensionKey: kCMFormatDescriptionExtension_CleanAperture) != nil
      else {
        shownSize = track.naturalSize
        crop = nil
        return
      }
      let seen = CMVideoFormatDescriptionGetCleanAperture(format, originIsAtTopLeft: true)
      let part = PixelRect(
        x: Int(seen.minX.rounded()), y: Int(seen.minY.rounded()), width: Int(seen.width.rounded()),
        height: Int(seen.height.rounded()))
      guard part != whole, part.width > 0, part.height > 0 else {
        shownSize = track.naturalSize
        crop = nil
        return
      }
      let natural = track.naturalSize
      shownSize = CGSize(
        width: natural.width * CGFloat(part.width) / CGFloat(coded.width),
        height: natural.height * CGFloat(part.height) / CGFloat(coded.height))
      crop = part
    }
  }
}
