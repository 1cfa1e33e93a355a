import Foundation
import Linux
import NetworkDevices
import ONVIFStage
import Testing

@Suite("The search for network cameras")
struct CameraSearchTests {
  private func search(
    _ cameras: [FakeONVIFCamera], known: [NetworkAddress] = [], isEnough: Int = 1
  ) throws -> [FoundCamera] {
    let logins = CameraLogins(known: known, keyring: WholeSearch.noKeyring)
    return try WholeSearch.outcome(of: cameras, logins, isEnough: isEnough).cameras
  }

  @Test func `a camera tells its name and its streams`() throws {
    let camera = try FakeONVIFCamera()
    let found = try search([camera])
    try #require(found.count == 1)
    #expect(found[0].id == "4d454930-0000-1000-8000-0011223344aa" && found[0].host == "127.0.0.1")
    #expect(found[0].name == "Acme & Sons IPC-7" && found[0].manufacturer == "Acme & Sons")
    #expect(found[0].access == .told && found[0].user == nil)
    let profiles = found[0].profiles
    #expect(profiles.map(\.name) == ["Main", "Sub"])
    // A password that a camera puts into its addresses is not shown.
    #expect(
      profiles.map { $0.address?.shown } == [
        "rtsp://127.0.0.1:5540/main?a=1&b=2", "rtsp://127.0.0.1:5540/sub",
      ])
    #expect(profiles[0].width == 1920 && profiles[0].height == 1080 && profiles[1].width == nil)
    #expect(profiles[0].codec == "H264" && profiles[0].rate == 25 && profiles[1].codec == nil)
    #expect(
      camera.requests == [
        "GetSystemDateAndTime", "GetDeviceInformation", "GetCapabilities", "GetProfiles", "GetStreamUri",
        "GetStreamUri",
      ])
  }

  @Test func `a name of the camera's settings is its name`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.name = "Front Door"
    let camera = try FakeONVIFCamera(nature)
    #expect(try search([camera]).map(\.name) == ["Front Door"])
  }

  @Test func `a camera that answers often, and on two networks, is one`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.answers = 3
    let twin = try FakeONVIFCamera(nature)
    let camera = try FakeONVIFCamera(nature)
    nature.id = "other"
    let other = try FakeONVIFCamera(nature)
    let found = try search([twin, camera, other], isEnough: 2)
    #expect(Set(found.map(\.id)) == ["4d454930-0000-1000-8000-0011223344aa", "other"] && found.count == 2)
    #expect(twin.probes > 0 || camera.probes > 0)
  }

  @Test(arguments: [
    (FakeONVIFCamera.Fault.endlessHead, "its answer is too large"),
    (FakeONVIFCamera.Fault.endlessBody, "its answer is too large"),
    (FakeONVIFCamera.Fault.hugeBody, "its answer is too large"),
    (FakeONVIFCamera.Fault.cutBody, "its answer is cut"),
    (FakeONVIFCamera.Fault.garbage, "it does not answer by HTTP"),
    (FakeONVIFCamera.Fault.deep, "it answers something else than ONVIF"),
    (FakeONVIFCamera.Fault.otherEncoding, "it answers something else than ONVIF"),
    (FakeONVIFCamera.Fault.redirect, "it sends its questions elsewhere (HTTP 302), which is not followed"),
  ])
  func `a camera that misbehaves is listed with the reason`(fault: FakeONVIFCamera.Fault, reason: String)
    throws
  {
    var nature = FakeONVIFCamera.Nature()
    nature.fault = fault
    let camera = try FakeONVIFCamera(nature)
    let found = try search([camera])
    #expect(found.map(\.access) == [.failed(reason)])
    #expect(found.first?.name == "IPC-7" && found.first?.profiles.isEmpty == true)
  }

  @Test func `a camera that never answers is left when its time is over by the clock that counts`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.fault = .silent
    let camera = try FakeONVIFCamera(nature)
    // Each look at this clock costs a second, so that the machine's plays no part.
    let clock = Locked<Int64>(0)
    var times = SearchTimes()
    times.now = {
      MonotonicInstant(
        nanoseconds: clock.withLock { time in
          time += 1_000_000_000
          return time
        })
    }
    times.answers = 1_000_000_000_000_000
    let route = try #require(ProbeRoute(to: camera.place))
    let search = CameraSearch(
      [route], logins: CameraLogins(known: [], keyring: WholeSearch.noKeyring), times: times,
      isEnough: { $0 > 0 })
    #expect(search.run().cameras.map(\.access) == [.failed("it does not answer")])
    #expect(camera.probes > 0 && camera.requests.isEmpty)
  }

  @Test func `where nothing answers the search ends by the clock, and finds none`() throws {
    let clock = Locked<Int64>(0)
    var times = SearchTimes()
    times.now = {
      MonotonicInstant(
        nanoseconds: clock.withLock { time in
          time += 500_000_000
          return time
        })
    }
    var nature = FakeONVIFCamera.Nature()
    nature.answers = 0
    let camera = try FakeONVIFCamera(nature)
    let route = try #require(ProbeRoute(to: camera.place))
    let outcome = CameraSearch(
      [route], logins: CameraLogins(known: [], keyring: WholeSearch.noKeyring), times: times
    )
    .run()
    #expect(outcome.cameras.isEmpty && camera.requests.isEmpty)
    #expect(CameraSearch([], logins: CameraLogins(known: [])).run().cameras.isEmpty)
  }

  @Test func `a machine is named with or without a port`() {
    #expect(ProbeRoute(to: "127.0.0.1") != nil && ProbeRoute(to: "127.0.0.1:3703") != nil)
    for wrong in [
      "", ":1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:x", "a:b:c",
    ] {
      #expect(ProbeRoute(to: wrong) == nil, "\(wrong)")
    }
  }

  @Test(arguments: [
    "rtsp://127.0.0.1/user=admin_password=hidden_channel=1", "rtsp://127.0.0.1/a?loginuse=b&loginpas=hidden",
    "rtsp://127.0.0.1/a?user=b&pass=hidden", "rtsp://127.0.0.1/a?psw=hidden",
    "rtsp://127.0.0.1/a?auth=hidden",
    "rtsp://127.0.0.1/a?pwd%3Dhidden",
    // Logins that are not escaped: what is taken for the authority ends before the password does.
    "rtsp://admin:2024#hidden@10.0.0.7:554/s", "rtsp://admin:12/hidden@10.0.0.7:554/s",
    "rtsp://admin:7?hidden@10.0.0.7:554/s", "rtsp://admin:#hidden@10.0.0.7:554/s",
    "rtsp://admin:7%2Fhidden%4010.0.0.7/s", "rtsp://10.0.0.7/a?to=rtsp://admin:hidden@10.0.0.8/s",
    "rtsp://10.0.0.7/a?to=admin:hidden%254010.0.0.8",
  ])
  func `an address that holds a password elsewhere is not shown`(address: String) throws {
    var nature = FakeONVIFCamera.Nature()
    nature.secondAddress = address.replacingOccurrences(of: "&", with: "&amp;")
    let camera = try FakeONVIFCamera(nature)
    let found = try search([camera])
    #expect(
      found.first?.profiles.map { $0.address == nil } == [false, true] && !"\(found)".contains("hidden"))
  }

  @Test func `a stream is read at the machine that answered, whatever host it names`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    nature.secondAddress = "rtsp://192.0.2.9:5541/sub?c=d"
    let camera = try FakeONVIFCamera(nature)
    let found = try search([camera], known: [try WholeSearch.entry(nature.password)])
    let address = try #require(found.first?.profiles.last?.address)
    #expect(address.shown == "rtsp://127.0.0.1:5541/sub?c=d")
    #expect(address.with(user: found.first?.user) == "rtsp://admin@127.0.0.1:5541/sub?c=d")
    #expect(!"\(found)".contains("192.0.2.9"))
  }

  @Test func `a machine that says it is many is listed a few times, and leaves room for others`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.copies = 64
    let many = try FakeONVIFCamera(nature)
    let other = try FakeONVIFCamera(host: "127.0.0.2")
    let outcome = try WholeSearch.outcome(
      of: [many, other], CameraLogins(known: [], keyring: WholeSearch.noKeyring),
      isEnough: NetworkProbe.mostOfOneSender + 1)
    #expect(outcome.cameras.count == NetworkProbe.mostOfOneSender + 1 && outcome.hasLeftOut)
    #expect(outcome.cameras.count { $0.host == "127.0.0.2" } == 1)
  }

  @Test func `cameras whose numbers end alike are two`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.id = "74:73:36:01:99:73"
    let first = try FakeONVIFCamera(nature)
    nature.id = "aa:bb:cc:dd:ee:73"
    let second = try FakeONVIFCamera(nature)
    let outcome = try WholeSearch.outcome(
      of: [first, second], CameraLogins(known: [], keyring: WholeSearch.noKeyring), isEnough: 2)
    #expect(Set(outcome.cameras.map(\.id)) == ["74:73:36:01:99:73", "aa:bb:cc:dd:ee:73"])
    #expect(!outcome.hasLeftOut)
  }

  @Test(arguments: ["<ProfileToken>sub<", "<GetDeviceInformation", "<GetCapabilities"])
  func `a camera that hangs up on one question is asked the others`(question: String) throws {
    var nature = FakeONVIFCamera.Nature()
    nature.hangsUp = question
    nature.moreProfiles = 1
    let camera = try FakeONVIFCamera(nature)
    let found = try #require(try search([camera]).first)
    // Without its capabilities the streams are asked for where they are not.
    guard !question.contains("Capabilities") else {
      #expect(found.access == .failed("it refuses to answer") && found.model == "IPC-7")
      return
    }
    #expect(found.access == .told)
    #expect(found.profiles.map(\.name) == ["Main", "Sub", "More 0"])
    #expect(found.profiles.map { $0.address == nil } == [false, question.contains("sub"), false])
  }

  @Test func `streams that are told before a camera fails are listed`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.hangsUp = "<ProfileToken>sub<"
    let camera = try FakeONVIFCamera(nature)
    // By this clock its time is over once it was asked for its second stream.
    var times = SearchTimes()
    times.now = { [camera] in
      MonotonicInstant(
        nanoseconds: camera.requests.count { $0 == "GetStreamUri" } > 1 ? 1_000_000_000_000 : 0)
    }
    let route = try #require(ProbeRoute(to: camera.place))
    let logins = CameraLogins(known: [], keyring: WholeSearch.noKeyring)
    let found = try #require(
      CameraSearch([route], logins: logins, times: times, isEnough: { $0 > 0 }).run().cameras.first)
    guard case .failed = found.access else {
      Issue.record("\(found.access)")
      return
    }
    #expect(found.profiles.map(\.name) == ["Main"] && found.leftOut == 1)
  }

  @Test func `a recorder tells all its streams, up to a bound that is said`() throws {
    var nature = FakeONVIFCamera.Nature()
    (nature.moreProfiles, nature.padding) = (64, 8000)
    let camera = try FakeONVIFCamera(nature)
    let found = try #require(try search([camera]).first)
    #expect(found.access == .told && found.profiles.count == 64 && found.leftOut == 2)
    #expect(found.profiles.last?.address?.shown == "rtsp://127.0.0.1:5540/more61")
  }
}
