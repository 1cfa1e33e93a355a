internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import DepthMaps
internal import Foundation
internal import Linux
internal import Photos
internal import VirtualCameras

extension CommandError {
  /// The command's error for any error; the one place where errors of other modules become sentences.
  public init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    // The user who stopped it needs no sentence.
    case let error as CameraTaskError where error.code == .stopped: self.init(silent: .aborted)
    case let error as CameraTaskError: self.init(ExitCode(error.code), error.message)
    case let error as CaptureDeviceError: self.init(ExitCode(error.code), error.message)
    case let error as AVError:
      self.init(ExitCode(CameraTaskError.Code(error.code)), error.localizedDescription)
    // Media that is not there, in words of ours.
    case let error as NSError
    where error.domain == NSURLErrorDomain && error.userInfo[NSLocalizedDescriptionKey] != nil:
      self.init(.otherFailure, error.localizedDescription)
    case let error as PHPhotosError: self.init(ExitCode(error.code), error.localizedDescription)
    case let error as SystemError:
      self.init(error.reason == .diskFull ? .diskFull : .otherFailure, error.description)
    case let error as SharedFrameProblem: self.init(.otherFailure, error.description)
    case let error as DepthMapError: self.init(.otherFailure, "\(error)")
    default:
      // No text of another library: those name neither what failed nor what to do.
      self.init(
        .otherFailure,
        "Something failed inside obscura that it has no words for (\(type(of: error))); please report how it came about."
      )
    }
  }
}

extension ExitCode {
  /// The exit code for a task's error.
  init(_ code: CameraTaskError.Code) {
    switch code {
    case .badSources, .ambiguousName, .badFileName: self = .usage
    case .noSuchCamera: self = .noSuchCamera
    case .permissionDenied: self = .permissionDenied
    case .deviceBusy: self = .deviceBusy
    case .formatNotSupported: self = .formatNotSupported
    case .noFramesInTime: self = .noFramesInTime
    case .deviceLost: self = .deviceLost
    case .diskFull: self = .diskFull
    case .stopped: self = .aborted
    case .badFile, .failed: self = .otherFailure
    }
  }

  /// The exit code for an error of the library.
  init(_ code: PHPhotosError.Code) {
    switch code {
    case .notEnoughSpace: self = .diskFull
    case .accessRestricted, .accessUserDenied: self = .permissionDenied
    case .userCancelled: self = .aborted
    default: self = .otherFailure
    }
  }

  /// The exit code for a device's error.
  init(_ code: CaptureDeviceError.Code) {
    self.init(CameraTaskError.Code(code))
  }
}

extension Terminal {
  /// Writes the sentence of `error`, where it has one, and returns its exit code.
  func report(_ error: any Error) -> ExitCode {
    let error = CommandError(error)
    if !error.message.isEmpty { complain("obscura: \(error.message)") }
    return error.exitCode
  }
}
