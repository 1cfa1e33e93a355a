internal import Foundation
internal import Linux

/// A search for cameras that speak ONVIF, which most of shops' network cameras do.
///
/// It asks the networks of this machine who is there, and each camera that answers for its name and its streams. Nothing of it happens
/// without being asked for. Each camera is asked on a thread of its own.
package struct CameraSearch: Sendable {
  /// The result of a search.
  package struct Outcome: Sendable {
    /// The cameras, in the order of their addresses.
    package let cameras: [FoundCamera]
    /// The ways on which the question could not be sent.
    package let unsent: [String]
    /// Whether more answered than are listed: ``NetworkProbe/mostCameras``, and ``NetworkProbe/mostOfOneSender`` of one machine.
    package let hasLeftOut: Bool
  }

  private let routes: [ProbeRoute]
  private let logins: CameraLogins
  private let times: SearchTimes
  private let isEnough: @Sendable (Int) -> Bool

  /// - Parameters:
  ///   - routes: Where cameras are asked for.
  ///   - isEnough: Whether that many cameras are all; else answers are waited for as long as `times` says.
  package init(
    _ routes: [ProbeRoute], logins: CameraLogins, times: SearchTimes = SearchTimes(),
    isEnough: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) {
    self.routes = routes
    self.logins = logins
    self.times = times
    self.isEnough = isEnough
  }

  /// Searches; blocks until every camera has told, or its time is over.
  package func run() -> Outcome {
    let probe = NetworkProbe(routes, id: UUID().uuidString.lowercased(), times: times, isEnough: isEnough)
    let told = Locked<[FoundCamera]>([])
    var threads: [ReaderThread] = []
    for answer in probe.answers {
      let camera = ONVIFCamera(answer: answer, times: times)
      let ask: @Sendable () -> Void = { [logins] in
        let found = camera.told(logins)
        told.withLock { $0.append(found) }
      }
      if let thread = try? ReaderThread(name: "obscura-onvif", ask) {
        threads.append(thread)
      } else {
        ask()
      }
    }
    for thread in threads { thread.join() }
    let cameras = told.withLock { $0 }.sorted {
      ($0.host.count, $0.host, $0.id) < ($1.host.count, $1.host, $1.id)
    }
    return Outcome(cameras: cameras, unsent: probe.unsent, hasLeftOut: probe.hasLeftOut)
  }
}
