/// How pictures of another shape meet the size in a settings dictionary.
///
/// Apple: `AVVideoScalingModeKey`.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"

/// Cropped to the shape, then scaled; here the whole picture with black bars.
///
/// Apple: `AVVideoScalingModeFit`.
public let AVVideoScalingModeFit = "AVVideoScalingModeFit"

/// Width and height scale on their own.
///
/// Apple: `AVVideoScalingModeResize`.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"

/// All of the picture is seen; black bars fill the rest.
///
/// Apple: `AVVideoScalingModeResizeAspect`.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"

/// The size is filled; what sticks out is cut off.
///
/// Apple: `AVVideoScalingModeResizeAspectFill`.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"
