internal import CALSA
internal import CaptureDevice
internal import Glibc
package import Linux

/// The ALSA library of this machine.
package struct ALSALibrary: AudioLibrary {
  private static let folder = "/dev/snd"

  /// The library; nothing is opened yet.
  package init() {}

  // MARK: Nodes

  package func nodes() -> [AudioNode] {
    DeviceTree.names(in: Self.folder).compactMap { name -> AudioNode? in
      guard let (card, device) = Self.numbers(name) else { return nil }
      var status = stat()
      // A node that went between the two calls is not there.
      guard stat("\(Self.folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
        return nil
      }
      // Nodes live in memory, where inode numbers are not used twice.
      let identity = UInt64(status.st_ino) << 32 ^ UInt64(status.st_rdev)
      return AudioNode(card: card, device: device, identity: identity)
    }.sorted { ($0.card, $0.device) < ($1.card, $1.device) }
  }

  /// The numbers in `pcmC1D2c`; `nil` for any other name: playback devices end with `p`.
  package static func numbers(_ name: String) -> (card: Int, device: Int)? {
    guard name.hasPrefix("pcmC"), name.hasSuffix("c") else { return nil }
    let parts = name.dropFirst(4).dropLast().split(separator: "D", omittingEmptySubsequences: false)
    guard parts.count == 2, let card = Int(parts[0]), let device = Int(parts[1]) else { return nil }
    return (card, device)
  }

  package func watchNodes(
    _ changed: @escaping @Sendable () -> Void
  ) throws(AudioRefusal) -> any AnyObject & Sendable {
    do throws(SystemError) {
      // Without a card there is no folder yet.
      return try FolderWatch(
        [FolderWatch.Place(Self.folder, prefix: "pcmC"), FolderWatch.Place("/dev", prefix: "snd")], changed)
    } catch {
      throw AudioRefusal(.watchNodes, error.errno)
    }
  }

  package func placement(of node: AudioNode) -> AudioPlacement {
    guard let folder = DeviceTree.resolved("/sys/class/sound/card\(node.card)/device") else {
      return AudioPlacement()
    }
    return AudioPlacement(
      bus: folder.split(separator: "/").last.map(String.init) ?? "", usb: DeviceTree.usb(above: folder))
  }

  package func holders(of path: String) -> [DeviceHolder] {
    DeviceHolder.all(of: path)
  }

  package func identity(of node: AudioNode) throws(AudioRefusal) -> AudioIdentity {
    var facts = cam_alsa_facts()
    try check(.identity, cam_alsa_describe(Int32(node.card), Int32(node.device), &facts))
    return AudioIdentity(
      cardID: text(facts.card_id), driver: text(facts.card_driver), cardName: text(facts.card_name),
      deviceName: text(facts.device_name))
  }

  package func defaultCard() -> Int? {
    let number = cam_alsa_default_card()
    return number < 0 ? nil : Int(number)
  }

  package func captureSwitch(ofCard number: Int) -> Bool? {
    let answer = cam_alsa_capture_switch(Int32(number))
    return answer < 0 ? nil : answer == 1
  }

  // MARK: Opening

  package func open(_ name: String) throws(AudioRefusal) -> AudioHandle {
    var opened: OpaquePointer?
    try check(.open, cam_alsa_open(name, &opened))
    return AudioHandle(number: UInt(bitPattern: opened))
  }

  package func close(_ handle: AudioHandle) {
    cam_alsa_close(handle.pointer)
  }

  package func abilities(_ handle: AudioHandle) throws(AudioRefusal) -> AudioAbilities {
    var found: UInt32 = 0
    var least: UInt32 = 0
    var most: UInt32 = 0
    try check(.abilities, cam_alsa_abilities(handle.pointer, &found, &least, &most))
    let formats = AudioStreamFormat.common.filter { format in
      cam_alsa_can(handle.pointer, UInt32(format.rate), UInt32(max(format.channels, Int(least)))) == 1
        && format.channels <= Int(most)
    }
    return AudioAbilities(
      encodings: AudioEncoding.allCases.filter { found & 1 << UInt32($0.rawValue) != 0 },
      channels: Int(least)...Int(max(least, most)), formats: formats,
      isServed: cam_alsa_is_served(handle.pointer) != 0)
  }

  package func configure(
    _ handle: AudioHandle, _ setup: AudioSetup
  ) throws(AudioRefusal) -> AudioSetup {
    var asked = cam_alsa_setup(
      format: Int32(setup.encoding.rawValue), rate: UInt32(setup.rate), channels: UInt32(setup.channels),
      chunk_frames: UInt(setup.chunk), buffer_frames: UInt(setup.buffer))
    try check(.configure, cam_alsa_configure(handle.pointer, &asked))
    guard let encoding = AudioEncoding(rawValue: Int(asked.format)) else {
      throw AudioRefusal(.configure, EINVAL)
    }
    return AudioSetup(
      encoding: encoding, rate: Int(asked.rate), channels: Int(asked.channels),
      chunk: Int(asked.chunk_frames), buffer: Int(asked.buffer_frames))
  }

  // MARK: Running

  package func start(_ handle: AudioHandle) throws(AudioRefusal) {
    try check(.start, cam_alsa_start(handle.pointer))
  }

  package func stop(_ handle: AudioHandle) throws(AudioRefusal) {
    try check(.stop, cam_alsa_stop(handle.pointer))
  }

  package func prepare(_ handle: AudioHandle) throws(AudioRefusal) {
    try check(.prepare, cam_alsa_prepare(handle.pointer))
  }

  package func wait(
    _ handle: AudioHandle, _ wake: WakeUp, nanoseconds: Int64
  ) throws(AudioRefusal) -> AudioReadiness {
    let milliseconds = Int32(clamping: (max(nanoseconds, 0) + 999_999) / 1_000_000)
    let answer = cam_alsa_wait(handle.pointer, wake.descriptor.number, milliseconds)
    try check(.wait, answer)
    let readiness = AudioReadiness(rawValue: UInt8(answer))
    if readiness.contains(.woken) { wake.clear() }
    return readiness
  }

  package func position(_ handle: AudioHandle) throws(AudioRefusal) -> AudioPosition {
    var frames = 0
    var nanoseconds: Int64 = 0
    try check(.position, cam_alsa_position(handle.pointer, &frames, &nanoseconds))
    return AudioPosition(available: frames, nanoseconds: nanoseconds > 0 ? nanoseconds : nil)
  }

  package func read(
    _ handle: AudioHandle, into memory: UnsafeMutableRawBufferPointer, frames: Int
  ) throws(AudioRefusal) -> Int {
    let count = cam_alsa_read(handle.pointer, memory.baseAddress, UInt(frames))
    try check(.read, Int32(clamping: count))
    return count
  }

  // MARK: Calling

  private func check(_ call: AudioCall, _ result: Int32) throws(AudioRefusal) {
    if result < 0 { throw AudioRefusal(call, -result) }
  }

  /// A C array of characters up to its first zero.
  private func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

extension AudioHandle {
  fileprivate var pointer: OpaquePointer? { OpaquePointer(bitPattern: number) }
}
