public import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import Foundation

/// A camera or microphone as a session's input.
///
/// Apple: `AVCaptureDeviceInput`.
open class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {  // Safe: constants only.
  /// The device that delivers.
  ///
  /// Apple: `AVCaptureDeviceInput.device`.
  public let device: AVCaptureDevice

  /// An input for `device`; the device is opened when the session starts, not here.
  ///
  /// - Throws: ``AVError`` with `applicationIsNotAuthorizedToUseDevice` when access is denied or restricted,
  ///   `deviceNotConnected` when it is unplugged.
  ///
  /// Apple: `AVCaptureDeviceInput.init(device:)`.
  /// - Note: As with AVFoundation, access that nobody was asked for yet is no error here.
  public init(device: AVCaptureDevice) throws {
    let mediaTypes = [AVMediaType.video, .audio].filter(device.hasMediaType)
    for type in mediaTypes {
      switch AVCaptureDevice.authorizationStatus(for: type) {
      case .denied, .restricted:
        throw AVError(
          .applicationIsNotAuthorizedToUseDevice,
          because:
            "\(device.localizedName) cannot be used because this program is not allowed to; allow it in the "
            + "system's settings, or run `obscura doctor`.", device: device)
      case .notDetermined, .authorized: break
      }
    }
    guard device.isConnected else {
      throw AVError(
        .deviceNotConnected,
        because: "\(device.localizedName) cannot be used because it is not connected; plug it in.",
        device: device)
    }
    self.device = device
    super.init()
    setPorts(mediaTypes.map { Port($0, of: self, device: device) })
  }

  /// The ports of the given kind of media; `nil` for any.
  ///
  /// - Returns: Ports of the device itself; an empty array when it is of another type or position.
  ///
  /// Apple: `AVCaptureDeviceInput.ports(for:sourceDeviceType:sourceDevicePosition:)`.
  open func ports(
    for mediaType: AVMediaType?, sourceDeviceType: AVCaptureDevice.DeviceType?,
    sourceDevicePosition: AVCaptureDevice.Position
  ) -> [AVCaptureInput.Port] {
    ports.filter { port in
      (mediaType == nil || port.mediaType == mediaType)
        && (sourceDeviceType == nil || port.sourceDeviceType == sourceDeviceType)
        && (sourceDevicePosition == .unspecified || port.sourceDevicePosition == sourceDevicePosition)
    }
  }
}
