// What encoders get: the values are what Apple's are, so that dictionaries may be stored. The keys describe; a session's
// outputs recommend settings in them, see `AVCaptureVideoDataOutput.recommendedVideoSettingsForAssetWriter(writingTo:)`.

/// Bits a second on the average, inside the compression properties: an `Int`.
///
/// Apple: `AVVideoAverageBitRateKey`.
public let AVVideoAverageBitRateKey = "AverageBitRate"

/// How many frames a second the encoder has to expect, inside the compression properties: an `Int`.
///
/// Apple: `AVVideoExpectedSourceFrameRateKey`.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"

/// The most frames from one key frame to the next, inside the compression properties: an `Int`.
///
/// Apple: `AVVideoMaxKeyFrameIntervalKey`.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"

/// The most seconds from one key frame to the next, inside the compression properties: a `Double`.
///
/// Apple: `AVVideoMaxKeyFrameIntervalDurationKey`.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"

/// Whether frames may be encoded in another order than they are shown, inside the compression properties: a `Bool`.
///
/// Apple: `AVVideoAllowFrameReorderingKey`.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"

/// Which of a codec's tools an encoder uses and how much it asks of a player, inside the compression properties.
///
/// Apple: `AVVideoProfileLevelKey`.
public let AVVideoProfileLevelKey = "ProfileLevel"

/// H.264's Baseline profile at the level that size and rate need.
///
/// Apple: `AVVideoProfileLevelH264BaselineAutoLevel`.
public let AVVideoProfileLevelH264BaselineAutoLevel = "H264_Baseline_AutoLevel"

/// H.264's Main profile at the level that size and rate need.
///
/// Apple: `AVVideoProfileLevelH264MainAutoLevel`.
public let AVVideoProfileLevelH264MainAutoLevel = "H264_Main_AutoLevel"

/// H.264's High profile at the level that size and rate need.
///
/// Apple: `AVVideoProfileLevelH264HighAutoLevel`.
public let AVVideoProfileLevelH264HighAutoLevel = "H264_High_AutoLevel"

/// H.264's High profile at level 4.0: up to 1920×1080 at 30 frames a second.
///
/// Apple: `AVVideoProfileLevelH264High40`.
public let AVVideoProfileLevelH264High40 = "H264_High_4_0"

/// H.264's High profile at level 4.1: as 4.0 with more bits a second.
///
/// Apple: `AVVideoProfileLevelH264High41`.
public let AVVideoProfileLevelH264High41 = "H264_High_4_1"

/// How H.264 packs its numbers, inside the compression properties.
///
/// Apple: `AVVideoH264EntropyModeKey`.
public let AVVideoH264EntropyModeKey = "H264EntropyMode"

/// Tables of codes: quick, larger.
///
/// Apple: `AVVideoH264EntropyModeCAVLC`.
public let AVVideoH264EntropyModeCAVLC = "CAVLC"

/// Arithmetic coding: slower, smaller.
///
/// Apple: `AVVideoH264EntropyModeCABAC`.
public let AVVideoH264EntropyModeCABAC = "CABAC"

/// What the file's colours are, in a settings dictionary: primaries, transfer function and matrix, which come together.
///
/// Apple: `AVVideoColorPropertiesKey`.
public let AVVideoColorPropertiesKey = "AVVideoColorPropertiesKey"

/// The primaries inside the colour properties.
///
/// Apple: `AVVideoColorPrimariesKey`.
public let AVVideoColorPrimariesKey = "ColorPrimaries"

/// The primaries of HD video and sRGB.
///
/// Apple: `AVVideoColorPrimaries_ITU_R_709_2`.
public let AVVideoColorPrimaries_ITU_R_709_2 = "ITU_R_709_2"

/// The wide primaries of Display P3.
///
/// Apple: `AVVideoColorPrimaries_P3_D65`.
public let AVVideoColorPrimaries_P3_D65 = "P3_D65"

/// The transfer function inside the colour properties.
///
/// Apple: `AVVideoTransferFunctionKey`.
public let AVVideoTransferFunctionKey = "TransferFunction"

/// The transfer function of HD video.
///
/// Apple: `AVVideoTransferFunction_ITU_R_709_2`.
public let AVVideoTransferFunction_ITU_R_709_2 = "ITU_R_709_2"

/// The matrix of the colour differences inside the colour properties.
///
/// Apple: `AVVideoYCbCrMatrixKey`.
public let AVVideoYCbCrMatrixKey = "YCbCrMatrix"

/// The matrix of HD video.
///
/// Apple: `AVVideoYCbCrMatrix_ITU_R_709_2`.
public let AVVideoYCbCrMatrix_ITU_R_709_2 = "ITU_R_709_2"

/// The matrix of SD video.
///
/// Apple: `AVVideoYCbCrMatrix_ITU_R_601_4`.
public let AVVideoYCbCrMatrix_ITU_R_601_4 = "ITU_R_601_4"

/// H.264's baseline profile, level 3.0.
///
/// Apple: `AVVideoProfileLevelH264Baseline30`.
public let AVVideoProfileLevelH264Baseline30 = "H264_Baseline_3_0"

/// H.264's baseline profile, level 3.1.
///
/// Apple: `AVVideoProfileLevelH264Baseline31`.
public let AVVideoProfileLevelH264Baseline31 = "H264_Baseline_3_1"

/// H.264's baseline profile, level 4.1.
///
/// Apple: `AVVideoProfileLevelH264Baseline41`.
public let AVVideoProfileLevelH264Baseline41 = "H264_Baseline_4_1"

/// H.264's main profile, level 3.0.
///
/// Apple: `AVVideoProfileLevelH264Main30`.
public let AVVideoProfileLevelH264Main30 = "H264_Main_3_0"

/// H.264's main profile, level 3.1.
///
/// Apple: `AVVideoProfileLevelH264Main31`.
public let AVVideoProfileLevelH264Main31 = "H264_Main_3_1"

/// H.264's main profile, level 3.2.
///
/// Apple: `AVVideoProfileLevelH264Main32`.
public let AVVideoProfileLevelH264Main32 = "H264_Main_3_2"

/// H.264's main profile, level 4.1.
///
/// Apple: `AVVideoProfileLevelH264Main41`.
public let AVVideoProfileLevelH264Main41 = "H264_Main_4_1"

/// The primaries of American standard television.
///
/// Apple: `AVVideoColorPrimaries_SMPTE_C`.
public let AVVideoColorPrimaries_SMPTE_C = "SMPTE_C"

/// The primaries of European standard television.
///
/// Apple: `AVVideoColorPrimaries_EBU_3213`.
public let AVVideoColorPrimaries_EBU_3213 = "EBU_3213"

/// The primaries of ultra-high-definition television.
///
/// Apple: `AVVideoColorPrimaries_ITU_R_2020`.
public let AVVideoColorPrimaries_ITU_R_2020 = "ITU_R_2020"

/// The transfer function of early high-definition television.
///
/// Apple: `AVVideoTransferFunction_SMPTE_240M_1995`.
public let AVVideoTransferFunction_SMPTE_240M_1995 = "SMPTE_240M_1995"

/// The perceptual quantizer: absolute brightness up to 10000 cd/m².
///
/// Apple: `AVVideoTransferFunction_SMPTE_ST_2084_PQ`.
public let AVVideoTransferFunction_SMPTE_ST_2084_PQ = "SMPTE_ST_2084_PQ"

/// Hybrid log-gamma.
///
/// Apple: `AVVideoTransferFunction_ITU_R_2100_HLG`.
public let AVVideoTransferFunction_ITU_R_2100_HLG = "ITU_R_2100_HLG"

/// The transfer function of sRGB.
///
/// Apple: `AVVideoTransferFunction_IEC_sRGB`.
public let AVVideoTransferFunction_IEC_sRGB = "IEC_sRGB"

/// Values that are proportional to light.
///
/// Apple: `AVVideoTransferFunction_Linear`.
public let AVVideoTransferFunction_Linear = "Linear"

/// The matrix of early high-definition television.
///
/// Apple: `AVVideoYCbCrMatrix_SMPTE_240M_1995`.
public let AVVideoYCbCrMatrix_SMPTE_240M_1995 = "SMPTE_240M_1995"

/// The matrix of ultra-high-definition television.
///
/// Apple: `AVVideoYCbCrMatrix_ITU_R_2020`.
public let AVVideoYCbCrMatrix_ITU_R_2020 = "ITU_R_2020"
