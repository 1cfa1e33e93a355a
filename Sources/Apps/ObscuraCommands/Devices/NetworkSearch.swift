internal import CaptureDevice
internal import Foundation
internal import NetworkDevices

/// `obscura devices --discover`: which cameras of the network speak ONVIF, and how they are read.
enum NetworkSearch {
  /// Searches, and lists what was found.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` for options that do not go together, or a machine that is not there.
  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    for option in ["watch", "controls"] where arguments.has(option) {
      throw CommandError(.usage, "--\(option) does not go with --discover, which asks the network once.")
    }
    for option in ["device", "devices"] where arguments[option] != nil {
      throw CommandError(
        .usage, "--\(option) does not go with --discover, which lists cameras that are not devices yet.")
    }
    let path = KnownCameras.path()
    let known = try KnownCameras(path: path)
    var times = SearchTimes()
    var routes = ProbeRoute.everyNetwork()
    if let host = arguments["at"] {
      guard let route = ProbeRoute(to: host) else {
        throw CommandError(.usage, "--at '\(host)' is no machine of the network; give its name or address.")
      }
      routes = [route]
      // One that is there answers at once, and ends the wait.
      times.answers = 10_000_000_000
    }
    let isAlone = arguments["at"] != nil
    let search = CameraSearch(
      routes, logins: CameraLogins(known: known.cameras.map { $0.address }, user: arguments["user"]),
      times: times, isEnough: { isAlone && $0 > 0 })
    let progress = Progress(terminal) { "Asking the network for cameras" }
    let outcome = search.run()
    progress.end()
    for camera in outcome.cameras {
      let report = FoundCameraReport(camera, known: known, path: path)
      if arguments.has("json") {
        try terminal.answer(json: report)
      } else {
        for line in report.lines { try terminal.answer(line) }
      }
    }
    for name in outcome.unsent {
      terminal.complain("The network of \(name) takes no question for cameras; see whether it is connected.")
    }
    if outcome.hasLeftOut {
      terminal.complain(
        "More cameras answered than are listed, which are \(NetworkProbe.mostCameras) at most, and \(NetworkProbe.mostOfOneSender) of one machine; ask a machine alone with --at."
      )
    }
    guard outcome.cameras.isEmpty else { return .done }
    terminal.say(
      routes.isEmpty
        ? "This machine has no network on which cameras can be asked for; connect it, or give a camera's address with --at."
        : "No camera answered; switch ONVIF on in its settings, ask it alone with --at, or read it by its maker's address."
    )
    return .noSuchCamera
  }
}
