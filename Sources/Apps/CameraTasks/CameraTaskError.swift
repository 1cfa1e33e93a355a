package import AVFoundation
package import CaptureDevice
internal import Foundation

/// An error of a task with a camera or a file.
package struct CameraTaskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; programs match on it.
  package enum Code: Sendable, Hashable {
    /// The list of places that devices come from cannot be understood.
    case badSources
    /// There is no camera, or none of that name.
    case noSuchCamera
    /// The name fits several cameras.
    case ambiguousName
    /// The system refuses the camera.
    case permissionDenied
    /// Another client holds the camera.
    case deviceBusy
    /// The camera cannot do what was asked.
    case formatNotSupported
    /// The camera runs, but nothing comes.
    case noFramesInTime
    /// The camera went away.
    case deviceLost
    /// There is no space left.
    case diskFull
    /// The name of a file cannot be one, whatever is there.
    case badFileName
    /// A file cannot be read or written there.
    case badFile
    /// A stop was requested.
    case stopped
    /// Anything else.
    case failed
  }

  /// The kind of the error.
  package var code: Code
  /// One sentence: what failed, why, and what to do.
  package var message: String

  /// An error of a kind, and its sentence.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The error of a task with `device` for an error of a session or device; the sentence names the device once.
  package init(_ error: any Error, device: AVCaptureDevice) {
    switch error {
    case let error as CameraTaskError: self = error
    case let error as CaptureDeviceError:
      self.init(Code(error.code), Self.naming(device, error.message))
    case let error as AVError:
      self.init(Code(error.code), Self.naming(device, error.localizedDescription))
    default:
      self.init(
        .failed,
        "\(device.localizedName) failed for an unknown reason; 'obscura doctor' may find it.")
    }
  }

  /// Whether the camera is only away: unplugged, taken by another program, covered or silent.
  package var isAbsence: Bool { [.deviceLost, .deviceBusy, .noFramesInTime].contains(code) }

  /// ``message``.
  package var description: String { message }

  private static func naming(_ device: AVCaptureDevice, _ sentence: String) -> String {
    sentence.contains(device.localizedName) ? sentence : "\(device.localizedName): \(sentence)"
  }
}

extension CameraTaskError.Code {
  /// A task's code for Apple's code.
  package init(_ code: AVError.Code) {
    switch code {
    case .applicationIsNotAuthorizedToUseDevice: self = .permissionDenied
    case .deviceInUseByAnotherApplication, .deviceAlreadyUsedByAnotherSession: self = .deviceBusy
    case .deviceWasDisconnected, .mediaServicesWereReset: self = .deviceLost
    case .noDataCaptured: self = .noFramesInTime
    case .diskFull: self = .diskFull
    default: self = .failed
    }
  }

  /// A task's code for a device's code.
  package init(_ code: CaptureDeviceError.Code) {
    switch code {
    case .permissionDenied: self = .permissionDenied
    case .deviceBusy: self = .deviceBusy
    case .disconnected, .mediaServicesReset: self = .deviceLost
    case .formatUnsupported, .controlUnsupported: self = .formatNotSupported
    case .noFrames: self = .noFramesInTime
    default: self = .failed
    }
  }
}
