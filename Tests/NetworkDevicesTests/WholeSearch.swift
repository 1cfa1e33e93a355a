import Linux
import NetworkDevices
import ONVIFStage
import Testing

/// Searches that no clock ends on a machine that works.
enum WholeSearch {
  /// Nothing asks the keyring of the machine's user.
  static let noKeyring = Keyring(address: "unix:path=/nowhere/at/all")

  /// The outcome, once `isEnough` cameras have answered.
  static func outcome(
    of cameras: [FakeONVIFCamera], _ logins: CameraLogins, isEnough: Int = 1
  ) throws -> CameraSearch.Outcome {
    var times = SearchTimes()
    // Far beyond what a busy machine takes.
    times.answers = 30_000_000_000
    times.request = 60_000_000_000
    times.camera = 120_000_000_000
    let routes = try cameras.map { try #require(ProbeRoute(to: $0.place)) }
    let outcome = CameraSearch(routes, logins: logins, times: times, isEnough: { $0 >= isEnough }).run()
    #expect(outcome.unsent.isEmpty)
    return outcome
  }

  /// An entry of `cameras.json`.
  static func entry(
    _ password: String?, at host: String = "127.0.0.1", scheme: String = "rtsp", user: String = "admin"
  ) throws -> NetworkAddress {
    var address = try NetworkAddress("\(scheme)://\(user)@\(host)/")
    address.password = password
    return address
  }
}
