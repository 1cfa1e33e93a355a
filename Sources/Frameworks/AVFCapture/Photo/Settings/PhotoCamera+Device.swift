internal import CameraFrames
internal import CaptureDevice
internal import PhotoProcessing

extension PhotoCamera {
  /// What the device says: a camera that is plugged in gives its own name, one that is built in the machine's.
  init(_ device: AVCaptureDevice, _ facts: DeviceFacts) {
    let hasOwnName = facts.kind == .externalCamera || facts.modelID.isEmpty
    self.init(
      make: facts.manufacturer, model: hasOwnName ? facts.name : facts.modelID, lenses: CameraLenses(device))
    isExposureAutomatic = device.exposureMode != .locked
    hasFlash = !facts.capabilities.flashModes.isEmpty
    hasBias = facts.capabilities.exposureBias != nil
    type = device.deviceType.rawValue
    constituentTypes = Dictionary(
      uniqueKeysWithValues: device.constituentDevices.map { ($0.uniqueID, $0.deviceType.rawValue) })
  }
}
