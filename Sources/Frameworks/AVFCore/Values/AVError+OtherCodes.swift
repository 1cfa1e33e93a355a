// Codes that Apple's programs compare with, and with which nothing fails here.

extension AVError.Code {
  /// The file's format has room for no more samples.
  public static let maximumNumberOfSamplesForFileFormatReached = AVError.Code(number: -11813)
  /// A segment lasts longer than its media.
  public static let invalidCompositionTrackSegmentSourceDuration = AVError.Code(number: -11827)
  /// The file could not be understood.
  public static let fileFailedToParse = AVError.Code(number: -11829)
  /// The content is protected.
  public static let contentIsProtected = AVError.Code(number: -11831)
  /// The user may not play the content.
  public static let contentIsNotAuthorized = AVError.Code(number: -11835)
  /// The decoder is in use at the moment.
  public static let decoderTemporarilyUnavailable = AVError.Code(number: -11839)
  /// The encoder is in use at the moment.
  public static let encoderTemporarilyUnavailable = AVError.Code(number: -11840)
  /// The file refers to media that it may not refer to.
  public static let referenceForbiddenByReferencePolicy = AVError.Code(number: -11842)
  /// The file's extension does not fit its type.
  public static let invalidOutputURLPathExtension = AVError.Code(number: -11843)
  /// The screen could not be recorded.
  public static let screenCaptureFailed = AVError.Code(number: -11844)
  /// The screen was switched off.
  public static let displayWasDisabled = AVError.Code(number: -11845)
  /// The machine cannot play the asset.
  public static let incompatibleAsset = AVError.Code(number: -11848)
  /// The media could not be loaded.
  public static let failedToLoadMediaData = AVError.Code(number: -11849)
  /// The server does not send what players need.
  public static let serverIncorrectlyConfigured = AVError.Code(number: -11850)
  /// The media could not be understood.
  public static let failedToParse = AVError.Code(number: -11853)
  /// The file's type cannot refer to media elsewhere.
  public static let fileTypeDoesNotSupportSampleReferences = AVError.Code(number: -11854)
  /// The media cannot be decoded.
  public static let undecodableMediaData = AVError.Code(number: -11855)
  /// The program that sends to a screen needs the internet.
  public static let airPlayControllerRequiresInternet = AVError.Code(number: -11856)
  /// The screen needs the internet.
  public static let airPlayReceiverRequiresInternet = AVError.Code(number: -11857)
  /// The compositor could not make a picture.
  public static let videoCompositorFailed = AVError.Code(number: -11858)
  /// A recording is under way already.
  public static let recordingAlreadyInProgress = AVError.Code(number: -11859)
  /// The settings of the output are not supported.
  public static let unsupportedOutputSettings = AVError.Code(number: -11861)
  /// This is not allowed here.
  public static let operationNotAllowed = AVError.Code(number: -11862)
  /// The format is not supported.
  public static let formatUnsupported = AVError.Code(number: -11864)
  /// The depth map is damaged.
  public static let malformedDepth = AVError.Code(number: -11865)
  /// The content has not been renewed.
  public static let contentNotUpdated = AVError.Code(number: -11866)
  /// The item cannot be played any more.
  public static let noLongerPlayable = AVError.Code(number: -11867)
  /// No version suits the other screen.
  public static let noCompatibleAlternatesForExternalDisplay = AVError.Code(number: -11868)
  /// The track has no source.
  public static let noSourceTrack = AVError.Code(number: -11869)
  /// The asset cannot be played on another screen.
  public static let externalPlaybackNotSupportedForAsset = AVError.Code(number: -11870)
  /// The preset does not allow this.
  public static let operationNotSupportedForPreset = AVError.Code(number: -11871)
  /// What is to work was set up in the wrong way.
  public static let incorrectlyConfigured = AVError.Code(number: -11875)
  /// A segment begins with a picture that builds on others.
  public static let segmentStartedWithNonSyncSample = AVError.Code(number: -11876)
  /// What runs programs of another processor is missing.
  public static let rosettaNotInstalled = AVError.Code(number: -11877)
  /// The request for a key was cancelled.
  public static let contentKeyRequestCancelled = AVError.Code(number: -11879)
  /// The cursor belongs to another track.
  public static let invalidSampleCursor = AVError.Code(number: -11880)
  /// The samples could not be loaded.
  public static let failedToLoadSampleData = AVError.Code(number: -11881)
  /// The screen is in use at the moment.
  public static let airPlayReceiverTemporarilyUnavailable = AVError.Code(number: -11882)
  /// Media could not be encoded.
  public static let encodeFailed = AVError.Code(number: -11883)
  /// The sandbox does not allow it.
  public static let sandboxExtensionDenied = AVError.Code(number: -11884)
  /// The brightness could not be mapped.
  public static let toneMappingFailed = AVError.Code(number: -11885)
}

extension AVError {
  /// The file's format has room for no more samples.
  public static var maximumNumberOfSamplesForFileFormatReached: Code {
    .maximumNumberOfSamplesForFileFormatReached
  }
  /// A segment lasts longer than its media.
  public static var invalidCompositionTrackSegmentSourceDuration: Code {
    .invalidCompositionTrackSegmentSourceDuration
  }
  /// The file could not be understood.
  public static var fileFailedToParse: Code { .fileFailedToParse }
  /// The content is protected.
  public static var contentIsProtected: Code { .contentIsProtected }
  /// The user may not play the content.
  public static var contentIsNotAuthorized: Code { .contentIsNotAuthorized }
  /// The decoder is in use at the moment.
  public static var decoderTemporarilyUnavailable: Code { .decoderTemporarilyUnavailable }
  /// The encoder is in use at the moment.
  public static var encoderTemporarilyUnavailable: Code { .encoderTemporarilyUnavailable }
  /// The file refers to media that it may not refer to.
  public static var referenceForbiddenByReferencePolicy: Code { .referenceForbiddenByReferencePolicy }
  /// The file's extension does not fit its type.
  public static var invalidOutputURLPathExtension: Code { .invalidOutputURLPathExtension }
  /// The screen could not be recorded.
  public static var screenCaptureFailed: Code { .screenCaptureFailed }
  /// The screen was switched off.
  public static var displayWasDisabled: Code { .displayWasDisabled }
  /// The machine cannot play the asset.
  public static var incompatibleAsset: Code { .incompatibleAsset }
  /// The media could not be loaded.
  public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
  /// The server does not send what players need.
  public static var serverIncorrectlyConfigured: Code { .serverIncorrectlyConfigured }
  /// The media could not be understood.
  public static var failedToParse: Code { .failedToParse }
  /// The file's type cannot refer to media elsewhere.
  public static var fileTypeDoesNotSupportSampleReferences: Code { .fileTypeDoesNotSupportSampleReferences }
  /// The media cannot be decoded.
  public static var undecodableMediaData: Code { .undecodableMediaData }
  /// The program that sends to a screen needs the internet.
  public static var airPlayControllerRequiresInternet: Code { .airPlayControllerRequiresInternet }
  /// The screen needs the internet.
  public static var airPlayReceiverRequiresInternet: Code { .airPlayReceiverRequiresInternet }
  /// The compositor could not make a picture.
  public static var videoCompositorFailed: Code { .videoCompositorFailed }
  /// A recording is under way already.
  public static var recordingAlreadyInProgress: Code { .recordingAlreadyInProgress }
  /// The settings of the output are not supported.
  public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
  /// This is not allowed here.
  public static var operationNotAllowed: Code { .operationNotAllowed }
  /// The format is not supported.
  public static var formatUnsupported: Code { .formatUnsupported }
  /// The depth map is damaged.
  public static var malformedDepth: Code { .malformedDepth }
  /// The content has not been renewed.
  public static var contentNotUpdated: Code { .contentNotUpdated }
  /// The item cannot be played any more.
  public static var noLongerPlayable: Code { .noLongerPlayable }
  /// No version suits the other screen.
  public static var noCompatibleAlternatesForExternalDisplay: Code {
    .noCompatibleAlternatesForExternalDisplay
  }
  /// The track has no source.
  public static var noSourceTrack: Code { .noSourceTrack }
  /// The asset cannot be played on another screen.
  public static var externalPlaybackNotSupportedForAsset: Code { .externalPlaybackNotSupportedForAsset }
  /// The preset does not allow this.
  public static var operationNotSupportedForPreset: Code { .operationNotSupportedForPreset }
  /// What is to work was set up in the wrong way.
  public static var incorrectlyConfigured: Code { .incorrectlyConfigured }
  /// A segment begins with a picture that builds on others.
  public static var segmentStartedWithNonSyncSample: Code { .segmentStartedWithNonSyncSample }
  /// What runs programs of another processor is missing.
  public static var rosettaNotInstalled: Code { .rosettaNotInstalled }
  /// The request for a key was cancelled.
  public static var contentKeyRequestCancelled: Code { .contentKeyRequestCancelled }
  /// The cursor belongs to another track.
  public static var invalidSampleCursor: Code { .invalidSampleCursor }
  /// The samples could not be loaded.
  public static var failedToLoadSampleData: Code { .failedToLoadSampleData }
  /// The screen is in use at the moment.
  public static var airPlayReceiverTemporarilyUnavailable: Code { .airPlayReceiverTemporarilyUnavailable }
  /// Media could not be encoded.
  public static var encodeFailed: Code { .encodeFailed }
  /// The sandbox does not allow it.
  public static var sandboxExtensionDenied: Code { .sandboxExtensionDenied }
  /// The brightness could not be mapped.
  public static var toneMappingFailed: Code { .toneMappingFailed }
}
