internal import CameraFrames
internal import CaptureDevice
internal import PhotoProcessing

extension CameraLenses {
  /// The lenses of a device.
  init(_ device: AVCaptureDevice) {
    let facts = device.facts
    self.init(facts.lens)
    let beginnings = [facts.capabilities.minZoom] + facts.capabilities.switchOverZooms
    for (device, zoom) in zip(device.constituentDevices, beginnings) {
      if let lens = device.facts.lens {
        constituents[device.uniqueID] = Constituent(lens: lens, zoom: zoom)
      }
    }
  }
}
