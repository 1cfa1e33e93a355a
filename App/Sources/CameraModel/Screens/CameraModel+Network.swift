import Foundation

extension CameraModel {
  /// Joins a wireless network by NetworkManager; what comes of it is said as a notice.
  package func join(_ network: WiFiNetwork) {
    do {
      try networkJoin.join(network) { [weak self] reason in
        DispatchQueue.main.async {
          MainActor.assumeIsolated {
            self?.onNotice(
              reason.map { .notJoined(name: network.name, reason: $0) } ?? .joinedNetwork(name: network.name))
          }
        }
      }
    } catch {
      onNotice(.notJoined(name: network.name, reason: error.localizedDescription))
    }
    dismissHit()
  }
}
