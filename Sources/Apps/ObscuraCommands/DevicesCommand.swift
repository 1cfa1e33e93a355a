internal import AVFoundation
internal import Foundation
internal import Linux

/// `obscura devices`: what is there, and how it can stream.
enum DevicesCommand: Command {
  static let name = "devices"
  static let summary = "lists cameras and microphones with their formats"
  static let usage = "[--controls] [--watch] [options]"
  static let options: [Arguments.Option] = [
    .init("controls", "c", help: "every control of a camera's driver, by its name, instead of the formats"),
    .init("watch", "w", help: "go on, and print each plug and unplug until stopped"),
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.isEmpty else {
      throw CommandError(.usage, "'\(arguments.operands[0])' is one word too many; choose a device with -d.")
    }
    try DeviceChoice.install(arguments, environment: ProcessInfo.processInfo.environment)
    let end = arguments.has("watch") ? EndOfWatch() : nil
    let watch = end.map { _ in DeviceWatch(terminal, json: arguments.has("json")) }
    var devices = DeviceChoice.all
    if arguments["device"] != nil { devices = [try DeviceChoice.camera(arguments)] }
    let all = DeviceChoice.all
    for device in devices {
      var report = DeviceReport(device, index: all.firstIndex { $0 === device } ?? 0)
      if arguments.has("controls") {
        do {
          report.driverControls = try device.nativeControls().map(DriverControlReport.init)
        } catch {
          throw CommandError(error, device: device)
        }
      }
      if arguments.has("json") {
        try terminal.answer(json: report)
      } else {
        terminal.answer(report.text)
      }
    }
    if devices.isEmpty {
      terminal.say("There is no camera and no microphone; plug one in, or try '--devices simulated'.")
    }
    if end != nil {
      // The command goes on: what can be watched is.
      for failure in DeviceChoice.watchFailures { terminal.complain(failure.message) }
    }
    guard let end else { return devices.isEmpty ? .noSuchCamera : .done }
    end.wait()
    withExtendedLifetime(watch) {}
    return .done
  }
}

/// Waits for the signals that end a watch in good order: SIGINT, SIGTERM and SIGHUP.
private final class EndOfWatch {
  private let semaphore = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      // The source sees the signal; the process must not end by it.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for source in sources {
      source.setEventHandler { [semaphore] in semaphore.signal() }
      source.resume()
    }
  }

  /// Blocks until one comes.
  func wait() {
    semaphore.wait()
  }
}

/// Prints plug and unplug as they happen.
private final class DeviceWatch: Sendable {
  private let tokens: Locked<[any NSObjectProtocol]>

  init(_ terminal: Terminal, json: Bool) {
    let names: [(Notification.Name, String)] = [
      (AVCaptureDevice.wasConnectedNotification, "connected"),
      (AVCaptureDevice.wasDisconnectedNotification, "disconnected"),
    ]
    tokens = Locked(
      names.map { name, event in
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
          guard let device = notification.object as? AVCaptureDevice else { return }
          let change = DeviceChange(
            event: event, id: device.uniqueID, name: device.localizedName,
            kind: device.hasMediaType(.video) ? "camera" : "microphone")
          if json {
            do { try terminal.answer(json: change) } catch { terminal.complain(error.localizedDescription) }
          } else {
            terminal.answer("\(event) \(device.localizedName) (\(device.uniqueID))")
          }
        }
      })
  }

  deinit {
    for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
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
