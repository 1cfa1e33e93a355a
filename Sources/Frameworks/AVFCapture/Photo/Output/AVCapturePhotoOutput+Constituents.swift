internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// Whether the cameras under a virtual device can each take a photo at the same time.
  ///
  /// With a virtual device of two cameras or more, in all of its formats; `false` without a camera. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliverySupported`.
  public var isVirtualDeviceConstituentPhotoDeliverySupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliverySupported)
    return PhotoOutputCapabilities(camera).deliversConstituents
  }

  /// Whether photos may ask for the cameras under a virtual device, by
  /// `AVCapturePhotoSettings.virtualDeviceConstituentPhotoDeliveryEnabledDevices`; `false` at first.
  ///
  /// Goes back to `false` with a camera that does not support it; `true` without support is a programming mistake without
  /// effect.
  ///
  /// - Note: Unlike AVFoundation, where it is best set before `startRunning`, it costs nothing to change.
  ///
  /// Apple: `AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliveryEnabled`.
  public var isVirtualDeviceConstituentPhotoDeliveryEnabled: Bool {
    get { deliversConstituents.withLock { $0 } }
    set {
      guard !newValue || isVirtualDeviceConstituentPhotoDeliverySupported else {
        return ProgrammingMistake.report(
          rule: "isVirtualDeviceConstituentPhotoDeliveryEnabled cannot be true here; ask "
            + "isVirtualDeviceConstituentPhotoDeliverySupported first.")
      }
      deliversConstituents.withLock { $0 = newValue }
    }
  }

  /// Checks the cameras that settings ask for against the output and its device; other photos pass.
  func checkConstituents(_ settings: AVCapturePhotoSettings) throws(Refusal) {
    let property = "virtualDeviceConstituentPhotoDeliveryEnabledDevices"
    let chosen = settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices
    guard !settings.isDualCameraDualPhotoDeliveryEnabled || isDualCameraDualPhotoDeliveryEnabled else {
      throw .mistake(
        "isDualCameraDualPhotoDeliveryEnabled needs the photo output's own; ask its isDualCameraDualPhotoDeliverySupported first."
      )
    }
    guard !chosen.isEmpty else { return }
    guard isVirtualDeviceConstituentPhotoDeliveryEnabled else {
      throw .mistake(
        "\(property) needs the photo output's isVirtualDeviceConstituentPhotoDeliveryEnabled; set that to true first."
      )
    }
    guard !(settings is AVCapturePhotoBracketSettings) else {
      throw .mistake("A bracket is taken by the camera in use; leave its \(property) empty.")
    }
    let constituents = videoDevice?.constituentDevices ?? []
    if let stranger = chosen.first(where: { !constituents.contains($0) }) {
      throw .mistake(
        "\(property) cannot hold \(stranger.localizedName); choose among the device's constituentDevices.")
    }
    guard Set(chosen.map(\.uniqueID)).count == chosen.count else {
      throw .mistake("\(property) holds a camera twice; each takes one photo.")
    }
  }
}
