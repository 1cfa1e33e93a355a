public import FoundationExtras

// The keys and values of attachments, with Apple's texts. CoreMedia's format descriptions use the same.

/// In a buffer's attributes: a dictionary attached from the start with `.shouldPropagate`.
public let kCVBufferPropagatedAttachmentsKey: CFString = "PropagatedAttachments"
/// In a buffer's attributes: a dictionary attached from the start with `.shouldNotPropagate`.
public let kCVBufferNonPropagatedAttachmentsKey: CFString = "NonPropagatedAttachments"

/// The colour space, a `CGColorSpace`.
public let kCVImageBufferCGColorSpaceKey: CFString = "CGColorSpace"
/// The ICC profile, `Data`.
public let kCVImageBufferICCProfileKey: CFString = "CVImageBufferICCProfile"
/// The exponent that goes with `kCVImageBufferTransferFunction_UseGamma`, a number.
public let kCVImageBufferGammaLevelKey: CFString = "CVImageBufferGammaLevel"

/// The part of the picture to show: a dictionary with the four keys below, in pixels.
public let kCVImageBufferCleanApertureKey: CFString = "CVCleanAperture"
/// The part of the picture that its maker prefers to show; the same four keys.
public let kCVImageBufferPreferredCleanApertureKey: CFString = "CVPreferredCleanAperture"
/// The width of the clean aperture.
public let kCVImageBufferCleanApertureWidthKey: CFString = "Width"
/// The height of the clean aperture.
public let kCVImageBufferCleanApertureHeightKey: CFString = "Height"
/// From the picture's middle to the middle of the clean aperture, positive to the right.
public let kCVImageBufferCleanApertureHorizontalOffsetKey: CFString = "HorizontalOffset"
/// From the picture's middle to the middle of the clean aperture, positive downwards.
public let kCVImageBufferCleanApertureVerticalOffsetKey: CFString = "VerticalOffset"
/// The shape of a pixel: a dictionary with the two keys below.
public let kCVImageBufferPixelAspectRatioKey: CFString = "CVPixelAspectRatio"
/// The width of a pixel, in the unit of its height.
public let kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString = "HorizontalSpacing"
/// The height of a pixel, in the unit of its width.
public let kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString = "VerticalSpacing"
/// The size to show the picture at: a dictionary with the two keys below.
public let kCVImageBufferDisplayDimensionsKey: CFString = "CVDisplayDimensions"
/// The width to show the picture at, in square pixels.
public let kCVImageBufferDisplayWidthKey: CFString = "DisplayWidth"
/// The height to show the picture at, in square pixels.
public let kCVImageBufferDisplayHeightKey: CFString = "DisplayHeight"
/// The interesting part of the picture, a rectangle as a dictionary.
public let kCVImageBufferRegionOfInterestKey: CFString = "RegionOfInterest"

/// 1 for progressive pictures, 2 for interlaced ones.
public let kCVImageBufferFieldCountKey: CFString = "CVFieldCount"
/// How the two fields lie.
public let kCVImageBufferFieldDetailKey: CFString = "CVFieldDetail"
/// The fields follow each other, the top one first.
public let kCVImageBufferFieldDetailTemporalTopFirst: CFString = "TemporalTopFirst"
/// The fields follow each other, the bottom one first.
public let kCVImageBufferFieldDetailTemporalBottomFirst: CFString = "TemporalBottomFirst"
/// The lines alternate, the first one is the earlier.
public let kCVImageBufferFieldDetailSpatialFirstLineEarly: CFString = "SpatialFirstLineEarly"
/// The lines alternate, the first one is the later.
public let kCVImageBufferFieldDetailSpatialFirstLineLate: CFString = "SpatialFirstLineLate"

/// How Y, Cb, and Cr come from R, G, and B.
public let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// High definition video, BT.709.
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Standard definition video and JPEG, BT.601.
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// Early high definition video.
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// Ultra high definition video, BT.2020 with constant primaries.
public let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"

/// Which colours R, G, and B are.
public let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
/// High definition video and sRGB.
public let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// PAL and SECAM.
public let kCVImageBufferColorPrimaries_EBU_3213: CFString = "EBU_3213"
/// NTSC.
public let kCVImageBufferColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
/// Old computer screens.
public let kCVImageBufferColorPrimaries_P22: CFString = "P22"
/// Digital cinema.
public let kCVImageBufferColorPrimaries_DCI_P3: CFString = "DCI_P3"
/// Display P3: cinema's colours with daylight white.
public let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
/// Ultra high definition video.
public let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"

/// How light becomes numbers.
public let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
/// High definition video; also that of BT.601 and in practice BT.2020.
public let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Early high definition video.
public let kCVImageBufferTransferFunction_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// A power; see `kCVImageBufferGammaLevelKey`.
public let kCVImageBufferTransferFunction_UseGamma: CFString = "UseGamma"
/// Computer screens.
public let kCVImageBufferTransferFunction_sRGB: CFString = "IEC_sRGB"
/// Ultra high definition video.
public let kCVImageBufferTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
/// Digital cinema.
public let kCVImageBufferTransferFunction_SMPTE_ST_428_1: CFString = "SMPTE_ST_428_1"
/// High dynamic range, perceptual quantizer.
public let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
/// High dynamic range, hybrid log-gamma.
public let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// Numbers proportional to light.
public let kCVImageBufferTransferFunction_Linear: CFString = "Linear"

/// Where the colour samples lie among the luma samples; of the top field where there are two.
public let kCVImageBufferChromaLocationTopFieldKey: CFString = "CVImageBufferChromaLocationTopField"
/// Where the colour samples of the bottom field lie.
public let kCVImageBufferChromaLocationBottomFieldKey: CFString = "CVImageBufferChromaLocationBottomField"
/// On the left column, between the rows: MPEG-2, H.264, HEVC.
public let kCVImageBufferChromaLocation_Left: CFString = "Left"
/// In the middle of four luma samples: JPEG, MPEG-1.
public let kCVImageBufferChromaLocation_Center: CFString = "Center"
/// On the upper left luma sample.
public let kCVImageBufferChromaLocation_TopLeft: CFString = "TopLeft"
/// Between the upper two luma samples.
public let kCVImageBufferChromaLocation_Top: CFString = "Top"
/// On the lower left luma sample.
public let kCVImageBufferChromaLocation_BottomLeft: CFString = "BottomLeft"
/// Between the lower two luma samples.
public let kCVImageBufferChromaLocation_Bottom: CFString = "Bottom"
/// Cr and Cb on alternating rows.
public let kCVImageBufferChromaLocation_DV420: CFString = "DV 4:2:0"
/// How many colour samples the picture was made from.
public let kCVImageBufferChromaSubsamplingKey: CFString = "CVImageBufferChromaSubsampling"
/// Half in both directions.
public let kCVImageBufferChromaSubsampling_420: CFString = "4:2:0"
/// Half in width.
public let kCVImageBufferChromaSubsampling_422: CFString = "4:2:2"
/// A quarter in width.
public let kCVImageBufferChromaSubsampling_411: CFString = "4:1:1"

/// Whether every alpha value is opaque, a truth value.
public let kCVImageBufferAlphaChannelIsOpaque: CFString = "AlphaChannelIsOpaque"
/// How colour and alpha go together.
public let kCVImageBufferAlphaChannelModeKey: CFString = "AlphaChannelMode"
/// Colour is not multiplied by alpha.
public let kCVImageBufferAlphaChannelMode_StraightAlpha: CFString = "StraightAlpha"
/// Colour is multiplied by alpha.
public let kCVImageBufferAlphaChannelMode_PremultipliedAlpha: CFString = "PremultipliedAlpha"

/// The screen the picture was graded on, `Data` as in SEI 137.
public let kCVImageBufferMasteringDisplayColorVolumeKey: CFString = "MasteringDisplayColorVolume"
/// The brightest and the average light, `Data` as in SEI 144.
public let kCVImageBufferContentLightLevelInfoKey: CFString = "ContentLightLevelInfo"
/// The light of the room the picture is meant for, `Data` as in SEI 148.
public let kCVImageBufferAmbientViewingEnvironmentKey: CFString = "AmbientViewingEnvironment"
/// The light in the scene, in millilux.
public let kCVImageBufferSceneIlluminationKey: CFString = "SceneIllumination"
