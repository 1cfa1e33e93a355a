/// The source of a depth camera's frames: a device on the USB, or a recording.
enum DepthCameraSource: Sendable {
  /// A device that is opened for each stream and closed after it, by the name that opens it.
  case device(uri: String)
  /// A recording, which is open for as long as the process lives.
  case recording(OpenSensors)
}
