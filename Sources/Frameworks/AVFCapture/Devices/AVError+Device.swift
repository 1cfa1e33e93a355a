public import AVFCore
package import CaptureDevice
internal import Foundation

/// The device that an ``AVError`` is about, in its `userInfo`.
///
/// Apple: `AVErrorDeviceKey`.
public let AVErrorDeviceKey = "AVErrorDeviceKey"

extension AVError {
  /// The device that the error is about; `nil` when it is about none.
  ///
  /// Apple: `AVError.device`.
  public var device: AVCaptureDevice? {
    userInfo[AVErrorDeviceKey] as? AVCaptureDevice
  }

  convenience init(_ code: Code, because sentence: String, device: AVCaptureDevice) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence, AVErrorDeviceKey: device])
  }

  /// What a session says of a device's error.
  convenience init(_ error: CaptureDeviceError, device: AVCaptureDevice) {
    self.init(
      Code(error.code),
      userInfo: [
        NSLocalizedDescriptionKey: error.message, AVErrorDeviceKey: device, NSUnderlyingErrorKey: error,
      ])
  }
}

extension AVError.Code {
  /// The code that Apple has for a device's trouble.
  package init(_ code: CaptureDeviceError.Code) {
    switch code {
    case .deviceBusy: self = .deviceInUseByAnotherApplication
    case .permissionDenied: self = .applicationIsNotAuthorizedToUseDevice
    case .disconnected: self = .deviceWasDisconnected
    case .mediaServicesReset: self = .mediaServicesWereReset
    case .outOfMemory: self = .outOfMemory
    case .noFrames: self = .noDataCaptured
    default: self = .unknown
    }
  }
}
