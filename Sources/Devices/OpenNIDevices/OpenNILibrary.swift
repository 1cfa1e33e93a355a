internal import CaptureDevice
internal import COpenNI
internal import Linux

/// OpenNI's library of this machine.
package struct OpenNILibrary: DepthLibrary {
  private static let listeners = WeakObjects<SensorListener>()
  /// Why the one registration failed, which the library keeps for good; it is made when it is first asked for, on whichever thread.
  private static let registration: DepthRefusal? = refusal(
    cam_openni_watch { uri, hasCome in
      guard let uri else { return }
      let change = SensorChange(uri: String(cString: uri), hasCome: hasCome != 0)
      for listener in OpenNILibrary.listeners.present { listener.changed(change) }
    })

  /// The library; nothing is loaded yet.
  package init() {}

  package var obstacle: String? { cam_openni_obstacle().map { String(cString: $0) } }

  /// The library's file and version; `nil` where it cannot be used.
  package var identity: (path: String, version: String)? {
    guard obstacle == nil, let path = cam_openni_path() else { return nil }
    let version = cam_openni_version()
    return (String(cString: path), "\(version / 10000).\(version / 100 % 100).\(version % 100)")
  }

  // MARK: Devices

  package func devices() -> [ListedSensor] {
    var infos = [cam_openni_info](repeating: cam_openni_info(), count: 32)
    let count = cam_openni_devices(&infos, Int32(infos.count))
    return infos.prefix(max(Int(count), 0)).map { info in
      ListedSensor(
        uri: text(info.uri), vendor: text(info.vendor), name: text(info.name), usbVendor: info.usb_vendor,
        usbProduct: info.usb_product)
    }
  }

  package func watch(
    _ changed: @escaping @Sendable (SensorChange) -> Void
  ) throws(DepthRefusal) -> any AnyObject & Sendable {
    let listener = SensorListener(changed)
    Self.listeners.add(listener)
    if let refusal = Self.registration { throw refusal }
    return listener
  }

  package func open(_ uri: String) throws(DepthRefusal) -> SensorHandle {
    var device: UnsafeMutableRawPointer?
    try check(cam_openni_open(uri, &device))
    return SensorHandle(number: UInt(bitPattern: device))
  }

  package func close(_ device: SensorHandle) { cam_openni_close(device.pointer) }

  package func serialNumber(_ device: SensorHandle) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    cam_openni_serial(device.pointer, &bytes)
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  package func modes(_ device: SensorHandle, _ kind: SensorKind) -> [SensorMode] {
    var modes = [cam_openni_mode](repeating: cam_openni_mode(), count: 256)
    let count = cam_openni_modes(device.pointer, kind.number, &modes, Int32(modes.count))
    return modes.prefix(Int(count)).map(SensorMode.init)
  }

  package func canRegister(_ device: SensorHandle) -> Bool { cam_openni_can_register(device.pointer) != 0 }

  package func register(_ device: SensorHandle, _ isOn: Bool) -> Bool {
    cam_openni_register(device.pointer, isOn ? 1 : 0) != 0
  }

  // MARK: Streams

  package func makeStream(
    _ device: SensorHandle, _ kind: SensorKind
  ) throws(DepthRefusal) -> SensorStreamHandle {
    var stream: UnsafeMutableRawPointer?
    try check(cam_openni_stream(device.pointer, kind.number, &stream))
    return SensorStreamHandle(number: UInt(bitPattern: stream))
  }

  package func destroy(_ stream: SensorStreamHandle) { cam_openni_destroy(stream.pointer) }

  package func mode(_ stream: SensorStreamHandle) -> SensorMode? {
    var mode = cam_openni_mode()
    return cam_openni_mode_of(stream.pointer, &mode) == 0 ? SensorMode(mode) : nil
  }

  package func setMode(_ stream: SensorStreamHandle, _ mode: SensorMode) throws(DepthRefusal) {
    let wanted = cam_openni_mode(
      pixel_format: Int32(mode.pixelFormat), width: Int32(mode.size.width), height: Int32(mode.size.height),
      rate: Int32(mode.rate))
    try check(cam_openni_set_mode(stream.pointer, wanted))
  }

  package func stopMirroring(_ stream: SensorStreamHandle) -> Bool {
    cam_openni_stop_mirroring(stream.pointer) != 0
  }

  package func fieldOfView(_ stream: SensorStreamHandle) -> Double? {
    let degrees = Double(cam_openni_field_of_view(stream.pointer)) * 180 / .pi
    return degrees > 1 && degrees < 179 ? degrees : nil
  }

  package func start(_ stream: SensorStreamHandle) throws(DepthRefusal) {
    try check(cam_openni_start(stream.pointer))
  }

  package func stop(_ stream: SensorStreamHandle) { cam_openni_stop(stream.pointer) }

  package func wait(_ streams: [SensorStreamHandle], milliseconds: Int) throws(DepthRefusal) -> Int? {
    var pointers = streams.map(\.pointer)
    var index: Int32 = -1
    let status = cam_openni_wait(&pointers, Int32(pointers.count), &index, Int32(milliseconds))
    if status == Int32(cam_openni_timed_out) { return nil }
    try check(status)
    return streams.indices.contains(Int(index)) ? Int(index) : nil
  }

  package func read(_ stream: SensorStreamHandle, _ body: (SensorFrame) -> Void) throws(DepthRefusal) {
    var frame: UnsafeMutablePointer<cam_openni_frame>?
    let status = cam_openni_read(stream.pointer, &frame)
    if status == Int32(cam_openni_timed_out) { return }
    try check(status)
    guard let frame else { throw DepthRefusal("there is no frame") }
    defer { cam_openni_release(frame) }
    let facts = frame.pointee
    body(
      SensorFrame(
        bytes: UnsafeRawBufferPointer(
          start: facts.bytes, count: facts.bytes == nil ? 0 : max(Int(facts.size), 0)),
        mode: SensorMode(facts.mode), size: FrameSize(width: Int(facts.width), height: Int(facts.height)),
        rowBytes: Int(facts.stride), number: UInt32(bitPattern: facts.index), microseconds: facts.microseconds
      ))
  }

  private func check(_ status: Int32) throws(DepthRefusal) {
    if let refusal = Self.refusal(status) { throw refusal }
  }

  /// Why the last call on this thread failed, by its status; `nil` where it did not.
  private static func refusal(_ status: Int32) -> DepthRefusal? {
    guard status != 0 else { return nil }
    let words = String(cString: cam_openni_last_error()).split(whereSeparator: \.isNewline).last.map(
      String.init)
    let reason = words.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } ?? ""
    return DepthRefusal(reason.isEmpty ? "status \(status)" : reason)
  }
}

/// One who hears of devices that come and go.
private final class SensorListener: Sendable {
  let changed: @Sendable (SensorChange) -> Void

  init(_ changed: @escaping @Sendable (SensorChange) -> Void) {
    self.changed = changed
  }
}

extension SensorMode {
  fileprivate init(_ mode: cam_openni_mode) {
    self.init(
      pixelFormat: Int(mode.pixel_format), size: FrameSize(width: Int(mode.width), height: Int(mode.height)),
      rate: Int(mode.rate))
  }
}

extension SensorKind {
  fileprivate var number: Int32 {
    switch self {
    case .color: Int32(cam_openni_color)
    case .depth: Int32(cam_openni_depth)
    }
  }
}

extension SensorHandle {
  fileprivate var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }
}

extension SensorStreamHandle {
  fileprivate var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }
}

/// The text of a C array of characters that ends with a zero.
private func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}
