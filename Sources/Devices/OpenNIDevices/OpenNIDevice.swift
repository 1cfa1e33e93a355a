internal import CaptureDevice
internal import Linux
internal import StreamParts

/// A depth camera that OpenNI drives, or a recording of one that is played as a camera.
///
/// Thread-safe.
final class OpenNIDevice: CaptureDeviceDriver {
  let facts: DeviceFacts
  let library: any DepthLibrary
  let abilities: SensorAbilities
  /// The timeout of its sensors' silence.
  let timeout: SilenceTimeout
  private let source: DepthCameraSource
  private let state = Locked(State())

  private struct State {
    var isOpen = false
    var isGone = false
  }

  /// - Parameter listed: As the library lists it.
  init(
    _ library: any DepthLibrary, _ listed: ListedSensor, serialNumber: String, _ abilities: SensorAbilities,
    timeout: SilenceTimeout
  ) {
    self.library = library
    self.timeout = timeout
    self.abilities = abilities
    source = .device(uri: listed.uri)
    let model = USBIdentity(vendor: listed.usbVendor, product: listed.usbProduct).text
    facts = Self.facts(
      abilities, id: "openni-\(model)-\(serialNumber.isEmpty ? listed.uri : serialNumber)",
      model: "OpenNI \(model)", name: listed.name.isEmpty ? "Depth camera" : listed.name,
      manufacturer: listed.vendor)
  }

  /// - Parameter path: The recording's file.
  init(_ library: any DepthLibrary, path: String, _ sensors: OpenSensors, _ abilities: SensorAbilities) {
    self.library = library
    timeout = .cable
    self.abilities = abilities
    source = .recording(sensors)
    facts = Self.facts(
      abilities, id: "openni-recording-\(path)", model: "OpenNI Recording",
      name: path.split(separator: "/").last.map(String.init) ?? path, manufacturer: "")
  }

  private static func facts(
    _ abilities: SensorAbilities, id: String, model: String, name: String, manufacturer: String
  ) -> DeviceFacts {
    DeviceFacts(
      uniqueID: id, modelID: model, name: name, manufacturer: manufacturer, kind: .externalCamera,
      position: .unspecified, media: abilities.depth.isEmpty ? [.video] : [.video, .depth],
      formats: abilities.formats, lens: abilities.lens)
  }

  /// Whether it was unplugged.
  var isGone: Bool { state.withLock { $0.isGone } }

  /// Notes that it was unplugged: its stream ends.
  func lose() { state.withLock { $0.isGone = true } }

  var unplugged: CaptureDeviceError {
    CaptureDeviceError(.disconnected, "\(facts.name) was unplugged; plug it in again.")
  }

  func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream {
    guard facts.formats.contains(configuration.format), configuration.bufferCount > 0,
      let color = abilities.colorMode(configuration)
    else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) does not send \(configuration.size) as asked; choose one of its formats.")
    }
    let depth = configuration.depth.flatMap { wanted in
      configuration.format.depthFormats.contains(wanted.format) && wanted.bufferCount > 0
        ? abilities.depthMode(wanted) : nil
    }
    guard (configuration.depth == nil) == (depth == nil) else {
      throw CaptureDeviceError(
        .formatUnsupported, "\(facts.name) does not measure depth as asked; choose one of its format's ways.")
    }
    var granted = configuration
    granted.frameDuration = color.duration
    granted.bufferCount = min(configuration.bufferCount, 64)
    if let depth {
      granted.depth?.frameDuration = depth.duration
      granted.depth?.bufferCount = min(configuration.depth?.bufferCount ?? 1, 64)
    }
    try claim()
    do throws(CaptureDeviceError) {
      return OpenNIStream(self, granted, try sensors(color, depth), color, depth)
    } catch {
      streamClosed()
      throw error
    }
  }

  private func claim() throws(CaptureDeviceError) {
    let (wasOpen, isGone) = state.withLock { state in
      defer { if !state.isGone { state.isOpen = true } }
      return (state.isOpen, state.isGone)
    }
    if isGone { throw unplugged }
    guard !wasOpen else {
      throw CaptureDeviceError(
        .deviceBusy, "\(facts.name) is in use by another client; close it there and try again.")
    }
  }

  /// The open device, in these modes.
  private func sensors(_ color: SensorMode, _ depth: SensorMode?) throws(CaptureDeviceError) -> OpenSensors {
    let sensors: OpenSensors
    switch source {
    // A recording has one mode, and its player must not be asked for it: it may be writing it down anew.
    case .recording(let open): return open
    case .device(let uri):
      do throws(DepthRefusal) {
        sensors = try OpenSensors(library, uri, isRecording: false)
      } catch {
        throw isGone ? unplugged : .unopened(facts.name, error)
      }
    }
    do throws(DepthRefusal) {
      if let stream = sensors.color { try sensors.set(color, stream) }
      if let depth, let stream = sensors.depth { try sensors.set(depth, stream) }
    } catch {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) refuses \(color.size) at \(color.rate) frames a second (\(error.reason)); choose another format."
      )
    }
    return sensors
  }

  func streamClosed() { state.withLock { $0.isOpen = false } }
}

extension CaptureDeviceError {
  /// A camera that OpenNI lists and does not open.
  static func unopened(_ name: String, _ refusal: DepthRefusal) -> CaptureDeviceError {
    CaptureDeviceError(
      .deviceBusy,
      "\(name) cannot be opened, because its driver refuses it (\(refusal.reason)); close other programs that use it, and see "
        + "'obscura doctor' for this user's rights.")
  }
}
