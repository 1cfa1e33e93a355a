internal import CaptureDevice
internal import Glibc
internal import Linux
internal import StreamParts

/// A camera that libcamera drives.
///
/// Thread-safe.
final class LibcameraDevice: CaptureDeviceDriver {
  let facts: DeviceFacts
  let camera: any LibraryCamera
  let controls: RequestControls
  /// How long it may be silent.
  let timeout: SilenceTimeout
  private let formats: [CameraFormat]
  private let state = Locked(State())

  private struct State {
    var isOpen = false
    var isGone = false
    weak var reading: CameraReading?
  }

  /// Buffers that the camera has beside those that clients hold.
  private static let reserve = CameraReading.depth + 1
  /// Clients hold no more: a machine's memory for cameras is small.
  private static let mostBuffers = 32

  /// A camera with at least one format.
  init(
    _ camera: any LibraryCamera, _ formats: [CameraFormat], last: CameraFormat, unreadable: [String],
    timeout: SilenceTimeout
  ) {
    self.camera = camera
    self.timeout = timeout
    self.formats = formats
    let identity = camera.identity
    let position: DevicePosition =
      switch identity.location {
      case .front: .front
      case .back: .back
      case .external, .unknown: .unspecified
      }
    var capabilities = last.ranges.capabilities
    if formats.contains(where: \.format.scalesStream) { capabilities.recalledFrames = StillOrders.pastCount }
    var facts = DeviceFacts(
      uniqueID: "libcamera-\(identity.id)", modelID: identity.model.isEmpty ? "libcamera" : identity.model,
      name: identity.model.isEmpty ? identity.id : identity.model, manufacturer: "",
      kind: position == .unspecified ? .externalCamera : .wideAngleCamera, position: position,
      media: [.video], formats: formats.map(\.format), capabilities: capabilities,
      // libcamera counts the other way round.
      sensorRotation: (360 - identity.rotation / 90 * 90) % 360)
    facts.unreadableFormats = unreadable
    self.facts = facts
    controls = RequestControls(last)
  }

  var isGone: Bool { state.withLock { $0.isGone } }

  /// The run that streams, or the last one.
  var reading: CameraReading? { state.withLock { $0.reading } }

  /// Notes the run that is to hear of the camera's end.
  func note(_ reading: CameraReading) {
    let isGone = state.withLock { state in
      state.reading = reading
      return state.isGone
    }
    if isGone { reading.look() }
  }

  /// The camera is gone: its stream ends, and it cannot be opened again.
  ///
  /// Calls no client: the run's own thread does.
  func lose() {
    let reading = state.withLock { state in
      state.isGone = true
      return state.reading
    }
    reading?.look()
  }

  // MARK: Streams

  func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream {
    guard let format = formats.first(where: { $0.format == configuration.format }),
      format.format.canStream(configuration.size), configuration.depth == nil, configuration.bufferCount > 0
    else { throw unsupported(configuration) }
    var granted = configuration
    granted.frameDuration = configuration.format.nearest(configuration.frameDuration)
    try claim()
    do throws(CaptureDeviceError) {
      let inbox = CompletionInbox()
      let (session, buffers) = try open(format, &granted, inbox)
      return LibcameraStream(self, granted, format, session, buffers, inbox)
    } catch {
      state.withLock { $0.isOpen = false }
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

  /// Opens with as many buffers as are wanted; where the memory does not suffice, with fewer.
  private func open(
    _ format: CameraFormat, _ granted: inout StreamConfiguration, _ inbox: CompletionInbox
  ) throws(CaptureDeviceError) -> (any CameraSession, FrameBuffers) {
    var wanted = min(granted.bufferCount, Self.mostBuffers)
    var past = StillOrders.pastCount
    while true {
      let streams = format.streams(
        granted.size, views: wanted + Self.reserve, stills: past + Self.reserve, raws: Self.reserve)
      do throws(LibraryRefusal) {
        let opened = try open(streams, inbox)
        granted.bufferCount = wanted
        return opened
      } catch {
        guard error.errno == ENOMEM, wanted > 1 || past > 0 else {
          throw error.errno == EINVAL ? unsupported(granted) : self.error(error, "cannot be opened")
        }
        wanted = max(wanted / 2, 1)
        past = 0
      }
    }
  }

  /// Opens just these streams; `EINVAL` where the camera makes others of them.
  private func open(
    _ streams: [CameraStream], _ inbox: CompletionInbox
  ) throws(LibraryRefusal) -> (any CameraSession, FrameBuffers) {
    let session = try camera.open(streams) { inbox.put($0) }
    do throws(LibraryRefusal) {
      let granted = session.streams
      guard granted.count == streams.count,
        zip(granted, streams).allSatisfy({ $0.size == $1.size && $0.code == $1.code }),
        let view = granted.first, view.buffers >= CameraReading.depth
      else { throw LibraryRefusal(EINVAL) }
      return (session, try FrameBuffers(session))
    } catch {
      session.close()
      throw error
    }
  }

  private func unsupported(_ configuration: StreamConfiguration) -> CaptureDeviceError {
    CaptureDeviceError(
      .formatUnsupported,
      "\(facts.name) does not send \(configuration.size) as asked; choose one of its formats.")
  }

  /// Gives the camera back, unless a thread hangs in it.
  func close(_ session: any CameraSession, hangs: Bool) {
    if !hangs { session.close() }
    state.withLock { $0.isOpen = false }
  }

  // MARK: Controls

  var controlState: ControlState { controls.present }

  func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    if isGone { throw unplugged }
    do throws(ControlObjection) {
      return try self.controls.apply(controls)
    } catch {
      throw CaptureDeviceError(
        .controlUnsupported,
        "\(facts.name) cannot change its \(controls.first?.name ?? "controls") so: \(error.reason).")
    }
  }

  // MARK: Errors

  var unplugged: CaptureDeviceError {
    CaptureDeviceError(.disconnected, "\(facts.name) was unplugged; plug it in again.")
  }

  var notStreaming: CaptureDeviceError {
    CaptureDeviceError(.noFrames, "\(facts.name) does not stream; start it before a picture is taken.")
  }

  /// The library's refusal, in a sentence.
  ///
  /// - Parameter failing: What does not happen: `cannot start`.
  func error(_ refusal: LibraryRefusal, _ failing: String) -> CaptureDeviceError {
    isGone ? unplugged : refusal.error(facts.name, failing)
  }
}

extension LibraryRefusal {
  /// The refusal as an error of a device.
  ///
  /// - Parameters:
  ///   - name: The camera's name.
  ///   - failing: What does not happen: `cannot start`.
  func error(_ name: String, _ failing: String) -> CaptureDeviceError {
    switch errno {
    case EBUSY:
      CaptureDeviceError(.deviceBusy, "\(name) is in use by another program; close it there and try again.")
    case EACCES, EPERM:
      CaptureDeviceError(
        .permissionDenied,
        "\(name) cannot be used, because this user may not; add the user to the group video and log in again."
      )
    case ENODEV, ENXIO:
      CaptureDeviceError(.disconnected, "\(name) was unplugged; plug it in again.")
    case ENOMEM:
      CaptureDeviceError(
        .outOfMemory,
        "\(name) cannot be used, because the memory for cameras is used up; close other cameras, or give the kernel more with cma=."
      )
    default:
      CaptureDeviceError(
        .ioFailure,
        "\(name) \(failing): libcamera says “\(String(cString: strerror(errno)))”; unplug it, plug it in again, and try once more."
      )
    }
  }
}

extension StreamFormat {
  /// Whether its pictures can have that size: its own, or a smaller one of its shape where the camera scales.
  fileprivate func canStream(_ wanted: FrameSize) -> Bool {
    if wanted == size { return true }
    guard scalesStream, wanted.width < size.width, wanted.height < size.height, wanted.width > 0,
      wanted.height > 0
    else { return false }
    let shapes = (
      Double(wanted.width) / Double(wanted.height), Double(size.width) / Double(size.height)
    )
    // Sizes are whole pixels, and even ones.
    return abs(shapes.0 / shapes.1 - 1) < 0.02
  }
}
