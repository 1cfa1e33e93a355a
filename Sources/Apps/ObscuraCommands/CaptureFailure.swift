internal import AVFoundation
internal import Foundation

extension CommandError {
  /// What an error of AVFoundation means to a script.
  init(_ error: any Error, device: AVCaptureDevice) {
    let reason = error.localizedDescription
    guard let error = error as? AVError else {
      self.init(.otherFailure, "\(device.localizedName): \(reason)")
      return
    }
    self.init(Self.exitCode(error.code), "\(device.localizedName): \(error.localizedDescription)")
  }

  /// What an interruption means to a command that wants its photo now.
  init(interruption reason: AVCaptureSession.InterruptionReason?, device: AVCaptureDevice) {
    switch reason {
    case .videoDeviceInUseByAnotherClient:
      self.init(.deviceBusy, KernelCameraCheck().busySentence(device))
    default:
      self.init(
        .noFramesInTime,
        "\(device.localizedName) shows nothing; open its shutter or privacy switch and try again.")
    }
  }

  private static func exitCode(_ code: AVError.Code) -> ExitCode {
    switch code {
    case .applicationIsNotAuthorizedToUseDevice: .permissionDenied
    case .deviceInUseByAnotherApplication, .deviceAlreadyUsedByAnotherSession: .deviceBusy
    case .deviceWasDisconnected, .mediaServicesWereReset: .deviceLost
    case .noDataCaptured: .noFramesInTime
    case .diskFull: .diskFull
    default: .otherFailure
    }
  }
}
