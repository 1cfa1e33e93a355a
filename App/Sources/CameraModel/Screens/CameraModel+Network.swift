import Foundation

extension CameraModel {
  /// Joins a wireless network by NetworkManager; what comes of it is said as a notice.
  package func join(_ network: WiFiNetwork) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["nmcli"] + network.joinArguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.terminationHandler = { [weak self] process in
      let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let isJoined = process.terminationStatus == 0
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          self?.onNotice(
            isJoined ? .joinedNetwork(name: network.name) : .notJoined(name: network.name, reason: text))
        }
      }
    }
    do { try process.run() } catch {
      onNotice(.notJoined(name: network.name, reason: error.localizedDescription))
    }
    dismissHit()
  }
}
