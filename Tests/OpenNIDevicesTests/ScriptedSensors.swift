import CaptureDevice
import Linux
import OpenNIDevices

/// A depth camera of a ``ScriptedSensors``.
struct ScriptedCamera: Sendable {
  var listed = ListedSensor(
    uri: "1d27/0601@1/5", vendor: "PrimeSense", name: "Carmine", usbVendor: 0x1d27, usbProduct: 0x0601)
  var serialNumber = "1234"
  var color = [SensorMode(pixelFormat: 200, size: FrameSize(width: 32, height: 24), rate: 60)]
  var depth = [
    SensorMode(pixelFormat: 100, size: FrameSize(width: 32, height: 24), rate: 60),
    SensorMode(pixelFormat: 100, size: FrameSize(width: 32, height: 24), rate: 30),
  ]
  var canRegister = true
  /// Whether it says that it registers, and does not.
  var forgetsToRegister = false
  var colorView: Double? = 60
  var depthView: Double? = 58
  /// Whether it mirrors frames, whatever it is told.
  var isMirrored = false
  /// Why it cannot be opened.
  var refusal: String?
  /// The sensors that send nothing.
  var silent: Set<SensorKind> = []
  /// The frames of colours that it makes and does not send.
  var lostFrames: Set<Int> = []
  /// What its clock shows when a stream starts, in microseconds.
  var clock: UInt64 = 1_000_000
}

/// OpenNI's library with scripted cameras on its bus, which send frames in real time.
///
/// A frame's bytes are the number of the frame plus the column of the pixel; distances are 500, plus both.
final class ScriptedSensors: DepthLibrary {
  private struct Running {
    var camera: String
    var kind: SensorKind
    var mode: SensorMode
    var start: MonotonicInstant?
    /// When the next frame is made: a whole period after the one before was fetched.
    var due: MonotonicInstant?
    /// When the newest one was made.
    var made = MonotonicInstant(nanoseconds: 0)
    /// The number of the next frame.
    var next = 0

    var period: Int64 { 1_000_000_000 / Int64(mode.rate) }
  }

  private struct State {
    var cameras: [String: ScriptedCamera] = [:]
    var devices: [UInt: String] = [:]
    var streams: [UInt: Running] = [:]
    var registered: Set<String> = []
    var lastHandle: UInt = 0
    var calls: [String] = []
    var changes = 0
    var opens: (@Sendable (String) -> Void)?
    var delays: [@Sendable () -> Void] = []

    mutating func makeHandle() -> UInt {
      lastHandle += 1
      return lastHandle
    }
  }

  let obstacle: String?
  private let state: Monitor<State>
  private let listeners = WeakObjects<ScriptedListener>()

  init(_ cameras: [ScriptedCamera] = [ScriptedCamera()], obstacle: String? = nil) {
    self.obstacle = obstacle
    state = Monitor(
      State(cameras: Dictionary(cameras.map { ($0.listed.uri, $0) }, uniquingKeysWith: { $1 })))
  }

  /// The calls that change something, in order.
  var calls: [String] { state.withLock { $0.calls } }

  /// Calls `body` while a device is being opened, with its name.
  func whileOpening(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.opens = body } }

  /// Calls `body` in the next listing, between what it finds and its answer.
  func delayListing(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.delays.append(body) } }

  /// The devices and streams that are open.
  var openCount: Int { state.withLock { $0.devices.count + $0.streams.count } }

  // MARK: Plugging

  func plug(_ camera: ScriptedCamera) {
    state.withLock { $0.cameras[camera.listed.uri] = camera }
    report(SensorChange(uri: camera.listed.uri, hasCome: true))
  }

  func unplug(_ uri: String) {
    state.withLock { $0.cameras[uri] = nil }
    report(SensorChange(uri: uri, hasCome: false))
  }

  private func report(_ change: SensorChange) {
    for listener in listeners.present { listener.changed(change) }
  }

  func watch(
    _ changed: @escaping @Sendable (SensorChange) -> Void
  ) throws(DepthRefusal) -> any AnyObject & Sendable {
    let listener = ScriptedListener(changed)
    listeners.add(listener)
    return listener
  }

  // MARK: Devices

  func devices() -> [ListedSensor] {
    let (listed, delay) = state.withLock { state in
      (state.cameras.values.map(\.listed).sorted { $0.uri < $1.uri }, state.delays.popLast())
    }
    delay?()
    return listed
  }

  func open(_ uri: String) throws(DepthRefusal) -> SensorHandle {
    let opens = state.withLock { $0.opens }
    opens?(uri)
    let (handle, refusal) = state.withLock { state -> (UInt, String?) in
      guard let camera = state.cameras[uri] else { return (0, "no such device") }
      if let refusal = camera.refusal { return (0, refusal) }
      let handle = state.makeHandle()
      state.devices[handle] = uri
      state.calls.append("open")
      return (handle, nil)
    }
    if let refusal { throw DepthRefusal(refusal) }
    return SensorHandle(number: handle)
  }

  func close(_ device: SensorHandle) {
    state.withLock { state in
      state.devices[device.number] = nil
      state.calls.append("close")
    }
  }

  private func camera(_ device: SensorHandle) -> ScriptedCamera? {
    state.withLock { state in state.devices[device.number].flatMap { state.cameras[$0] } }
  }

  func serialNumber(_ device: SensorHandle) -> String { camera(device)?.serialNumber ?? "" }

  func modes(_ device: SensorHandle, _ kind: SensorKind) -> [SensorMode] {
    (kind == .color ? camera(device)?.color : camera(device)?.depth) ?? []
  }

  func canRegister(_ device: SensorHandle) -> Bool { camera(device)?.canRegister ?? false }

  func register(_ device: SensorHandle, _ isOn: Bool) -> Bool {
    guard let camera = camera(device), camera.canRegister else { return false }
    let running = state.withLock { state in
      state.calls.append(isOn ? "register" : "register not")
      return state.streams.values.count { $0.start != nil }
    }
    // As some drivers do: before the streams run it does nothing.
    return isOn && running == 2 && !camera.forgetsToRegister
  }

  // MARK: Streams

  func makeStream(_ device: SensorHandle, _ kind: SensorKind) throws(DepthRefusal) -> SensorStreamHandle {
    guard let mode = modes(device, kind).first else { throw DepthRefusal("no such sensor") }
    return state.withLock { state in
      let handle = state.makeHandle()
      state.streams[handle] = Running(camera: state.devices[device.number] ?? "", kind: kind, mode: mode)
      return SensorStreamHandle(number: handle)
    }
  }

  func destroy(_ stream: SensorStreamHandle) { state.withLock { $0.streams[stream.number] = nil } }

  func mode(_ stream: SensorStreamHandle) -> SensorMode? {
    state.withLock { $0.streams[stream.number]?.mode }
  }

  func setMode(_ stream: SensorStreamHandle, _ mode: SensorMode) throws(DepthRefusal) {
    state.withLock { state in
      state.streams[stream.number]?.mode = mode
      state.calls.append("mode \(mode.size) \(mode.rate)")
    }
  }

  private func camera(of stream: SensorStreamHandle) -> ScriptedCamera? {
    state.withLock { state in state.streams[stream.number].flatMap { state.cameras[$0.camera] } }
  }

  func stopMirroring(_ stream: SensorStreamHandle) -> Bool {
    state.withLock { $0.calls.append("mirror not") }
    return camera(of: stream)?.isMirrored ?? false
  }

  func fieldOfView(_ stream: SensorStreamHandle) -> Double? {
    let camera = camera(of: stream)
    let kind = state.withLock { $0.streams[stream.number]?.kind }
    return kind == .color ? camera?.colorView : camera?.depthView
  }

  func start(_ stream: SensorStreamHandle) throws(DepthRefusal) {
    state.withLock { state in
      guard var running = state.streams[stream.number] else { return }
      running.start = .now
      running.due = running.start?.advanced(byNanoseconds: running.period)
      running.next = 0
      state.streams[stream.number] = running
      state.calls.append("start")
    }
  }

  func stop(_ stream: SensorStreamHandle) {
    state.withLock { state in
      state.streams[stream.number]?.start = nil
      state.calls.append("stop")
    }
  }

  func wait(_ streams: [SensorStreamHandle], milliseconds: Int) throws(DepthRefusal) -> Int? {
    let limit = MonotonicInstant.now.advanced(byNanoseconds: Int64(milliseconds) * 1_000_000)
    while true {
      let dues = state.withLock { state in
        streams.map { handle -> MonotonicInstant? in
          guard let stream = state.streams[handle.number],
            state.cameras[stream.camera]?.silent.contains(stream.kind) == false
          else {
            return nil
          }
          return stream.start == nil ? nil : stream.due
        }
      }
      let due = dues.compactMap(\.self).min()
      if let due, due <= .now, let index = dues.firstIndex(of: due) {
        state.withLock { $0.streams[streams[index].number]?.made = .now }
        return index
      }
      if MonotonicInstant.now >= limit { return nil }
      _ = state.wait(until: min(due ?? limit, limit), for: { _ in false }, then: { _ in })
    }
  }

  func read(_ stream: SensorStreamHandle, _ body: (SensorFrame) -> Void) throws(DepthRefusal) {
    let camera = camera(of: stream)
    let running = state.withLock { state -> Running? in
      guard var running = state.streams[stream.number] else { return nil }
      while running.kind == .color, camera?.lostFrames.contains(running.next) == true { running.next += 1 }
      state.streams[stream.number] = running
      state.streams[stream.number]?.next += 1
      state.streams[stream.number]?.due = running.made.advanced(byNanoseconds: running.period)
      return running
    }
    guard let camera, let running else { throw DepthRefusal("the device is gone") }
    let bytes = Self.bytes(running.kind, running.mode, running.next, isMirrored: camera.isMirrored)
    let passed = running.start.map { running.made.nanoseconds - $0.nanoseconds } ?? 0
    bytes.withUnsafeBytes { bytes in
      body(
        SensorFrame(
          bytes: bytes, mode: running.mode, size: running.mode.size,
          rowBytes: bytes.count / running.mode.size.height, number: UInt32(running.next) + 7,
          microseconds: camera.clock + UInt64(max(passed, 0)) / 1000))
    }
  }

  private static func bytes(_ kind: SensorKind, _ mode: SensorMode, _ number: Int, isMirrored: Bool)
    -> [UInt8]
  {
    (0..<mode.size.height).flatMap { _ in
      (0..<mode.size.width).flatMap { column -> [UInt8] in
        let x = isMirrored ? mode.size.width - 1 - column : column
        switch kind {
        case .color: return [UInt8](repeating: UInt8(truncatingIfNeeded: number + x), count: 3)
        case .depth:
          let distance = UInt16(500 + (number + x) % 1000)
          return [UInt8(distance & 0xFF), UInt8(distance >> 8)]
        }
      }
    }
  }
}

/// One who hears of a scripted library's devices.
final class ScriptedListener: Sendable {
  let changed: @Sendable (SensorChange) -> Void

  init(_ changed: @escaping @Sendable (SensorChange) -> Void) {
    self.changed = changed
  }
}
