internal import Dispatch
internal import Linux

/// A line on the terminal that says what a command waits for, while it waits.
///
/// It appears when the wait has lasted for most of a second, and goes with the object's ``end()``. Thread-safe.
final class Progress: @unchecked Sendable {  // Safe because the timer is only cancelled.
  private let timer: any DispatchSourceTimer
  private let queue = DispatchQueue(label: "obscura.progress", qos: .utility)
  private let text: Locked<@Sendable () -> String>
  private let terminal: Terminal

  /// Shows what `text` returns, five times a second; it is called on a queue of its own.
  ///
  /// - Parameter delaySeconds: How long a wait may last without a line.
  init(_ terminal: Terminal, after delaySeconds: Double = 0.7, _ text: @escaping @Sendable () -> String) {
    self.terminal = terminal
    self.text = Locked(text)
    timer = DispatchSource.makeTimerSource(queue: queue)
    guard terminal.isWatched else {
      timer.resume()
      return
    }
    timer.schedule(deadline: .now() + delaySeconds, repeating: 0.2)
    timer.setEventHandler { [terminal, current = self.text] in
      let text = current.withLock { $0 }
      terminal.showProgress(text())
    }
    timer.resume()
  }

  /// Shows something else from now on.
  func change(_ text: @escaping @Sendable () -> String) {
    self.text.withLock { $0 = text }
  }

  /// Takes the line away for good.
  func end() {
    timer.cancel()
    // A line that is being written now is taken away, too.
    queue.sync {}
    terminal.endProgress()
  }
}
