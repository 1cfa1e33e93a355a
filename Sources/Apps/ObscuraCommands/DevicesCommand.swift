internal import AVFoundation
internal import Foundation
internal import Linux

/// `obscura devices`: what is there, and how it can stream.
enum DevicesCommand: Command {
  static let name = "devices"
  static let summary = "lists cameras and microphones with their formats"
  static let usage = "[--watch] [options]"
  static let options: [Arguments.Option] = [
    .init("watch", "w", help: "go on, and print each plug and unplug until stopped")
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.isEmpty else {
      throw CommandError(.usage, "'\(arguments.operands[0])' is one word too many; choose a device with -d.")
    }
    try DeviceChoice.install(arguments, environment: ProcessInfo.processInfo.environment)
    let watch = arguments.has("watch") ? DeviceWatch(terminal, json: arguments.has("json")) : nil
    var devices = DeviceChoice.all
    if arguments["device"] != nil { devices = [try DeviceChoice.camera(arguments)] }
    let all = DeviceChoice.all
    for device in devices {
      let report = DeviceReport(device, index: all.firstIndex { $0 === device } ?? 0)
      if arguments.has("json") {
        try terminal.answer(json: report)
      } else {
        terminal.answer(report.text)
      }
    }
    if devices.isEmpty {
      terminal.say("There is no camera and no microphone; plug one in, or try '--devices simulated'.")
    }
    watch?.waitForEver()
    return devices.isEmpty ? .noSuchCamera : .done
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
          let change = DeviceChange(event: event, id: device.uniqueID, name: device.localizedName)
          if json {
            do { try terminal.answer(json: change) } catch { terminal.complain(error.localizedDescription) }
          } else {
            terminal.answer("\(event) \(device.localizedName) (\(device.uniqueID))")
          }
        }
      })
  }

  /// Blocks until a signal ends the process.
  func waitForEver() {
    while true { Thread.sleep(forTimeInterval: 3600) }
  }
}

private struct DeviceChange: Encodable {
  var schema = "obscura.device-change"
  var version = 1
  var event: String
  var id: String
  var name: String
}
