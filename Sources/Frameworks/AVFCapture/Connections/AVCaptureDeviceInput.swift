public import AVFCore
internal import CameraFrames
internal import CaptureDevice
public import CoreMedia
internal import FoundationExtras
internal import Foundation
internal import Linux

/// A camera or microphone as a session's input.
///
/// Apple: `AVCaptureDeviceInput`.
open class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {  // Safe: locked state only.
  /// The device that delivers.
  ///
  /// - Note: Unlike AVFoundation, another object of the same identifier, when the device was unplugged and plugged in again and
  ///   the session takes it by itself: see ``AVCaptureSession/startsAgainWhenDevicesReturn``.
  ///
  /// Apple: `AVCaptureDeviceInput.device`.
  public var device: AVCaptureDevice { current.withLock { $0 } }

  private let current: Locked<AVCaptureDevice>
  private let override = Locked(CMTime.invalid)
  private let currentEffect = Locked<FrameEffect?>(nil)

  /// An input for `device`; the device is opened when the session starts, not here.
  ///
  /// - Throws: ``AVError`` with `applicationIsNotAuthorizedToUseDevice` when access is denied or restricted,
  ///   `deviceNotConnected` when it is unplugged.
  ///
  /// Apple: `AVCaptureDeviceInput.init(device:)`.
  /// - Note: As with AVFoundation, access that the user was not asked for yet is no error here.
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
    current = Locked(device)
    super.init()
    // Things found in its pictures come out of a camera beside the pictures.
    var portTypes = mediaTypes.flatMap { $0 == .video ? [$0, .metadataObject] : [$0] }
    if device.hasMediaType(.depthData) { portTypes.append(.depthData) }
    setPorts(portTypes.map { Port($0, of: self, from: .device(device)) })
  }

  // MARK: Frame rate

  /// The shortest frame duration that the session has to reckon with, whatever the active format could do; invalid, the
  /// value at first, for no limit.
  ///
  /// A camera that need not be fast costs less of the session's `hardwareCost`. Frames are never shorter than this, also when
  /// the device's `activeVideoMinFrameDuration` is. Becomes invalid again when the input is added to a session. A time that
  /// is neither invalid nor above zero is a programming mistake without effect, and so is one for a microphone.
  ///
  /// Apple: `AVCaptureDeviceInput.videoMinFrameDurationOverride`.
  open var videoMinFrameDurationOverride: CMTime {
    get { override.withLock { $0 } }
    set {
      guard !newValue.isValid || (newValue.isNumeric && newValue.seconds > 0), device.hasMediaType(.video)
      else {
        return ProgrammingMistake.report(
          rule: "videoMinFrameDurationOverride takes a camera's frame duration above zero, or CMTime.invalid."
        )
      }
      override.withLock { $0 = newValue }
      membership.owner?.somethingChanged()
    }
  }

  /// ``videoMinFrameDurationOverride`` as planning needs it.
  var shortestFrameDuration: FrameDuration? {
    let time = videoMinFrameDurationOverride
    return time.isValid ? FrameDuration(time) : nil
  }

  // MARK: Effect

  /// What changes the camera's pictures; `nil` for none.
  var effect: FrameEffect? {
    get { currentEffect.withLock { $0 } }
    set {
      // The former one goes after the lock is left.
      let former = currentEffect.withLock { effect in
        defer { effect = newValue }
        return effect
      }
      withExtendedLifetime(former) {}
      membership.owner?.somethingChanged()
    }
  }

  /// Stands for `device`, which is the input's own, plugged in again, from now on; its settings are taken over.
  func take(_ device: AVCaptureDevice, for owner: any ConnectionOwner) {
    // The former one goes after the lock is left.
    let former = current.withLock { current in
      defer { current = device }
      return current
    }
    former.remove(owner)
    device.takeSettings(of: former)
    device.add(owner)
  }

  override var source: AVCaptureDevice? { device }

  func wasAdded(to owner: any ConnectionOwner) {
    override.withLock { $0 = .invalid }
    device.add(owner)
  }

  // MARK: Ports

  /// The ports of the given kind of media; `nil` for any.
  ///
  /// - Returns: Ports of the device itself; an empty array when it is of another type or position. A microphone hears all
  ///   around: its port stands for every position.
  ///
  /// Apple: `AVCaptureDeviceInput.ports(for:sourceDeviceType:sourceDevicePosition:)`.
  open func ports(
    for mediaType: AVMediaType?, sourceDeviceType: AVCaptureDevice.DeviceType?,
    sourceDevicePosition: AVCaptureDevice.Position
  ) -> [AVCaptureInput.Port] {
    ports.filter { port in
      (mediaType == nil || port.mediaType == mediaType)
        && (sourceDeviceType == nil || port.sourceDeviceType == sourceDeviceType)
        && (sourceDevicePosition == .unspecified || port.sourceDevicePosition == sourceDevicePosition
          || port.mediaType == .audio)
    }
  }
}
