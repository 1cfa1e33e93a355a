internal import CaptureDevice
internal import Linux

/// A depth camera, or a recording, that is open: its device and the streams of its sensors.
///
/// Its calls come one at a time: those of the one stream that has it open.
final class OpenSensors: Sendable {
  /// A sensor's stream.
  struct Stream: Sendable {
    let handle: SensorStreamHandle
    /// Whether the driver mirrors frames, and refuses to leave it.
    let isMirrored: Bool
  }

  let library: any DepthLibrary
  let device: SensorHandle
  let color: Stream?
  let depth: Stream?
  /// Whether it is never closed: a recording's player goes on using what is closed.
  let isRecording: Bool

  /// Opens what `uri` names, with a stream of each sensor.
  ///
  /// - Throws: What the library says.
  init(_ library: any DepthLibrary, _ uri: String, isRecording: Bool) throws(DepthRefusal) {
    self.library = library
    self.isRecording = isRecording
    device = try library.open(uri)
    color = Self.stream(library, device, .color)
    depth = Self.stream(library, device, .depth)
  }

  deinit {
    if isRecording { return }
    for stream in [depth, color].compactMap(\.self) { library.destroy(stream.handle) }
    library.close(device)
  }

  private static func stream(
    _ library: any DepthLibrary, _ device: SensorHandle, _ kind: SensorKind
  ) -> Stream? {
    guard !library.modes(device, kind).isEmpty, let handle = try? library.makeStream(device, kind) else {
      return nil
    }
    return Stream(handle: handle, isMirrored: library.stopMirroring(handle))
  }

  /// The abilities of the camera.
  var abilities: SensorAbilities {
    SensorAbilities(
      color: color == nil ? [] : library.modes(device, .color),
      depth: depth == nil ? [] : library.modes(device, .depth), canRegister: library.canRegister(device),
      colorView: color.flatMap { library.fieldOfView($0.handle) },
      depthView: depth.flatMap { library.fieldOfView($0.handle) })
  }

  /// Brings a stream into a mode, unless it is in it.
  func set(_ mode: SensorMode, _ stream: Stream) throws(DepthRefusal) {
    if library.mode(stream.handle) == mode { return }
    try library.setMode(stream.handle, mode)
  }
}
