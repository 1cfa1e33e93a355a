public import FoundationExtras

// MARK: What is said of one sample

/// `CFBoolean`: decoding cannot begin here.
public let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
/// `CFBoolean`: decoding can begin here with some damage.
public let kCMSampleAttachmentKey_PartialSync: CFString = "PartialSync"
/// `CFBoolean`: the sample is coded more than once.
public let kCMSampleAttachmentKey_HasRedundantCoding: CFString = "HasRedundantCoding"
/// `CFBoolean`: other samples need this one.
public let kCMSampleAttachmentKey_IsDependedOnByOthers: CFString = "IsDependedOnByOthers"
/// `CFBoolean`: this sample needs others; `false` for a key frame.
public let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"
/// `CFBoolean`: later samples may be shown earlier.
public let kCMSampleAttachmentKey_EarlierDisplayTimesAllowed: CFString = "EarlierDisplayTimesAllowed"
/// `CFBoolean`: show it when it comes, whatever its time.
public let kCMSampleAttachmentKey_DisplayImmediately: CFString = "DisplayImmediately"
/// `CFBoolean`: decode, but do not show.
public let kCMSampleAttachmentKey_DoNotDisplay: CFString = "DoNotDisplay"
/// `CFDictionary`: the temporal layer.
public let kCMSampleAttachmentKey_HEVCTemporalLevelInfo: CFString = "HEVCTemporalLevelInfo"
/// `CFBoolean`: a temporal layer can be entered here.
public let kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess: CFString = "HEVCTemporalSubLayerAccess"
/// `CFBoolean`: the next temporal layer can be entered here.
public let kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess: CFString =
  "HEVCStepwiseTemporalSubLayerAccess"
/// Number: the unit type of a key frame.
public let kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType: CFString = "HEVCSyncSampleNALUnitType"
/// Number: samples to decode before audio is right.
public let kCMSampleAttachmentKey_AudioIndependentSampleDecoderRefreshCount: CFString =
  "AudioIndependentSampleDecoderRefreshCount"

// MARK: What is said of a sample buffer

/// `CFBoolean`: forget what was decoded before.
public let kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString = "ResetDecoderBeforeDecoding"
/// `CFBoolean`: show everything that waits.
public let kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString = "DrainAfterDecoding"
/// `CFDictionary`: what to post when the buffer is used up.
public let kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed: CFString =
  "PostNotificationWhenConsumed"
/// Number: go on showing.
public let kCMSampleBufferAttachmentKey_ResumeOutput: CFString = "ResumeOutput"
/// Anything: marks a change of stream.
public let kCMSampleBufferAttachmentKey_TransitionID: CFString = "TransitionID"
/// Time as a dictionary: what to cut off the beginning.
public let kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString = "TrimDurationAtStart"
/// Time as a dictionary: what to cut off the end.
public let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString = "TrimDurationAtEnd"
/// Number: how much faster to play.
public let kCMSampleBufferAttachmentKey_SpeedMultiplier: CFString = "SpeedMultiplier"
/// `CFBoolean`: play backwards.
public let kCMSampleBufferAttachmentKey_Reverse: CFString = "Reverse"
/// `CFBoolean`: play silence where audio is missing.
public let kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: CFString =
  "FillDiscontinuitiesWithSilence"
/// `CFBoolean`: there is nothing here.
public let kCMSampleBufferAttachmentKey_EmptyMedia: CFString = "EmptyMedia"
/// `CFBoolean`: there is nothing from here on.
public let kCMSampleBufferAttachmentKey_PermanentEmptyMedia: CFString = "PermanentEmptyMedia"
/// `CFBoolean`: show nothing at once.
public let kCMSampleBufferAttachmentKey_DisplayEmptyMediaImmediately: CFString =
  "DisplayEmptyMediaImmediately"
/// `CFBoolean`: the sample before ends here.
public let kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration: CFString = "EndsPreviousSampleDuration"
/// `URL`: the file that holds the data.
public let kCMSampleBufferAttachmentKey_SampleReferenceURL: CFString = "SampleReferenceURL"
/// Number: where the data begins in that file.
public let kCMSampleBufferAttachmentKey_SampleReferenceByteOffset: CFString = "SampleReferenceByteOffset"
/// Number: samples to decode before the picture is right.
public let kCMSampleBufferAttachmentKey_GradualDecoderRefresh: CFString = "GradualDecoderRefresh"
/// `CFString`: why the frame was dropped.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString = "DroppedFrameReason"
/// `CFString`: more about why the frame was dropped.
public let kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo: CFString = "DroppedFrameReasonInfo"
/// `CFString`: whether the lens was held still.
public let kCMSampleBufferAttachmentKey_StillImageLensStabilizationInfo: CFString =
  "StillImageLensStabilizationInfo"
/// `Data`: the camera's matrix, 3 by 3 `Float`, column by column.
public let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix: CFString = "CameraIntrinsicMatrix"
/// `CFBoolean`: encode a key frame here.
public let kCMSampleBufferAttachmentKey_ForceKeyFrame: CFString = "ForceKeyFrame"

// MARK: Values

/// The client was still busy with the frame before.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString = "FrameWasLate"
/// Clients hold every buffer of the device.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString = "OutOfBuffers"
/// The device lost an unknown number of frames.
public let kCMSampleBufferDroppedFrameReason_Discontinuity: CFString = "Discontinuity"
/// The device changed its mode.
public let kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch: CFString = "CameraModeSwitch"
/// The lens was held still.
public let kCMSampleBufferLensStabilizationInfo_Active: CFString = "Active"
/// The camera moved further than the lens can.
public let kCMSampleBufferLensStabilizationInfo_OutOfRange: CFString = "OutOfRange"
/// The lens could not be held still.
public let kCMSampleBufferLensStabilizationInfo_Unavailable: CFString = "Unavailable"
/// The lens was not held still.
public let kCMSampleBufferLensStabilizationInfo_Off: CFString = "Off"
