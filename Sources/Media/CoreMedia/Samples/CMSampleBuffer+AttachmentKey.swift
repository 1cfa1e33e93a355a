public import FoundationExtras

extension CMSampleBuffer {
  /// The name of an attachment.
  ///
  /// Apple: `CMSampleBuffer.AttachmentKey`.
  public struct AttachmentKey: RawRepresentable, Sendable, Hashable {
    /// A `kCMSampleBufferAttachmentKey_…`.
    public var rawValue: CFString

    /// The attachment with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// `CFBoolean`: forget what was decoded before.
    public static let resetDecoderBeforeDecoding = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding)
    /// `CFBoolean`: show everything that waits.
    public static let drainAfterDecoding = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_DrainAfterDecoding)
    /// `CFDictionary`: what to post when the buffer is used up.
    public static let postNotificationWhenConsumed = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed)
    /// Number: go on showing.
    public static let resumeOutput = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_ResumeOutput)
    /// Anything: marks a change of stream.
    public static let transitionID = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_TransitionID)
    /// Time as a dictionary: what to cut off the beginning.
    public static let trimDurationAtStart = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    /// Time as a dictionary: what to cut off the end.
    public static let trimDurationAtEnd = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    /// Number: how much faster to play.
    public static let speedMultiplier = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_SpeedMultiplier)
    /// `CFBoolean`: play backwards.
    public static let reverse = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_Reverse)
    /// `CFBoolean`: play silence where audio is missing.
    public static let fillDiscontinuitiesWithSilence = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence)
    /// `CFBoolean`: there is nothing here.
    public static let emptyMedia = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_EmptyMedia)
    /// `CFBoolean`: there is nothing from here on.
    public static let permanentEmptyMedia = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_PermanentEmptyMedia)
    /// `CFBoolean`: show nothing at once.
    public static let displayEmptyMediaImmediately = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_DisplayEmptyMediaImmediately)
    /// `CFBoolean`: the sample before ends here.
    public static let endsPreviousSampleDuration = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration)
    /// `URL`: the file that holds the data.
    public static let sampleReferenceURL = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_SampleReferenceURL)
    /// Number: where the data begins in that file.
    public static let sampleReferenceByteOffset = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_SampleReferenceByteOffset)
    /// Number: samples to decode before the picture is right.
    public static let gradualDecoderRefresh = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_GradualDecoderRefresh)
    /// `CFString`: why the frame was dropped.
    public static let droppedFrameReason = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReason)
    /// `CFString`: more about why the frame was dropped.
    public static let droppedFrameReasonInfo = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo)
    /// `CFString`: whether the lens was held still.
    public static let stillImageLensStabilizationInfo = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_StillImageLensStabilizationInfo)
    /// `Data`: the camera's matrix, 3 by 3 `Float`, column by column.
    public static let cameraIntrinsicMatrix = AttachmentKey(
      rawValue: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix)
    /// `CFBoolean`: encode a key frame here.
    public static let forceKeyFrame = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_ForceKeyFrame)
  }
}
