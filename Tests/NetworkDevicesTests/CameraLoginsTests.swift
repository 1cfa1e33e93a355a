import BusStage
import Foundation
import Linux
import NetworkDevices
import ONVIFStage
import Testing

@Suite("Logins of the search for network cameras")
struct CameraLoginsTests {
  private func search(
    _ camera: FakeONVIFCamera, known: [NetworkAddress] = [], user: String? = nil,
    keyring: Keyring = WholeSearch.noKeyring, nameLimit: Int64 = 30_000_000_000,
    lookUp: (@Sendable (String) -> [String])? = nil
  ) throws -> FoundCamera {
    let logins = CameraLogins(
      known: known, user: user, keyring: keyring, nameLimit: nameLimit, lookUp: lookUp)
    return try #require(try WholeSearch.outcome(of: [camera], logins).cameras.first)
  }

  @Test(arguments: [FakeONVIFCamera.Login.token, .digest])
  func `a login is proven where it is asked for, by the camera's clock`(login: FakeONVIFCamera.Login) throws {
    var nature = FakeONVIFCamera.Nature()
    nature.login = login
    // Ten years, as of a camera that was never set.
    nature.clockLead = -315_360_000
    let camera = try FakeONVIFCamera(nature)
    let right = try [search(camera, known: [try WholeSearch.entry(nature.password)])]
    #expect(right.map(\.access) == [.told] && right.first?.user == "admin")
    #expect(
      right.first?.profiles.first?.address?.with(user: "admin") == "rtsp://admin@127.0.0.1:5540/main?a=1&b=2")
    #expect(!"\(right)".contains(nature.password))
    let wrong = try [search(camera, known: [try WholeSearch.entry("other")])]
    #expect(wrong.map(\.access) == [.refusedLogin] && wrong.first?.profiles.isEmpty == true)
    let none = try [search(camera)]
    #expect(none.map(\.access) == [.wantsLogin] && none.first?.name == "IPC-7")
    // A login is for the host alone that it stands with.
    let foreign = try [
      search(camera, known: [try WholeSearch.entry(nature.password, at: "192.0.2.1")])
    ]
    #expect(foreign.map(\.access) == [.wantsLogin])
  }

  @Test func `a machine's name in the file stands for its address`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    let camera = try FakeONVIFCamera(nature)
    let found = try [
      search(camera, known: [try WholeSearch.entry(nature.password, at: "localhost")])
    ]
    #expect(found.map(\.access) == [.told])
  }

  @Test(arguments: ["rtsps", "https", "rtmps"])
  func `a login that is kept for a machine with a certificate is not used without one`(scheme: String) throws
  {
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    let camera = try FakeONVIFCamera(nature)
    let secure = try WholeSearch.entry(nature.password, scheme: scheme)
    #expect(try search(camera, known: [secure]).access == .wantsLogin && camera.proofs == 0)
    // Another entry of the same camera does not mind.
    let plain = try WholeSearch.entry(nature.password)
    #expect(try search(camera, known: [secure, plain]).access == .told)
  }

  @Test func `names are looked for once, and only when a camera wants a login`() throws {
    let asked = Locked<[String]>([])
    let lookUp: @Sendable (String) -> [String] = { name in
      asked.withLock { $0.append(name) }
      return name == "door.local" ? ["127.0.0.1"] : []
    }
    var nature = FakeONVIFCamera.Nature()
    let known = try ["gate.local", "[fd00::7]", "192.0.2.1", "door.local", "door.local"].map {
      try WholeSearch.entry(nature.password, at: $0)
    }
    let open = try FakeONVIFCamera(nature)
    #expect(try search(open, known: known, lookUp: lookUp).access == .told)
    #expect(asked.withLock { $0 }.isEmpty)
    nature.login = .digest
    let closed = try FakeONVIFCamera(nature)
    nature.id = "other"
    let other = try FakeONVIFCamera(nature)
    let logins = CameraLogins(
      known: known, keyring: WholeSearch.noKeyring, nameLimit: 30_000_000_000, lookUp: lookUp)
    let found = try WholeSearch.outcome(of: [closed, other], logins, isEnough: 2).cameras
    #expect(found.map(\.access) == [.told, .told])
    #expect(asked.withLock { $0 }.sorted() == ["door.local", "gate.local"])
  }

  @Test func `a name whose search hangs holds no camera up`() throws {
    let isOver = Monitor(false)
    defer { isOver.withLock { $0 = true } }
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    let camera = try FakeONVIFCamera(nature)
    let known = [try WholeSearch.entry("other", at: "gate.local"), try WholeSearch.entry(nature.password)]
    let found = try search(
      camera, known: known, nameLimit: 0,
      lookUp: { _ in
        isOver.wait(for: { $0 }, then: { _ in [] }) ?? []
      })
    #expect(found.access == .told)
  }

  @Test func `an entry with a password comes before one without`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    let camera = try FakeONVIFCamera(nature)
    let known = [try WholeSearch.entry(nil, user: "guest"), try WholeSearch.entry(nature.password)]
    let found = try search(camera, known: known)
    #expect(found.access == .told && found.user == "admin")
  }

  @Test(.enabled(if: PrivateSessionBus.isInstalled))
  func `a keyring that cannot be asked is named, with the user`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    let camera = try FakeONVIFCamera(nature)
    let found = try search(camera, known: [try WholeSearch.entry(nil)])
    #expect(found.access == .silentKeyring("this session has none") && found.user == "admin")
    let other = try search(camera, user: "me")
    #expect(other.access == .silentKeyring("this session has none") && other.user == "me")
  }

  @Test(.enabled(if: PrivateSessionBus.isInstalled))
  func `the keyring is asked for a camera that wants a login, and no other`() throws {
    var nature = FakeONVIFCamera.Nature()
    let open = try FakeONVIFCamera(nature)
    nature.login = .digest
    let closed = try FakeONVIFCamera(nature)
    let desktop = try FakeKeyring(.open, server: "127.0.0.1", user: "admin", password: nature.password)
    let keyring = Keyring(address: desktop.bus.address, limit: 30_000_000_000)
    let known = [try WholeSearch.entry(nil)]
    let told = try search(open, known: known, keyring: keyring)
    #expect(told.access == .told && told.user == nil && desktop.questions == 0)
    #expect(try search(closed, known: known, keyring: keyring).access == .told && desktop.questions == 1)
  }

  @Test(arguments: [FakeONVIFCamera.Login.token, .digest], [false, true])
  func `a wrong password is not tried again and again`(login: FakeONVIFCamera.Login, guardsTime: Bool) throws
  {
    var nature = FakeONVIFCamera.Nature()
    (nature.login, nature.guardsTime) = (login, guardsTime)
    let camera = try FakeONVIFCamera(nature)
    #expect(try search(camera, known: [try WholeSearch.entry("other")]).access == .refusedLogin)
    #expect(camera.proofs == (login == .token ? 1 : 2))
  }

  @Test(arguments: [false, true])
  func `a digest answers more than one question, where the camera takes that`(takesOnce: Bool) throws {
    var nature = FakeONVIFCamera.Nature()
    (nature.login, nature.takesNumbersOnce) = (.digest, takesOnce)
    let camera = try FakeONVIFCamera(nature)
    #expect(try search(camera, known: [try WholeSearch.entry(nature.password)]).access == .told)
    // The time is told to all; of the five other questions each is asked twice, the first or all.
    #expect(camera.requests.count == (takesOnce ? 1 + 5 * 2 : 1 + 2 + 4))
  }
}
