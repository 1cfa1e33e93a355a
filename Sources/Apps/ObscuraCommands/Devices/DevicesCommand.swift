internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import Linux

/// `obscura devices`: what is there, and how it can stream.
enum DevicesCommand: Command {
  static let name = "devices"
  static let summary = "lists cameras and microphones with their formats"
  static let usage = "[--controls] [--watch] [--discover [--at HOST] [--user NAME]] [options]"
  static let options: [Arguments.Option] = [
    .init("controls", "c", help: "every control of a camera's driver, by its name, instead of the formats"),
    .init("watch", "w", help: "go on, and print each plug and unplug until stopped"),
    .init("discover", help: "ask the network for cameras that speak ONVIF, and list these instead"),
    .init("at", value: "HOST", help: "with --discover: ask this machine alone, HOST or HOST:PORT of UDP"),
    .init("user", value: "NAME", help: "with --discover: the name at cameras whose password the keyring has"),
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.isEmpty else {
      throw CommandError(.usage, "'\(arguments.operands[0])' is one word too many; choose a device with -d.")
    }
    if arguments.has("discover") { return try NetworkSearch.run(arguments, terminal) }
    if let option = ["at", "user"].first(where: { arguments[$0] != nil }) {
      throw CommandError(.usage, "--\(option) goes with --discover, which asks the network for cameras.")
    }
    try DeviceChoice.install(arguments["devices"], environment: ProcessInfo.processInfo.environment)
    let signals = arguments.has("watch") ? StopSignals() : nil
    let watch = signals.map { DeviceWatch(terminal, $0.request, json: arguments.has("json")) }
    var devices = DeviceChoice.all
    if arguments["device"] != nil { devices = [try DeviceChoice.camera(arguments["device"])] }
    let all = DeviceChoice.all
    for device in devices {
      var report = DeviceReport(device, index: all.firstIndex { $0 === device } ?? 0)
      if arguments.has("controls") {
        do {
          report.driverControls = try device.nativeControls().map(DriverControlReport.init)
        } catch {
          throw CameraTaskError(error, device: device)
        }
      }
      if arguments.has("json") {
        try terminal.answer(json: report)
      } else {
        for line in report.lines { try terminal.answer(line) }
      }
    }
    let absences = DeviceChoice.absences
    for absence in absences { terminal.complain(absence.message) }
    if devices.isEmpty, absences.isEmpty {
      terminal.say("There is no camera and no microphone; plug one in, or try '--devices simulated'.")
    }
    if signals != nil {
      // The command goes on: what can be watched is.
      for failure in DeviceChoice.watchFailures { terminal.complain(failure.message) }
    }
    guard let signals, let watch else { return devices.isEmpty ? .noSuchCamera : .done }
    signals.request.wait()
    if let failure = watch.failure { throw failure }
    return .done
  }
}

/// Prints plug and unplug as they happen, until nothing can be printed any more.
private final class DeviceWatch: Sendable {
  private struct State {
    var tokens: [any NSObjectProtocol] = []
    var failure: CommandError?
  }

  private let state = Locked(State())
  private let terminal: Terminal
  private let isJSON: Bool
  private let stop: StopRequest

  init(_ terminal: Terminal, _ stop: StopRequest, json: Bool) {
    self.terminal = terminal
    self.stop = stop
    isJSON = json
    let names: [(Notification.Name, String)] = [
      (AVCaptureDevice.wasConnectedNotification, "connected"),
      (AVCaptureDevice.wasDisconnectedNotification, "disconnected"),
    ]
    let tokens = names.map { name, event in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
        [weak self] notification in
        guard let device = notification.object as? AVCaptureDevice else { return }
        self?.print(event, device)
      }
    }
    state.withLock { $0.tokens = tokens }
  }

  deinit {
    for token in state.withLock({ $0.tokens }) { NotificationCenter.default.removeObserver(token) }
  }

  /// The error that ended printing.
  var failure: CommandError? { state.withLock { $0.failure } }

  private func print(_ event: String, _ device: AVCaptureDevice) {
    let change = DeviceChange(
      event: event, id: device.uniqueID, name: device.localizedName,
      kind: device.hasMediaType(.video) ? "camera" : "microphone")
    do throws(CommandError) {
      if isJSON {
        try terminal.answer(json: change)
      } else {
        try terminal.answer("\(event) \(change.name) (\(change.id))")
      }
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
      stop.request()
    }
  }
}

private struct DeviceChange: Encodable {
  var schema = "obscura.device-change"
  var version = 1
  var event: String
  var id: String
  var name: String
  var kind: String
}
