public import FoundationExtras

// What a format description may say by name, with Apple's names. Those that image buffers carry as attachments have
// the same names there.

/// `CFDictionary`: a compressor's settings.
public let kCMFormatDescriptionExtension_OriginalCompressionSettings: CFString = "OriginalCompressionSettings"
/// `CFDictionary` of atom type to `Data`: what a movie file says beside.
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString =
  "SampleDescriptionExtensionAtoms"
/// `Data`: the sample description of a movie file, byte for byte.
public let kCMFormatDescriptionExtension_VerbatimSampleDescription: CFString = "VerbatimSampleDescription"
/// `Data`: the sample entry of an MP4 file, byte for byte.
public let kCMFormatDescriptionExtension_VerbatimISOSampleEntry: CFString = "VerbatimISOSampleEntry"
/// `CFString`: a name for people.
public let kCMFormatDescriptionExtension_FormatName: CFString = "FormatName"
/// Number: bits a pixel; 32 with alpha, 40 for 8-bit grey.
public let kCMFormatDescriptionExtension_Depth: CFString = "Depth"
/// `CFDictionary`: the part of the picture that is meant to be seen.
public let kCMFormatDescriptionExtension_CleanAperture: CFString = "CVCleanAperture"
/// Number: 1 for progressive, 2 for interlaced.
public let kCMFormatDescriptionExtension_FieldCount: CFString = "CVFieldCount"
/// `CFString`: the order of the fields.
public let kCMFormatDescriptionExtension_FieldDetail: CFString = "CVFieldDetail"
/// `CFDictionary`: the shape of the pixels.
public let kCMFormatDescriptionExtension_PixelAspectRatio: CFString = "CVPixelAspectRatio"
/// `CFString`: which red, green and blue.
public let kCMFormatDescriptionExtension_ColorPrimaries: CFString = "CVImageBufferColorPrimaries"
/// `CFString`: how light becomes numbers.
public let kCMFormatDescriptionExtension_TransferFunction: CFString = "CVImageBufferTransferFunction"
/// Number: the exponent, where the transfer function is `UseGamma`.
public let kCMFormatDescriptionExtension_GammaLevel: CFString = "CVImageBufferGammaLevel"
/// `CFString`: how red, green and blue become luma and chroma.
public let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = "CVImageBufferYCbCrMatrix"
/// `CFBoolean`: whether luma uses 0 to 255 instead of 16 to 235.
public let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"
/// `Data`: a colour profile.
public let kCMFormatDescriptionExtension_ICCProfile: CFString = "CVImageBufferICCProfile"
/// Number: the stride of uncompressed pictures in one plane.
public let kCMFormatDescriptionExtension_BytesPerRow: CFString = "CVBytesPerRow"
/// `CFString`: where chroma was sampled; the top field's, or the picture's.
public let kCMFormatDescriptionExtension_ChromaLocationTopField: CFString =
  "CVImageBufferChromaLocationTopField"
/// `CFString`: where chroma of the bottom field was sampled.
public let kCMFormatDescriptionExtension_ChromaLocationBottomField: CFString =
  "CVImageBufferChromaLocationBottomField"
/// Number, as QuickTime writes it.
public let kCMFormatDescriptionExtension_TemporalQuality: CFString = "TemporalQuality"
/// Number, as QuickTime writes it.
public let kCMFormatDescriptionExtension_SpatialQuality: CFString = "SpatialQuality"
/// Number: the version of the sample description.
public let kCMFormatDescriptionExtension_Version: CFString = "Version"
/// Number: the revision of the sample description.
public let kCMFormatDescriptionExtension_RevisionLevel: CFString = "RevisionLevel"
/// `CFString` of four characters: who wrote the compressor.
public let kCMFormatDescriptionExtension_Vendor: CFString = "Vendor"
/// `Data` of 24 bytes: the display that the colours were chosen on.
public let kCMFormatDescriptionExtension_MasteringDisplayColorVolume: CFString = "MasteringDisplayColorVolume"
/// `Data` of 4 bytes: the brightest pixel and the brightest average.
public let kCMFormatDescriptionExtension_ContentLightLevelInfo: CFString = "ContentLightLevelInfo"
/// Number: the transfer function that HEVC prefers.
public let kCMFormatDescriptionExtension_AlternativeTransferCharacteristics: CFString =
  "AlternativeTransferCharacteristics"
/// `CFString`: what an auxiliary picture is.
public let kCMFormatDescriptionExtension_AuxiliaryTypeInfo: CFString = "AuxiliaryTypeInfo"
/// `CFString`: whether colours are multiplied with alpha.
public let kCMFormatDescriptionExtension_AlphaChannelMode: CFString = "AlphaChannelMode"
/// `CFBoolean`: whether there is alpha.
public let kCMFormatDescriptionExtension_ContainsAlphaChannel: CFString = "ContainsAlphaChannel"
/// `CFDictionary`: the keys of boxed metadata by local number.
public let kCMFormatDescriptionExtension_MetadataKeyTable: CFString = "MetadataKeyTable"
/// Number: which MPEG-2 profile a stream conforms to.
public let kCMFormatDescriptionConformsToMPEG2VideoProfile: CFString = "ConformsToMPEG2VideoProfile"

// MARK: Shapes

/// Number: the aperture's width.
public let kCMFormatDescriptionKey_CleanApertureWidth: CFString = "Width"
/// Number: the aperture's height.
public let kCMFormatDescriptionKey_CleanApertureHeight: CFString = "Height"
/// Number: how far right of the picture's centre the aperture's is.
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffset: CFString = "HorizontalOffset"
/// Number: how far below the picture's centre the aperture's is.
public let kCMFormatDescriptionKey_CleanApertureVerticalOffset: CFString = "VerticalOffset"
/// Two numbers: the width as a fraction.
public let kCMFormatDescriptionKey_CleanApertureWidthRational: CFString = "WidthRational"
/// Two numbers: the height as a fraction.
public let kCMFormatDescriptionKey_CleanApertureHeightRational: CFString = "HeightRational"
/// Two numbers: the horizontal offset as a fraction.
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational: CFString =
  "HorizontalOffsetRational"
/// Two numbers: the vertical offset as a fraction.
public let kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational: CFString = "VerticalOffsetRational"
/// Number: the width of a pixel, in any unit.
public let kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: CFString = "HorizontalSpacing"
/// Number: the height of a pixel, in the same unit.
public let kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: CFString = "VerticalSpacing"

// MARK: Values

/// The top field is the earlier.
public let kCMFormatDescriptionFieldDetail_TemporalTopFirst: CFString = "TemporalTopFirst"
/// The bottom field is the earlier.
public let kCMFormatDescriptionFieldDetail_TemporalBottomFirst: CFString = "TemporalBottomFirst"
/// The first line is the earlier field's.
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly: CFString = "SpatialFirstLineEarly"
/// The first line is the later field's.
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineLate: CFString = "SpatialFirstLineLate"
/// Of HDTV and sRGB.
public let kCMFormatDescriptionColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Of PAL.
public let kCMFormatDescriptionColorPrimaries_EBU_3213: CFString = "EBU_3213"
/// Of NTSC.
public let kCMFormatDescriptionColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
/// Of digital cinema.
public let kCMFormatDescriptionColorPrimaries_DCI_P3: CFString = "DCI_P3"
/// Of wide-colour displays.
public let kCMFormatDescriptionColorPrimaries_P3_D65: CFString = "P3_D65"
/// Of ultra-high definition.
public let kCMFormatDescriptionColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
/// Of computer tubes.
public let kCMFormatDescriptionColorPrimaries_P22: CFString = "P22"
/// Of HDTV.
public let kCMFormatDescriptionTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Of early HDTV.
public let kCMFormatDescriptionTransferFunction_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// A power; see the gamma level.
public let kCMFormatDescriptionTransferFunction_UseGamma: CFString = "UseGamma"
/// As of HDTV, named for ultra-high definition.
public let kCMFormatDescriptionTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
/// Of digital cinema.
public let kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1: CFString = "SMPTE_ST_428_1"
/// Perceptual quantizer.
public let kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
/// Hybrid log-gamma.
public let kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// None: numbers are light.
public let kCMFormatDescriptionTransferFunction_Linear: CFString = "Linear"
/// Of sRGB.
public let kCMFormatDescriptionTransferFunction_sRGB: CFString = "IEC_sRGB"
/// Of HDTV.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Of standard definition, and of JPEG.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// Of early HDTV.
public let kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// Of ultra-high definition.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
/// At the left luma samples, between rows.
public let kCMFormatDescriptionChromaLocation_Left: CFString = "Left"
/// In the middle of four luma samples.
public let kCMFormatDescriptionChromaLocation_Center: CFString = "Center"
/// At the top left luma sample.
public let kCMFormatDescriptionChromaLocation_TopLeft: CFString = "TopLeft"
/// Between columns, at the top row.
public let kCMFormatDescriptionChromaLocation_Top: CFString = "Top"
/// At the bottom left luma sample.
public let kCMFormatDescriptionChromaLocation_BottomLeft: CFString = "BottomLeft"
/// Between columns, at the bottom row.
public let kCMFormatDescriptionChromaLocation_Bottom: CFString = "Bottom"
/// At the left, Cr and Cb taking turns.
public let kCMFormatDescriptionChromaLocation_DV420: CFString = "DV 4:2:0"
/// Colours are not multiplied with alpha.
public let kCMFormatDescriptionAlphaChannelMode_StraightAlpha: CFString = "StraightAlpha"
/// Colours are multiplied with alpha.
public let kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha: CFString = "PremultipliedAlpha"
/// Apple.
public let kCMFormatDescriptionVendor_Apple: CFString = "appl"
