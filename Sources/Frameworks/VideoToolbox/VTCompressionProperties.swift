public import FoundationExtras

// Keys have Apple's texts. Those that are declared change what the encoder does, or say what it has done; the three of coding in several
// passes are answered with `kVTPropertyNotSupportedErr`, as by Apple's encoders that code in one.

/// How many frames wait for their samples; a number, read only.
public let kVTCompressionPropertyKey_NumberOfPendingFrames: CFString = "NumberOfPendingFrames"
/// Whether the session's pool is used for what the client sends, so that nothing is copied: a Boolean, read only.
public let kVTCompressionPropertyKey_PixelBufferPoolIsShared: CFString = "PixelBufferPoolIsShared"
/// Which pixel buffers reach the encoder without a change: a dictionary, read only.
public let kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes: CFString =
  "VideoEncoderPixelBufferAttributes"
/// The most frames from one key frame to the next: a number; 0 leaves it to the encoder, 1 makes every frame one.
public let kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString = "MaxKeyFrameInterval"
/// The most seconds from one key frame to the next: a number; 0 is no limit.
public let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: CFString = "MaxKeyFrameIntervalDuration"
/// Whether frames may build on others: a Boolean, `true` by default.
public let kVTCompressionPropertyKey_AllowTemporalCompression: CFString = "AllowTemporalCompression"
/// Whether frames may be coded in another order than they are shown: a Boolean, `true` by default.
public let kVTCompressionPropertyKey_AllowFrameReordering: CFString = "AllowFrameReordering"
/// Bits in a second, on average: a number; 0 keeps a quality.
///
/// May change from frame to frame.
public let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
/// The most that leaves the encoder in some time: an array of bytes and seconds.
///
/// May change from frame to frame.
public let kVTCompressionPropertyKey_DataRateLimits: CFString = "DataRateLimits"
/// Bits in a second, always: a number; H.264 of the processor only.
public let kVTCompressionPropertyKey_ConstantBitRate: CFString = "ConstantBitRate"
/// From 0 (smallest) to 1 (best): a number; counts where there is no bit rate.
public let kVTCompressionPropertyKey_Quality: CFString = "Quality"
/// The finest quantizer that is allowed: a number.
public let kVTCompressionPropertyKey_MinAllowedFrameQP: CFString = "MinAllowedFrameQP"
/// The coarsest quantizer that is allowed, so that pictures keep a quality: a number.
///
/// With a bit rate and ``kVTVideoEncoderSpecification_EnableLowLatencyRateControl``, frames are left out where that quality would cost
/// more than the rate; without low latency the rate gives way.
public let kVTCompressionPropertyKey_MaxAllowedFrameQP: CFString = "MaxAllowedFrameQP"
/// Profile and level: one of `kVTProfileLevel_…`.
public let kVTCompressionPropertyKey_ProfileLevel: CFString = "ProfileLevel"
/// How H.264's symbols are coded: one of `kVTH264EntropyMode_…`.
public let kVTCompressionPropertyKey_H264EntropyMode: CFString = "H264EntropyMode"
/// The most frames that may be in the encoder before a sample comes out: a number; a limit makes every sample come out before
/// the next frame goes in.
public let kVTCompressionPropertyKey_MaxFrameDelayCount: CFString = "MaxFrameDelayCount"
/// No limit of the frames in the encoder.
public let kVTUnlimitedFrameDelayCount = -1
/// Whether frames come as they are shown, for which samples come out at once unless frames may be reordered: a Boolean.
public let kVTCompressionPropertyKey_RealTime: CFString = "RealTime"
/// Frames in a second, as far as that is known: a number.
public let kVTCompressionPropertyKey_ExpectedFrameRate: CFString = "ExpectedFrameRate"
/// The shape of a pixel: a dictionary of `kCMFormatDescriptionKey_PixelAspectRatio…`.
public let kVTCompressionPropertyKey_PixelAspectRatio: CFString = "PixelAspectRatio"
/// Whether the picture is shown 16 by 9, whatever its size: a Boolean; its pixels' shape follows from that, also from `false`: 4 by 3.
public let kVTCompressionPropertyKey_AspectRatio16x9: CFString = "AspectRatio16x9"
/// The part of the picture that is meant to be seen: a dictionary of `kCMFormatDescriptionKey_CleanAperture…`.
public let kVTCompressionPropertyKey_CleanAperture: CFString = "CleanAperture"
/// How many fields a picture has: a number, 1 or 2; lines of two are coded as fields, in H.264 by the processor only.
public let kVTCompressionPropertyKey_FieldCount: CFString = "FieldCount"
/// How fields lie: one of `kCMFormatDescriptionFieldDetail_…`; counts where there are two.
public let kVTCompressionPropertyKey_FieldDetail: CFString = "FieldDetail"
/// Whether pictures are whole: a Boolean; `false` codes fields where ``kVTCompressionPropertyKey_FieldCount`` says nothing.
public let kVTCompressionPropertyKey_ProgressiveScan: CFString = "ProgressiveScan"
/// Bits of a pixel, which the format description names: a number, 24.
public let kVTCompressionPropertyKey_Depth: CFString = "Depth"
/// An ICC profile, which the format description carries: data.
public let kVTCompressionPropertyKey_ICCProfile: CFString = "ICCProfile"
/// The most bytes of a slice, so that each fits a packet of a network: a number; H.264 of the processor only.
public let kVTCompressionPropertyKey_MaxH264SliceBytes: CFString = "MaxH264SliceBytes"
/// How pictures of another size meet the session's: a dictionary of `kVTPixelTransferPropertyKey_…`.
public let kVTCompressionPropertyKey_PixelTransferProperties: CFString = "PixelTransferProperties"
/// How many frames will come, as far as that is known: a number; with ``kVTCompressionPropertyKey_ExpectedDuration`` it says
/// the frame rate where ``kVTCompressionPropertyKey_ExpectedFrameRate`` does not.
public let kVTCompressionPropertyKey_SourceFrameCount: CFString = "SourceFrameCount"
/// How many seconds the frames take in all, as far as that is known: a number.
public let kVTCompressionPropertyKey_ExpectedDuration: CFString = "ExpectedDuration"
/// The colour primaries: one of `kCMFormatDescriptionColorPrimaries_…`.
public let kVTCompressionPropertyKey_ColorPrimaries: CFString = "ColorPrimaries"
/// The transfer function: one of `kCMFormatDescriptionTransferFunction_…`.
public let kVTCompressionPropertyKey_TransferFunction: CFString = "TransferFunction"
/// The matrix between colours and luma: one of `kCMFormatDescriptionYCbCrMatrix_…`.
public let kVTCompressionPropertyKey_YCbCrMatrix: CFString = "YCbCrMatrix"
/// Whether the hardware codes: a Boolean, read only.
public let kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: CFString =
  "UsingHardwareAcceleratedVideoEncoder"
/// The encoder's name: a text, read only.
public let kVTCompressionPropertyKey_EncoderID: CFString = "EncoderID"

/// Where coding in several passes keeps what it has learnt; not supported, since encoders here code in one pass.
public let kVTCompressionPropertyKey_MultiPassStorage: CFString = "MultiPassStorage"
/// Whether a segment that is coded alone has others before it: a Boolean; not supported, since encoders here code in one pass.
public let kVTCompressionPropertyKey_MoreFramesBeforeStart: CFString = "MoreFramesBeforeStart"
/// Whether a segment that is coded alone has others after it: a Boolean; not supported, since encoders here code in one pass.
public let kVTCompressionPropertyKey_MoreFramesAfterEnd: CFString = "MoreFramesAfterEnd"

/// Whether a frame must be a key frame: a Boolean, in a frame's properties.
public let kVTEncodeFrameOptionKey_ForceKeyFrame: CFString = "ForceKeyFrame"

/// Variable-length codes.
public let kVTH264EntropyMode_CAVLC: CFString = "CAVLC"
/// Arithmetic coding.
public let kVTH264EntropyMode_CABAC: CFString = "CABAC"

/// Whether encoders of the hardware are tried: a Boolean, `true` by default.
public let kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: CFString =
  "EnableHardwareAcceleratedVideoEncoder"
/// Whether only encoders of the hardware are tried: a Boolean.
public let kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: CFString =
  "RequireHardwareAcceleratedVideoEncoder"
/// The name of the encoder that must serve, one of ``VTCopyVideoEncoderList(_:_:)``.
public let kVTVideoEncoderSpecification_EncoderID: CFString = "EncoderID"
/// Whether every sample comes out before the next frame goes in, and the rate is kept within half a second: a Boolean.
public let kVTVideoEncoderSpecification_EnableLowLatencyRateControl: CFString = "EnableLowLatencyRateControl"
