internal import CoreMedia
internal import FoundationExtras
internal import PixelTransforms
internal import VideoCodecs

/// Reads the shape of pixels, and the part of pictures that is seen, out of settings.
enum PictureShape {
  /// The shape of a pixel; `nil` where nothing is said.
  static func aspect(_ value: Any?) throws(WriterSettings.Refusal) -> PixelSize? {
    guard let value else { return nil }
    guard let values = value as? [String: Any],
      let width = LooseNumber.integer(values[AVVideoPixelAspectRatioHorizontalSpacingKey]),
      let height = LooseNumber.integer(values[AVVideoPixelAspectRatioVerticalSpacingKey]),
      (1...65535).contains(width), (1...65535).contains(height)
    else {
      throw WriterSettings.Refusal(
        text: "AVVideoPixelAspectRatioKey needs a horizontal and a vertical spacing, both above 0.")
    }
    return PixelSize(width: width, height: height)
  }

  /// The part of pictures of a size that is seen; `nil` where nothing is said.
  static func aperture(_ value: Any?, in size: PixelSize) throws(WriterSettings.Refusal)
    -> PictureFacts.Aperture?
  {
    guard let value else { return nil }
    let values = value as? [String: Any] ?? [:]
    let horizontal = LooseNumber.double(values[AVVideoCleanApertureHorizontalOffsetKey]) ?? 0
    let vertical = LooseNumber.double(values[AVVideoCleanApertureVerticalOffsetKey]) ?? 0
    guard let width = LooseNumber.double(values[AVVideoCleanApertureWidthKey]),
      let height = LooseNumber.double(values[AVVideoCleanApertureHeightKey]), width > 0, height > 0,
      2 * abs(horizontal) + width <= Double(size.width), 2 * abs(vertical) + height <= Double(size.height)
    else {
      throw WriterSettings.Refusal(
        text: "AVVideoCleanApertureKey needs a width and a height above 0, and must lie in the picture.")
    }
    return PictureFacts.Aperture(
      width: width, height: height, horizontalOffset: horizontal, verticalOffset: vertical)
  }
}
