internal import CaptureDevice
internal import Foundation
internal import FoundationExtras

extension AVCaptureDevice.Format {
  /// Whether a camera may stream in this format beside other cameras, in an ``AVCaptureMultiCamSession``.
  ///
  /// Apple: `AVCaptureDevice.Format.isMultiCamSupported`.
  public var isMultiCamSupported: Bool { streamFormat?.supportsMultiCam ?? false }
}

extension AVCaptureDevice.DiscoverySession {
  /// The sets of the found devices that can be used at once, in an ``AVCaptureMultiCamSession``; every part of a set can
  /// be, too.
  ///
  /// No set is part of another. A virtual camera and the cameras that it stands for are never in one set. Observable.
  ///
  /// Apple: `AVCaptureDevice.DiscoverySession.supportedMultiCamDeviceSets`.
  public var supportedMultiCamDeviceSets: [Set<AVCaptureDevice>] {
    observerTable.access(\AVCaptureDevice.DiscoverySession.supportedMultiCamDeviceSets)
    return Self.multiCamSets(of: devices)
  }

  static func multiCamSets(of devices: [AVCaptureDevice]) -> [Set<AVCaptureDevice>] {
    let byID = Dictionary(devices.map { ($0.uniqueID, $0) }) { first, _ in first }
    return MultiCamDevices.sets(of: devices.map(\.facts)).map { set in Set(set.compactMap { byID[$0] }) }
  }

  /// Notifies observers of the sets of their changes.
  func notifyMultiCamSets(_ old: [AVCaptureDevice], _ now: [AVCaptureDevice]) {
    let (former, present) = (Self.multiCamSets(of: old), Self.multiCamSets(of: now))
    guard former != present else { return }
    observerTable.changed(
      \AVCaptureDevice.DiscoverySession.supportedMultiCamDeviceSets, of: self, from: former, to: present)
  }
}
