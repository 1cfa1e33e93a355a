internal import CameraTasks
internal import Dispatch
internal import Foundation
internal import Linux

/// Turns SIGINT, SIGTERM and SIGHUP into a request to stop, so that what is in hand is finished.
///
/// A second signal ends the process at once with ``ExitCode/aborted``. A SIGHUP that was ignored when the process
/// started, as `nohup` does, stays ignored.
final class StopSignals {
  /// The signals that the commands watch.
  let request = StopRequest()
  private let sources: [any DispatchSourceSignal]

  init() {
    let queue = DispatchQueue(label: "obscura.signals", qos: .userInteractive)
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      // The source sees the signal; the process must not end by it.
      let former = signal(number, SIG_IGN)
      if number == SIGHUP, let former, Self.isSame(former, SIG_IGN) { return nil }
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for source in sources {
      source.setEventHandler { [request] in
        // No atexit handlers: another thread may be in the midst of what they take down.
        if request.isRequested { _exit(ExitCode.aborted.rawValue) }
        request.request()
      }
      source.resume()
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  private static func isSame(_ left: __sighandler_t, _ right: __sighandler_t?) -> Bool {
    unsafeBitCast(left, to: Int.self)  // Safe because a C function pointer is as large as an address.
      == unsafeBitCast(right, to: Int.self)  // Safe because an optional one is, too.
  }
}
