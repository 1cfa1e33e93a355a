// The shape of pixels and the part of pictures that is seen, inside the compression properties. Movies hold them as `pasp` and `clap`.

/// The shape of a pixel, inside the compression properties: a dictionary of the two spacings.
///
/// Apple: `AVVideoPixelAspectRatioKey`.
public let AVVideoPixelAspectRatioKey = "PixelAspectRatio"

/// How wide a pixel is, in the pixel aspect ratio: an `Int`.
///
/// Apple: `AVVideoPixelAspectRatioHorizontalSpacingKey`.
public let AVVideoPixelAspectRatioHorizontalSpacingKey = "HorizontalSpacing"

/// How high a pixel is, in the pixel aspect ratio: an `Int`.
///
/// Apple: `AVVideoPixelAspectRatioVerticalSpacingKey`.
public let AVVideoPixelAspectRatioVerticalSpacingKey = "VerticalSpacing"

/// The part of pictures that is meant to be seen, inside the compression properties: a dictionary of sizes and offsets in pixels.
///
/// Apple: `AVVideoCleanApertureKey`.
public let AVVideoCleanApertureKey = "CleanAperture"

/// The width in the clean aperture: a number.
///
/// Apple: `AVVideoCleanApertureWidthKey`.
public let AVVideoCleanApertureWidthKey = "Width"

/// The height in the clean aperture: a number.
///
/// Apple: `AVVideoCleanApertureHeightKey`.
public let AVVideoCleanApertureHeightKey = "Height"

/// How far the aperture's middle is to the right of the picture's, in the clean aperture: a number.
///
/// Apple: `AVVideoCleanApertureHorizontalOffsetKey`.
public let AVVideoCleanApertureHorizontalOffsetKey = "HorizontalOffset"

/// How far the aperture's middle is below the picture's, in the clean aperture: a number.
///
/// Apple: `AVVideoCleanApertureVerticalOffsetKey`.
public let AVVideoCleanApertureVerticalOffsetKey = "VerticalOffset"
