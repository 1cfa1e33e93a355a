// The names of what filters take, give and say of themselves.

/// The image that a filter works on.
///
/// Apple: `kCIInputImageKey`.
public let kCIInputImageKey = "inputImage"

/// The image that another is laid on.
///
/// Apple: `kCIInputBackgroundImageKey`.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"

/// The image that a transition ends with.
///
/// Apple: `kCIInputTargetImageKey`.
public let kCIInputTargetImageKey = "inputTargetImage"

/// The image that says how much of another is seen.
///
/// Apple: `kCIInputMaskImageKey`.
public let kCIInputMaskImageKey = "inputMaskImage"

/// A `CGAffineTransform`.
///
/// Apple: `kCIInputTransformKey`.
public let kCIInputTransformKey = "inputTransform"

/// How much larger, or how much.
///
/// Apple: `kCIInputScaleKey`.
public let kCIInputScaleKey = "inputScale"

/// How much wider than high.
///
/// Apple: `kCIInputAspectRatioKey`.
public let kCIInputAspectRatioKey = "inputAspectRatio"

/// The middle of an effect, a `CIVector`.
///
/// Apple: `kCIInputCenterKey`.
public let kCIInputCenterKey = "inputCenter"

/// How far an effect reaches, in pixels.
///
/// Apple: `kCIInputRadiusKey`.
public let kCIInputRadiusKey = "inputRadius"

/// An angle in radians.
///
/// Apple: `kCIInputAngleKey`.
public let kCIInputAngleKey = "inputAngle"

/// A width in pixels.
///
/// Apple: `kCIInputWidthKey`.
public let kCIInputWidthKey = "inputWidth"

/// How hard edges are.
///
/// Apple: `kCIInputSharpnessKey`.
public let kCIInputSharpnessKey = "inputSharpness"

/// How strong an effect is.
///
/// Apple: `kCIInputIntensityKey`.
public let kCIInputIntensityKey = "inputIntensity"

/// Exposure in stops.
///
/// Apple: `kCIInputEVKey`.
public let kCIInputEVKey = "inputEV"

/// How colourful, 1 for as it is.
///
/// Apple: `kCIInputSaturationKey`.
public let kCIInputSaturationKey = "inputSaturation"

/// A `CIColor`.
///
/// Apple: `kCIInputColorKey`.
public let kCIInputColorKey = "inputColor"

/// What is added to each colour.
///
/// Apple: `kCIInputBrightnessKey`.
public let kCIInputBrightnessKey = "inputBrightness"

/// How steep, 1 for as it is.
///
/// Apple: `kCIInputContrastKey`.
public let kCIInputContrastKey = "inputContrast"

/// A rectangle, as a `CIVector`.
///
/// Apple: `kCIInputExtentKey`.
public let kCIInputExtentKey = "inputExtent"

/// How far a transition has come, 0 to 1.
///
/// Apple: `kCIInputTimeKey`.
public let kCIInputTimeKey = "inputTime"

/// How much of an effect.
///
/// Apple: `kCIInputAmountKey`.
public let kCIInputAmountKey = "inputAmount"

/// A filter's output.
///
/// Apple: `kCIOutputImageKey`.
public let kCIOutputImageKey = "outputImage"

/// The filter's name, among its attributes.
///
/// Apple: `kCIAttributeFilterName`.
public let kCIAttributeFilterName = "CIAttributeFilterName"

/// The filter's name for people, among its attributes.
///
/// Apple: `kCIAttributeFilterDisplayName`.
public let kCIAttributeFilterDisplayName = "CIAttributeFilterDisplayName"

/// The filter's categories, among its attributes.
///
/// Apple: `kCIAttributeFilterCategories`.
public let kCIAttributeFilterCategories = "CIAttributeFilterCategories"

/// The name of the class of an input's values.
///
/// Apple: `kCIAttributeClass`.
public let kCIAttributeClass = "CIAttributeClass"

/// What an input's value means.
///
/// Apple: `kCIAttributeType`.
public let kCIAttributeType = "CIAttributeType"

/// What an input is unless set.
///
/// Apple: `kCIAttributeDefault`.
public let kCIAttributeDefault = "CIAttributeDefault"

/// The value with which a filter changes nothing.
///
/// Apple: `kCIAttributeIdentity`.
public let kCIAttributeIdentity = "CIAttributeIdentity"

/// The least value; absent where there is none.
///
/// Apple: `kCIAttributeMin`.
public let kCIAttributeMin = "CIAttributeMin"

/// The greatest value; absent where there is none.
///
/// Apple: `kCIAttributeMax`.
public let kCIAttributeMax = "CIAttributeMax"

/// Where a slider for the input starts.
///
/// Apple: `kCIAttributeSliderMin`.
public let kCIAttributeSliderMin = "CIAttributeSliderMin"

/// Where a slider for the input ends.
///
/// Apple: `kCIAttributeSliderMax`.
public let kCIAttributeSliderMax = "CIAttributeSliderMax"

/// A number.
///
/// Apple: `kCIAttributeTypeScalar`.
public let kCIAttributeTypeScalar = "CIAttributeTypeScalar"

/// An angle in radians.
///
/// Apple: `kCIAttributeTypeAngle`.
public let kCIAttributeTypeAngle = "CIAttributeTypeAngle"

/// A place in the picture.
///
/// Apple: `kCIAttributeTypePosition`.
public let kCIAttributeTypePosition = "CIAttributeTypePosition"

/// A colour.
///
/// Apple: `kCIAttributeTypeColor`.
public let kCIAttributeTypeColor = "CIAttributeTypeColor"

/// An image.
///
/// Apple: `kCIAttributeTypeImage`.
public let kCIAttributeTypeImage = "CIAttributeTypeImage"

/// Filters that blur.
///
/// Apple: `kCICategoryBlur`.
public let kCICategoryBlur = "CICategoryBlur"

/// Filters that Core Image brings along: all of them.
///
/// Apple: `kCICategoryBuiltIn`.
public let kCICategoryBuiltIn = "CICategoryBuiltIn"

/// Filters that correct colours.
///
/// Apple: `kCICategoryColorAdjustment`.
public let kCICategoryColorAdjustment = "CICategoryColorAdjustment"

/// Filters that change colours for effect.
///
/// Apple: `kCICategoryColorEffect`.
public let kCICategoryColorEffect = "CICategoryColorEffect"

/// Filters that lay one image on another.
///
/// Apple: `kCICategoryCompositeOperation`.
public let kCICategoryCompositeOperation = "CICategoryCompositeOperation"

/// Filters that bend.
///
/// Apple: `kCICategoryDistortionEffect`.
public let kCICategoryDistortionEffect = "CICategoryDistortionEffect"

/// Filters that need no image.
///
/// Apple: `kCICategoryGenerator`.
public let kCICategoryGenerator = "CICategoryGenerator"

/// Filters that move, turn and scale.
///
/// Apple: `kCICategoryGeometryAdjustment`.
public let kCICategoryGeometryAdjustment = "CICategoryGeometryAdjustment"

/// Filters that go from one colour to another.
///
/// Apple: `kCICategoryGradient`.
public let kCICategoryGradient = "CICategoryGradient"

/// Filters that make few pixels of many.
///
/// Apple: `kCICategoryReduction`.
public let kCICategoryReduction = "CICategoryReduction"

/// Filters that sharpen.
///
/// Apple: `kCICategorySharpen`.
public let kCICategorySharpen = "CICategorySharpen"

/// Filters for single pictures: all of them.
///
/// Apple: `kCICategoryStillImage`.
public let kCICategoryStillImage = "CICategoryStillImage"

/// Filters that make a picture look like something else.
///
/// Apple: `kCICategoryStylizeEffect`.
public let kCICategoryStylizeEffect = "CICategoryStylizeEffect"

/// Filters that repeat.
///
/// Apple: `kCICategoryTileEffect`.
public let kCICategoryTileEffect = "CICategoryTileEffect"

/// Filters that go from one image to another.
///
/// Apple: `kCICategoryTransition`.
public let kCICategoryTransition = "CICategoryTransition"

/// Filters for videos: all of them.
///
/// Apple: `kCICategoryVideo`.
public let kCICategoryVideo = "CICategoryVideo"
