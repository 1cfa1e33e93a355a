public import FoundationExtras

/// The property is none of the session's.
public let kVTPropertyNotSupportedErr: OSStatus = -12900
/// The property can only be read.
public let kVTPropertyReadOnlyErr: OSStatus = -12901
/// An argument is missing or makes no sense.
public let kVTParameterErr: OSStatus = -12902
/// The session was invalidated.
public let kVTInvalidSessionErr: OSStatus = -12903
/// There is no memory.
public let kVTAllocationFailedErr: OSStatus = -12904
/// No decoder takes the format.
public let kVTCouldNotFindVideoDecoderErr: OSStatus = -12906
/// No encoder takes the codec, size and specification.
public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12908
/// The data is damaged.
public let kVTVideoDecoderBadDataErr: OSStatus = -12909
/// The decoder cannot decode such a format.
public let kVTVideoDecoderUnsupportedDataFormatErr: OSStatus = -12910
/// The encoder failed.
public let kVTVideoEncoderMalfunctionErr: OSStatus = -12912
/// No transfer between these pixel formats is known.
public let kVTPixelTransferNotSupportedErr: OSStatus = -12905
/// The picture cannot be turned so.
public let kVTPixelRotationNotSupportedErr: OSStatus = -12914
