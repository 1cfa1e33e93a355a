import ALSADevices
import CaptureDevice
import Glibc
import Linux
import Waiting

/// A scripted sound card: its node, its abilities and its answers.
struct ScriptedAudioCard: Sendable {
  var node: AudioNode
  var identity = AudioIdentity(
    cardID: "Yeti", driver: "USB-Audio", cardName: "Yeti Microphone", deviceName: "USB Audio")
  var placement = AudioPlacement()
  var abilities = AudioAbilities(
    encodings: [.integer16], channels: 1...2, formats: AudioStreamFormat.usual)
  var captureSwitch: Bool?
  /// Whether audio comes by itself, in real time; else a test feeds it.
  var isAutomatic = false
  /// The setup that configuring grants instead of the requested one.
  var grants: (@Sendable (AudioSetup) -> AudioSetup)?

  /// A USB microphone.
  static func usb(
    card: Int = 0, serial: String = "SN1", port: String = "1-2", product: String = "Yeti Microphone"
  ) -> ScriptedAudioCard {
    var made = ScriptedAudioCard(node: AudioNode(card: card, device: 0, identity: UInt64(card + 1)))
    made.identity.cardName = product
    made.placement = AudioPlacement(
      bus: "\(port):1.0",
      usb: USBPlacement(
        port: port, vendor: 0xB58E, product: 0x9E84, serial: serial, manufacturer: "Blue",
        productName: product))
    return made
  }
}

/// An ALSA library that plays a script: cards in memory, and any call refused or hung on demand.
///
/// Every sample is its own number: the lower 15 bits of how many samples of its channel came before it since the card was
/// started, the second channel's below zero.
final class ScriptedAudioLibrary: AudioLibrary, @unchecked Sendable {  // Safe: all under `state`.
  struct Device {
    var card: ScriptedAudioCard
    var setup: AudioSetup?
    /// The failure that the next call finds, such as an overrun.
    var trouble: Int32?
    var isRunning = false
    var started: Int64 = 0
    var fed = 0
    var read = 0
    var stamp: Int64?
    let signal: WakeUp
  }

  struct State {
    var cards: [ScriptedAudioCard] = []
    var devices: [UInt: Device] = [:]
    var nextHandle: UInt = 1
    var forced: [AudioCall: (errno: Int32, times: Int)] = [:]
    var hung: Set<AudioCall> = []
    /// The number of calls that hang now.
    var hanging = 0
    var calls: [AudioCall] = []
    var watchers: [Int: @Sendable () -> Void] = [:]
    var holders: [DeviceHolder] = []
    var defaultCard: Int?
    var server: AudioAbilities?
    /// The call, by the number of all calls until then, that meets a fault.
    var trap = CallTrap<CallFault>()
    /// Whether automatic cards take no more, and whether the next reading gets a part alone.
    var isSilent = false
    var isShort = false
  }

  let state: Monitor<State>

  init(_ cards: [ScriptedAudioCard] = []) {
    var state = State()
    state.cards = cards
    self.state = Monitor(state)
  }

  // MARK: Script

  /// Lets so many samples come, the last of them at a moment; none of the device's own stamps with `nil`.
  func feed(_ frames: Int, at nanoseconds: Int64?) {
    state.withLock { state in
      for handle in state.devices.keys where state.devices[handle]?.isRunning == true {
        state.devices[handle]?.fed += frames
        state.devices[handle]?.stamp = nanoseconds
        state.devices[handle]?.signal.signal()
      }
    }
  }

  /// The cards run into trouble: `EPIPE` for an overrun, `ESTRPIPE` for sleep, `ENODEV` for an unplug.
  func trouble(_ errno: Int32) {
    state.withLock { state in
      for handle in state.devices.keys {
        state.devices[handle]?.trouble = errno
        state.devices[handle]?.signal.signal()
      }
    }
  }

  func plug(_ card: ScriptedAudioCard) {
    let watchers = state.withLock { state in
      state.cards.append(card)
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher() }
  }

  func unplug(card number: Int) {
    let watchers = state.withLock { state in
      state.cards.removeAll { $0.node.card == number }
      for handle in state.devices.keys where state.devices[handle]?.card.node.card == number {
        state.devices[handle]?.trouble = ENODEV
        state.devices[handle]?.signal.signal()
      }
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher() }
  }

  /// Refuses `call` with `errno`, `times` times.
  func force(_ call: AudioCall, _ errno: Int32, times: Int = .max) {
    state.withLock { $0.forced[call] = (errno, times) }
  }

  func unforce() {
    state.withLock { $0.forced = [:] }
  }

  func hang(_ call: AudioCall) {
    state.withLock { _ = $0.hung.insert(call) }
  }

  func resume() {
    state.withLock { $0.hung = [] }
  }

  /// Blocks until a call or the script makes the state so; false when none does within half a minute.
  func waits(until isTrue: (State) -> Bool) -> Bool { state.wait(isTrue) }

  var openCount: Int { state.withLock { $0.devices.count } }
  var calls: [AudioCall] { state.withLock { $0.calls } }

  // MARK: Calls

  private func note(_ call: AudioCall) throws(AudioRefusal) {
    try spring(call)
    let forced = state.withLock { state -> Int32? in
      state.calls.append(call)
      guard let rule = state.forced[call], rule.times > 0 else { return nil }
      if rule.times != .max { state.forced[call]?.times -= 1 }
      return rule.errno
    }
    let hangs = state.withLock { state in
      guard state.hung.contains(call) else { return false }
      state.hanging += 1
      return true
    }
    if hangs { _ = state.wait(for: { !$0.hung.contains(call) }, then: { $0.hanging -= 1 }) }
    if let forced { throw AudioRefusal(call, forced) }
  }

  /// The open device; its trouble is what is refused with, until it is prepared.
  private func onDevice<Result>(
    _ call: AudioCall, _ handle: AudioHandle, _ body: (inout Device) -> Result
  ) throws(AudioRefusal) -> Result {
    try note(call)
    return try state.withLock { (state: inout State) throws(AudioRefusal) -> Result in
      guard var device = state.devices[handle.number] else { throw AudioRefusal(call, EBADF) }
      if let trouble = device.trouble, call != .prepare || trouble == ENODEV {
        throw AudioRefusal(call, trouble)
      }
      defer { state.devices[handle.number] = device }
      return body(&device)
    }
  }

  func nodes() -> [AudioNode] {
    state.withLock { $0.cards.map(\.node).sorted { ($0.card, $0.device) < ($1.card, $1.device) } }
  }

  private final class Watch: Sendable {
    let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  func watchNodes(
    _ changed: @escaping @Sendable () -> Void
  ) throws(AudioRefusal) -> any AnyObject & Sendable {
    try note(.watchNodes)
    let key = state.withLock { state in
      let key = (state.watchers.keys.max() ?? 0) + 1
      state.watchers[key] = changed
      return key
    }
    return Watch { [state] in state.withLock { _ = $0.watchers.removeValue(forKey: key) } }
  }

  private func card(_ node: AudioNode) -> ScriptedAudioCard? {
    state.withLock { state in state.cards.first { $0.node == node } }
  }

  func placement(of node: AudioNode) -> AudioPlacement { card(node)?.placement ?? AudioPlacement() }

  func holders(of path: String) -> [DeviceHolder] { state.withLock { $0.holders } }

  func identity(of node: AudioNode) throws(AudioRefusal) -> AudioIdentity {
    try note(.identity)
    guard let card = card(node) else { throw AudioRefusal(.identity, ENODEV) }
    return card.identity
  }

  func defaultCard() -> Int? { state.withLock { $0.defaultCard } }

  func captureSwitch(ofCard number: Int) -> Bool? {
    state.withLock { state in state.cards.first { $0.node.card == number }?.captureSwitch }
  }

  func open(_ name: String) throws(AudioRefusal) -> AudioHandle {
    if name == "default" {
      return try state.withLock { (state: inout State) throws(AudioRefusal) -> AudioHandle in
        guard let server = state.server else { throw AudioRefusal(.open, ENOENT) }
        var card = ScriptedAudioCard(node: AudioNode(card: -1, device: 0, identity: 0))
        card.abilities = server
        return try state.open(card)
      }
    }
    try note(.open)
    return try state.withLock { (state: inout State) throws(AudioRefusal) -> AudioHandle in
      guard let card = state.cards.first(where: { $0.node.pcmName == name }) else {
        throw AudioRefusal(.open, ENODEV)
      }
      guard !state.devices.values.contains(where: { $0.card.node == card.node }) else {
        throw AudioRefusal(.open, EBUSY)
      }
      return try state.open(card)
    }
  }

  func close(_ handle: AudioHandle) {
    state.withLock { _ = $0.devices.removeValue(forKey: handle.number) }
  }

  func abilities(_ handle: AudioHandle) throws(AudioRefusal) -> AudioAbilities {
    try onDevice(.abilities, handle) { $0.card.abilities }
  }

  func configure(_ handle: AudioHandle, _ setup: AudioSetup) throws(AudioRefusal) -> AudioSetup {
    try onDevice(.configure, handle) { device in
      var granted = setup
      granted.encoding = device.card.abilities.encodings.first ?? .integer16
      granted = device.card.grants?(granted) ?? granted
      device.setup = granted
      return granted
    }
  }

  func start(_ handle: AudioHandle) throws(AudioRefusal) {
    try onDevice(.start, handle) { device in
      device.isRunning = true
      device.started = MonotonicInstant.now.nanoseconds
      device.fed = 0
      device.read = 0
    }
  }

  func stop(_ handle: AudioHandle) throws(AudioRefusal) {
    try onDevice(.stop, handle) { $0.isRunning = false }
  }

  func prepare(_ handle: AudioHandle) throws(AudioRefusal) {
    try onDevice(.prepare, handle) { device in
      device.trouble = nil
      device.isRunning = false
    }
  }

  func wait(
    _ handle: AudioHandle, _ wake: WakeUp, nanoseconds: Int64
  ) throws(AudioRefusal) -> AudioReadiness {
    let isSilent = state.withLock { $0.isSilent }
    let (signal, isAutomatic, chunk) = try onDevice(.wait, handle) { device in
      device.update(isSilent: isSilent)
      return (device.signal, device.card.isAutomatic, (device.setup?.rate ?? 48_000) / 100)
    }
    let timeout = isAutomatic ? min(nanoseconds, 2_000_000) : nanoseconds
    let event = wake.wait(
      for: signal.descriptor, until: .now.advanced(byNanoseconds: max(timeout, 0)))
    if event == .signalled {
      wake.clear()
      return .woken
    }
    signal.clear()
    return try onDevice(.wait, handle) { device in
      device.update(isSilent: isSilent)
      return device.fed - device.read >= chunk ? .ready : []
    }
  }

  func position(_ handle: AudioHandle) throws(AudioRefusal) -> AudioPosition {
    try onDevice(.position, handle) { device in
      AudioPosition(available: device.fed - device.read, nanoseconds: device.stamp)
    }
  }

  func read(
    _ handle: AudioHandle, into memory: UnsafeMutableRawBufferPointer, frames: Int
  ) throws(AudioRefusal) -> Int {
    let isShort = state.withLock { state in
      defer { state.isShort = false }
      return state.isShort
    }
    return try onDevice(.read, handle) { device in
      guard let setup = device.setup else { return 0 }
      let count = min(isShort ? frames / 3 : frames, device.fed - device.read)
      for frame in 0..<count {
        for channel in 0..<setup.channels {
          let number = Int32((device.read + frame) & 0x7FFF) * (channel % 2 == 0 ? 1 : -1)
          let place = (frame * setup.channels + channel) * setup.encoding.byteCount
          switch setup.encoding {
          case .integer16: memory.storeBytes(of: Int16(number), toByteOffset: place, as: Int16.self)
          case .integer32: memory.storeBytes(of: number << 16, toByteOffset: place, as: Int32.self)
          case .integer24In4: memory.storeBytes(of: number << 8, toByteOffset: place, as: Int32.self)
          case .integer24In3:
            for byte in 0..<3 {
              memory[place + byte] = UInt8(truncatingIfNeeded: (number << 8) >> Int32(8 * byte))
            }
          }
        }
      }
      device.read += count
      return count
    }
  }
}

extension ScriptedAudioLibrary.State {
  fileprivate mutating func open(_ card: ScriptedAudioCard) throws(AudioRefusal) -> AudioHandle {
    guard let signal = try? WakeUp() else { throw AudioRefusal(.open, EMFILE) }
    defer { nextHandle += 1 }
    devices[nextHandle] = ScriptedAudioLibrary.Device(card: card, signal: signal)
    return AudioHandle(number: nextHandle)
  }
}

extension ScriptedAudioLibrary.Device {
  /// Counts the samples that an automatic card has taken by now.
  fileprivate mutating func update(isSilent: Bool) {
    guard card.isAutomatic, isRunning, !isSilent, let rate = setup?.rate else { return }
    let now = MonotonicInstant.now.nanoseconds
    fed = Int((now - started) * Int64(rate) / 1_000_000_000)
    stamp = started + Int64(fed) * 1_000_000_000 / Int64(rate)
  }
}
