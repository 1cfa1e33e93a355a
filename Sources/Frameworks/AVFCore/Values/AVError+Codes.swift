internal import Foundation

extension AVError.Code {
  /// Something that has no name here went wrong.
  public static let unknown = AVError.Code(number: -11800)
  /// There was no memory left.
  public static let outOfMemory = AVError.Code(number: -11801)
  /// The session does not run, or stopped before the work was done.
  public static let sessionNotRunning = AVError.Code(number: -11803)
  /// Another session of this program holds the device.
  public static let deviceAlreadyUsedByAnotherSession = AVError.Code(number: -11804)
  /// Nothing was captured.
  public static let noDataCaptured = AVError.Code(number: -11805)
  /// The session was configured anew while the work was going on.
  public static let sessionConfigurationChanged = AVError.Code(number: -11806)
  /// The disk is full.
  public static let diskFull = AVError.Code(number: -11807)
  /// The device was unplugged.
  public static let deviceWasDisconnected = AVError.Code(number: -11808)
  /// The source's format changed.
  public static let mediaChanged = AVError.Code(number: -11809)
  /// The longest duration allowed was reached.
  public static let maximumDurationReached = AVError.Code(number: -11810)
  /// The largest file size allowed was reached.
  public static let maximumFileSizeReached = AVError.Code(number: -11811)
  /// There is a gap in the media.
  public static let mediaDiscontinuity = AVError.Code(number: -11812)
  /// The device is not plugged in.
  public static let deviceNotConnected = AVError.Code(number: -11814)
  /// Another program holds the device.
  public static let deviceInUseByAnotherApplication = AVError.Code(number: -11815)
  /// Another client holds the device's configuration lock.
  public static let deviceLockedForConfigurationByAnotherProcess = AVError.Code(number: -11817)
  /// The session was interrupted.
  public static let sessionWasInterrupted = AVError.Code(number: -11818)
  /// The service that serves the devices went away and came back.
  public static let mediaServicesWereReset = AVError.Code(number: -11819)
  /// Media could not be decoded.
  public static let decodeFailed = AVError.Code(number: -11821)
  /// A file of that name is there already.
  public static let fileAlreadyExists = AVError.Code(number: -11823)
  /// The file is of no known format.
  public static let fileFormatNotRecognized = AVError.Code(number: -11828)
  /// Too many photos were asked for at once.
  public static let maximumStillImageCaptureRequestsExceeded = AVError.Code(number: -11830)
  /// There is no picture at that time.
  public static let noImageAtTime = AVError.Code(number: -11832)
  /// There is no decoder for the format.
  public static let decoderNotFound = AVError.Code(number: -11833)
  /// There is no encoder for the format.
  public static let encoderNotFound = AVError.Code(number: -11834)
  /// The program may not do this.
  public static let applicationIsNotAuthorized = AVError.Code(number: -11836)
  /// The device cannot be used by a program in the background.
  public static let deviceIsNotAvailableInBackground = AVError.Code(number: -11837)
  /// The lamp cannot be so bright now.
  public static let torchLevelUnavailable = AVError.Code(number: -11846)
  /// The work was interrupted.
  public static let operationInterrupted = AVError.Code(number: -11847)
  /// The program may not use the device.
  public static let applicationIsNotAuthorizedToUseDevice = AVError.Code(number: -11852)
  /// The content cannot be had now.
  public static let contentIsUnavailable = AVError.Code(number: -11863)
  /// The session's devices need more hardware than there is.
  public static let sessionHardwareCostOverage = AVError.Code(number: -11872)
  /// The device's active format cannot be used here.
  public static let unsupportedDeviceActiveFormat = AVError.Code(number: -11873)
}

extension AVError {
  /// Something that has no name here went wrong.
  public static var unknown: Code { .unknown }
  /// There was no memory left.
  public static var outOfMemory: Code { .outOfMemory }
  /// The session does not run, or stopped before the work was done.
  public static var sessionNotRunning: Code { .sessionNotRunning }
  /// Another session of this program holds the device.
  public static var deviceAlreadyUsedByAnotherSession: Code { .deviceAlreadyUsedByAnotherSession }
  /// Nothing was captured.
  public static var noDataCaptured: Code { .noDataCaptured }
  /// The session was configured anew while the work was going on.
  public static var sessionConfigurationChanged: Code { .sessionConfigurationChanged }
  /// The disk is full.
  public static var diskFull: Code { .diskFull }
  /// The device was unplugged.
  public static var deviceWasDisconnected: Code { .deviceWasDisconnected }
  /// The source's format changed.
  public static var mediaChanged: Code { .mediaChanged }
  /// The longest duration allowed was reached.
  public static var maximumDurationReached: Code { .maximumDurationReached }
  /// The largest file size allowed was reached.
  public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
  /// There is a gap in the media.
  public static var mediaDiscontinuity: Code { .mediaDiscontinuity }
  /// The device is not plugged in.
  public static var deviceNotConnected: Code { .deviceNotConnected }
  /// Another program holds the device.
  public static var deviceInUseByAnotherApplication: Code { .deviceInUseByAnotherApplication }
  /// Another client holds the device's configuration lock.
  public static var deviceLockedForConfigurationByAnotherProcess: Code {
    .deviceLockedForConfigurationByAnotherProcess
  }
  /// The session was interrupted.
  public static var sessionWasInterrupted: Code { .sessionWasInterrupted }
  /// The service that serves the devices went away and came back.
  public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
  /// Media could not be decoded.
  public static var decodeFailed: Code { .decodeFailed }
  /// A file of that name is there already.
  public static var fileAlreadyExists: Code { .fileAlreadyExists }
  /// The file is of no known format.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// Too many photos were asked for at once.
  public static var maximumStillImageCaptureRequestsExceeded: Code {
    .maximumStillImageCaptureRequestsExceeded
  }
  /// There is no picture at that time.
  public static var noImageAtTime: Code { .noImageAtTime }
  /// There is no decoder for the format.
  public static var decoderNotFound: Code { .decoderNotFound }
  /// There is no encoder for the format.
  public static var encoderNotFound: Code { .encoderNotFound }
  /// The program may not do this.
  public static var applicationIsNotAuthorized: Code { .applicationIsNotAuthorized }
  /// The device cannot be used by a program in the background.
  public static var deviceIsNotAvailableInBackground: Code { .deviceIsNotAvailableInBackground }
  /// The lamp cannot be so bright now.
  public static var torchLevelUnavailable: Code { .torchLevelUnavailable }
  /// The work was interrupted.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// The program may not use the device.
  public static var applicationIsNotAuthorizedToUseDevice: Code { .applicationIsNotAuthorizedToUseDevice }
  /// The content cannot be had now.
  public static var contentIsUnavailable: Code { .contentIsUnavailable }
  /// The session's devices need more hardware than there is.
  public static var sessionHardwareCostOverage: Code { .sessionHardwareCostOverage }
  /// The device's active format cannot be used here.
  public static var unsupportedDeviceActiveFormat: Code { .unsupportedDeviceActiveFormat }
}

extension AVError.Code {
  /// What failed and why, and what to do, keyed as `NSError` wants it; for unknown codes the texts of ``unknown``.
  package var texts: [String: Any] {
    let (sentence, suggestion) =
      AVError.Code.sentences[self] ?? (
        "Something went wrong for which there is no name but the number \(rawValue).", "Try again."
      )
    return [NSLocalizedDescriptionKey: sentence, NSLocalizedRecoverySuggestionErrorKey: suggestion]
  }

  private static let sentences: [AVError.Code: (String, String)] = [
    .unknown: (
      "The camera failed for an unknown reason.",
      "Try again; if it stays, run `obscura doctor`."
    ),
    .outOfMemory: (
      "The memory needed for pictures could not be had.",
      "Close other programs, or choose a smaller format."
    ),
    .deviceIsNotAvailableInBackground: (
      "The device is withheld from programs in the background.",
      "Try again when the program is in front."
    ),
    .sessionNotRunning: (
      "The capture session is not running.",
      "Start the session, then try again."
    ),
    .deviceAlreadyUsedByAnotherSession: (
      "The device is in use by another capture session of this program.",
      "Stop the other session first."
    ),
    .noDataCaptured: (
      "The device delivered nothing.",
      "Check the camera's cable and shutter, then try again."
    ),
    .sessionConfigurationChanged: (
      "The session's configuration changed during the capture.",
      "Try again without changing the configuration."
    ),
    .diskFull: (
      "There is no room left on the disk.",
      "Free some space, or choose another disk."
    ),
    .deviceWasDisconnected: (
      "The device was disconnected.",
      "Plug it in again, then start the session."
    ),
    .mediaChanged: (
      "The format of the source changed during the capture.",
      "Try again."
    ),
    .maximumDurationReached: (
      "The capture reached the longest duration allowed.",
      "Raise the limit to capture for longer."
    ),
    .maximumFileSizeReached: (
      "The capture reached the largest file size allowed.",
      "Raise the limit to capture more."
    ),
    .mediaDiscontinuity: (
      "There was a gap in what the device delivered.",
      "Try again; on USB, try another port."
    ),
    .deviceNotConnected: (
      "The device is not connected.",
      "Plug it in, then try again."
    ),
    .deviceInUseByAnotherApplication: (
      "The device is in use by another program.",
      "Close the other program; `obscura doctor` says which one it is."
    ),
    .deviceLockedForConfigurationByAnotherProcess: (
      "The device's settings are locked by another client.",
      "Try again when the other has called unlockForConfiguration()."
    ),
    .sessionWasInterrupted: (
      "The capture session was interrupted.",
      "Wait for the interruption's end; the session goes on by itself."
    ),
    .mediaServicesWereReset: (
      "The media services were reset.",
      "Start the session again."
    ),
    .decodeFailed: (
      "A picture could not be decoded because its data is damaged.",
      "Try again; on USB, try another port or a shorter cable."
    ),
    .fileAlreadyExists: (
      "A file of that name exists.",
      "Choose another name, or remove the file."
    ),
    .fileFormatNotRecognized: (
      "The file is of no format that can be read.",
      "Choose another file."
    ),
    .maximumStillImageCaptureRequestsExceeded: (
      "Too many photos are under way.",
      "Wait until one of them is finished."
    ),
    .noImageAtTime: (
      "The file has no picture at that time.",
      "Choose a time within the duration of the file."
    ),
    .decoderNotFound: (
      "There is no decoder for the file's format.",
      "Choose another file, or run `obscura doctor` to see what is missing."
    ),
    .encoderNotFound: (
      "There is no encoder for the format asked for.",
      "Choose another format, or run `obscura doctor` to see what is missing."
    ),
    .applicationIsNotAuthorized: (
      "This program is not allowed to do that.",
      "Ask for permission, then try again."
    ),
    .torchLevelUnavailable: (
      "The lamp cannot be so bright now.",
      "Ask for less, or use AVCaptureDevice.maxAvailableTorchLevel."
    ),
    .operationInterrupted: (
      "The work was interrupted before its end.",
      "Try again."
    ),
    .applicationIsNotAuthorizedToUseDevice: (
      "This program is not allowed to use the device.",
      "Ask for permission with AVCaptureDevice.requestAccess(for:), or run `obscura doctor`."
    ),
    .contentIsUnavailable: (
      "The content is not available now.",
      "Try again later, or choose other content."
    ),
    .sessionHardwareCostOverage: (
      "The session's cameras need more hardware than there is.",
      "Choose smaller formats, or use fewer cameras."
    ),
    .unsupportedDeviceActiveFormat: (
      "The device's active format cannot be used in this session.",
      "Choose another one of its formats."
    ),
  ]
}
