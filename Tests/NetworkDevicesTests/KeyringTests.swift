import BusStage
import CaptureDevice
import Foundation
import Linux
import NetworkDevices
import Testing

@Suite("Passwords in the keyring", .serialized, .enabled(if: PrivateSessionBus.isInstalled))
struct KeyringTests {
  /// Far beyond what a busy machine takes to answer.
  private let long: Int64 = 30_000_000_000

  @Test func `a camera's password is found by its server and user`() throws {
    let desktop = try FakeKeyring(.open, server: "door.local")
    let keyring = Keyring(address: desktop.bus.address, limit: long)
    #expect(keyring.password(of: "me", at: "door.local") == .password("s3cret/wörd"))
    #expect(keyring.password(of: "you", at: "door.local") == .absent)
    #expect(keyring.password(of: "me", at: "yard.local") == .absent)
    #expect(!"\(keyring.password(of: "me", at: "door.local"))".contains("s3cret"))
    let six = try FakeKeyring(.open, server: "fd00::7")
    #expect(
      Keyring(address: six.bus.address, limit: long).password(of: "me", at: "[fd00::7]")
        == .password("s3cret/wörd"))
  }

  @Test(arguments: [FakeKeyring.State.locked, .locking])
  func `a locked keyring says so, and is not unlocked`(state: FakeKeyring.State) throws {
    let desktop = try FakeKeyring(state, server: "door.local")
    #expect(
      Keyring(address: desktop.bus.address, limit: long).password(of: "me", at: "door.local") == .locked)
    // What is locked may have any item.
    let other = Keyring(address: desktop.bus.address, limit: long).password(of: "you", at: "door.local")
    #expect(other == (state == .locked ? .locked : .absent))
    #expect(desktop.dialogs == 0 && desktop.questions == 2)
  }

  @Test func `a keyring that hangs, or is not there, is no wait without end`() throws {
    let desktop = try FakeKeyring(.hung, server: "door.local")
    let hung = Keyring(address: desktop.bus.address, limit: 300_000_000)
    #expect(hung.password(of: "me", at: "door.local") == .unavailable("it does not answer"))
    let bus = try PrivateSessionBus()
    let empty = Keyring(address: bus.address, limit: long)
    #expect(empty.password(of: "me", at: "door.local") == .unavailable("this session has none"))
    let none = Keyring(address: "unix:path=/nowhere/at/all", limit: long)
    #expect(none.password(of: "me", at: "door.local") == .unavailable("this session has none"))
  }

  @Test(arguments: BusProxy.Fault.allCases)
  func `any answer of the bus is survived, and the next question is answered`(fault: BusProxy.Fault) throws {
    let desktop = try FakeKeyring(.open, server: "door.local")
    let proxy = try BusProxy(desktop.bus)
    let keyring = Keyring(address: proxy.address, limit: long)
    let right = Keyring.Answer.password("s3cret/wörd")
    proxy.trap()
    #expect(keyring.password(of: "me", at: "door.local") == right)
    let count = proxy.count
    try #require(count > 0)
    for number in 1...count {
      proxy.trap(number, fault)
      switch keyring.password(of: "me", at: "door.local") {
      case right, .absent, .locked, .unavailable: break
      case let other: Issue.record("\(fault) at answer \(number): \(other)")
      }
      proxy.trap()
      #expect(keyring.password(of: "me", at: "door.local") == right, "\(fault) at answer \(number)")
    }
  }

  @Test func `a password that is too long is none`() throws {
    let desktop = try FakeKeyring(
      .open, server: "door.local", password: String(repeating: "a", count: 5000))
    #expect(
      Keyring(address: desktop.bus.address, limit: long).password(of: "me", at: "door.local")
        == .unavailable(String(cString: strerror(EMSGSIZE))))
  }

  @Test func `a camera without a password in the file is opened with the keyring's`() throws {
    let server = try RTSPServer(credentials: "me:s3cret/word")
    defer { server.close() }
    let address = try withName(server)
    let desktop = try FakeKeyring(.open, server: "127.0.0.1", password: "s3cret/word")
    let provider = NetworkDeviceProvider(
      address, name: "Door", timeout: 10_000_000_000,
      keyring: Keyring(address: desktop.bus.address, limit: long))
    let camera = try #require(provider.devices().first)
    #expect(!"\(camera.facts)".contains("s3cret"))
    let stream = try camera.openStream(
      StreamConfiguration(format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30)))
    let log = FrameLog()
    try stream.start(log.receive)
    #expect(log.wait(until: .now.advanced(byNanoseconds: long)) { !$0.frames.isEmpty })
    stream.stop()
  }

  @Test(arguments: [
    (FakeKeyring.State.locked, "the keyring, which may have its password, is locked; unlock it"),
    (FakeKeyring.State.open, "neither cameras.json nor the keyring has its password"),
  ])
  func `a camera that refuses says what the keyring has`(state: FakeKeyring.State, hint: String) throws {
    let server = try RTSPServer(credentials: "me:s3cret/word")
    defer { server.close() }
    let address = try withName(server)
    let desktop = try FakeKeyring(state, server: state == .open ? "yard.local" : "127.0.0.1")
    let provider = NetworkDeviceProvider(
      address, name: "Door", timeout: long, keyring: Keyring(address: desktop.bus.address, limit: long))
    #expect(provider.devices().isEmpty)
    #expect(
      provider.absences.first?.message
        == "Door is not there: it wants another name and password, and \(hint).")
  }

  @Test func `a camera that wants no password asks no keyring`() throws {
    let server = try RTSPServer()
    defer { server.close() }
    let desktop = try FakeKeyring(.hung, server: "127.0.0.1")
    let provider = NetworkDeviceProvider(
      try withName(server), name: "Door", timeout: long,
      keyring: Keyring(address: desktop.bus.address, limit: long))
    #expect(provider.devices().map(\.facts.name) == ["Door"])
    #expect(desktop.questions == 0)
  }

  @Test(arguments: [FakeKeyring.State.locked, .locking, .hung])
  func `a camera that refuses again and again asks the keyring once, and opens no dialog`(
    state: FakeKeyring.State
  ) throws {
    let server = try RTSPServer(credentials: "me:s3cret/word")
    defer { server.close() }
    let desktop = try FakeKeyring(state, server: "127.0.0.1")
    let provider = NetworkDeviceProvider(
      try withName(server), name: "Door", timeout: long,
      keyring: Keyring(address: desktop.bus.address, limit: state == .hung ? 300_000_000 : long))
    #expect(provider.devices().isEmpty)
    #expect(server.wait(forConnections: 3, until: .now.advanced(byNanoseconds: long)))
    // A busy machine may give a question up before it is sent.
    #expect(state == .hung ? desktop.questions <= 1 : desktop.questions == 1)
    #expect(desktop.dialogs == 0)
    withExtendedLifetime(provider) {}
  }

  @Test func `a list that does not wait for the keyring says that it is waited for`() throws {
    let server = try RTSPServer(credentials: "me:s3cret/word")
    defer { server.close() }
    let desktop = try FakeKeyring(.hung, server: "127.0.0.1")
    let provider = NetworkDeviceProvider(
      try withName(server), name: "Door", timeout: 0,
      keyring: Keyring(address: desktop.bus.address, limit: long))
    #expect(desktop.wait(forQuestions: 1, until: .now.advanced(byNanoseconds: long)))
    #expect(provider.devices().isEmpty)
    #expect(
      provider.absences.map(\.message) == [
        "Door is not there: it wants another name and password, and the keyring has not answered yet."
      ])
  }

  @Test func `a password that is changed while a program runs is read anew`() throws {
    let server = try RTSPServer(credentials: "me:first")
    defer { server.close() }
    let desktop = try FakeKeyring(.open, server: "127.0.0.1", password: "first")
    let provider = NetworkDeviceProvider(
      try withName(server), name: "Door", timeout: long,
      keyring: Keyring(address: desktop.bus.address, limit: long))
    let camera = try #require(provider.devices().first)
    let changes = Monitor<[String]>([])
    provider.observeDevices { change in
      switch change {
      case .connected(let device): changes.withLock { $0.append("+" + device.facts.name) }
      case .disconnected: changes.withLock { $0.append("-") }
      }
    }
    server.setCredentials("me:second")
    desktop.setPassword("second")
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: long)
    let refused = try stream(of: camera)
    let first = FrameLog()
    try refused.start(first.receive)
    #expect(
      first.wait(until: deadline) { $0.failure?.message.contains("wants another name and password") == true })
    refused.stop()
    #expect(changes.wait(until: deadline, for: { $0.last == "+Door" }, then: { $0 }) == ["-", "+Door"])
    let again = try stream(of: try #require(provider.devices().first))
    let second = FrameLog()
    try again.start(second.receive)
    #expect(second.wait(until: deadline) { !$0.frames.isEmpty })
    again.stop()
  }

  private func withName(_ server: RTSPServer) throws -> NetworkAddress {
    try NetworkAddress(server.address.replacingOccurrences(of: "rtsp://", with: "rtsp://me@"))
  }

  private func stream(of camera: any CaptureDeviceDriver) throws -> any CaptureStream {
    try camera.openStream(
      StreamConfiguration(format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30)))
  }

  @Test func `the doctor says where the passwords of a file's cameras are`() throws {
    let desktop = try FakeKeyring(.open, server: "door.local")
    let path = desktop.bus.files.appendingPathComponent("cameras.json").path
    try """
    {"cameras": [{"address": "rtsp://me@door.local/a", "name": "Door"}, {"address": "rtsp://me@yard.local/a"},
      {"address": "rtsp://gate.local/a"}]}
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let found = KeyringDiagnosis(path, keyring: Keyring(address: desktop.bus.address, limit: long)).findings
    #expect(found.map(\.weight) == [.fine, .note])
    #expect(found.first?.sentence == "The password of Door is in the keyring.")
    #expect(
      found.last?.sentence.hasPrefix("yard.local has a user and no password, neither in cameras.json") == true
    )
    let locked = try FakeKeyring(.locked, server: "door.local")
    let notes = KeyringDiagnosis(path, keyring: Keyring(address: locked.bus.address, limit: long)).findings
    #expect(notes.first?.weight == .note && notes.first?.sentence.contains("is locked; unlock it") == true)
    let none = KeyringDiagnosis(path, keyring: Keyring(address: "unix:path=/nowhere/at/all", limit: long))
    #expect(none.findings.allSatisfy { $0.weight == .note && $0.sentence.contains("this session has none") })
    #expect(none.findings.count == 2)
    #expect(KeyringDiagnosis(path + ".none").findings.isEmpty)
  }
}
