internal import CPipeWire
package import CaptureDevice
internal import Linux

/// Follows the sources of pictures of one PipeWire, through its ends and restarts.
///
/// A thread of its own waits for what PipeWire says, and where there is none for its socket to come; it does nothing else. Thread-safe.
package final class PipeWireWatch: Sendable {
  /// The nodes that are there.
  package struct Sources: Sendable, Hashable {
    /// By PipeWire's numbers.
    package var nodes: [SourceNode] = []
    /// Whether a session manager links streams.
    package var isManaged = false
    /// Whether PipeWire answers.
    package var isConnected = false

    /// What is there.
    package init(nodes: [SourceNode] = [], isManaged: Bool = false, isConnected: Bool = false) {
      (self.nodes, self.isManaged, self.isConnected) = (nodes, isManaged, isConnected)
    }
  }

  private struct State {
    var isConnected = false
    /// Whether PipeWire was tried to the end since the last ``tryAgain()``.
    var hasTried = false
    var failure: CaptureDeviceError?
    var isClosed = false
    var hasThread = false
  }

  /// The longest wait for a PipeWire that takes connections and says nothing, in nanoseconds.
  package static let timeout: Int64 = 1_000_000_000

  /// The shortest and the longest time until a PipeWire is tried again whose coming shows in no folder, in nanoseconds.
  private static let pauses: ClosedRange<Int64> = 500_000_000...30_000_000_000

  private let reach: PipeWireReach
  private let changed: @Sendable (Sources) -> Void
  private let state = Monitor(State())
  private let wake: WakeUp?

  /// - Parameter changed: Called with what is there after each change, and at times without one, on the watch's thread.
  package init(_ reach: PipeWireReach, _ changed: @escaping @Sendable (Sources) -> Void) {
    self.reach = reach
    self.changed = changed
    wake = try? WakeUp()
  }

  /// Why PipeWire does not answer; `nil` while it does, and before it was tried.
  package var failure: CaptureDeviceError? { state.withLock { $0.failure } }

  /// Waits until all is told that was there, or PipeWire was found not to answer; a second at most.
  package func settle() {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.timeout)
    let isOver: Void? = state.wait(until: deadline, for: { $0.hasTried || !$0.hasThread }, then: { _ in })
    // One that says nothing is waited for once.
    if isOver == nil { state.withLock { $0.hasTried = true } }
  }

  /// Begins to follow; only the first call does anything.
  package func start() {
    guard let wake else { return }
    let begins = state.withLock { state in
      defer { state.hasThread = true }
      return !state.hasThread && !state.isClosed
    }
    guard begins else { return }
    let thread = try? ReaderThread(name: "obscura-pipewire") { [self] in follow(wake) }
    if thread == nil { state.withLock { $0.hasThread = false } }
  }

  /// Tells what is there once more; where PipeWire could not be reached it is tried again, whose end ``settle()`` waits for.
  package func tryAgain() {
    state.withLock { state in if !state.isConnected { state.hasTried = false } }
    wake?.signal()
  }

  /// Ends it.
  package func close() {
    state.withLock { $0.isClosed = true }
    wake?.signal()
  }

  // MARK: The thread

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private var isRefused: Bool {
    if case .portal(let portal) = reach { portal.access == .denied } else { false }
  }

  private func follow(_ wake: WakeUp) {
    var sockets: FolderWatch?
    var pause = Self.pauses.lowerBound
    while !isClosed {
      wake.clear()
      let registry = NodeRegistry { [self] in tell($0) }
      do throws(CaptureDeviceError) {
        try registry.follow(reach, wake) { [self] in isClosed }
      } catch {
        state.withLock { $0.failure = error }
      }
      if isClosed { break }
      changed(Sources())
      state.withLock { state in
        state.hasTried = true
        state.isConnected = false
      }
      // One that has ended is there again at once where its socket starts it; else the socket's file says when.
      if registry.hasSettled {
        pause = Self.pauses.lowerBound
        continue
      }
      if case .server(let server) = reach, sockets == nil {
        sockets = try? FolderWatch(server.places) { wake.signal() }
        // It may have come before the watch.
        if sockets != nil { continue }
      }
      // What was refused is asked for before it is tried again.
      let isAwaited = sockets != nil || isRefused
      if wake.wait(until: isAwaited ? nil : .now.advanced(byNanoseconds: pause)) == .timedOut {
        pause = min(2 * pause, Self.pauses.upperBound)
      }
    }
    withExtendedLifetime(sockets) {}
  }

  private func tell(_ sources: Sources) {
    state.withLock { state in
      state.isConnected = true
      state.failure = nil
    }
    changed(sources)
    // Who waits for it finds what is there.
    state.withLock { $0.hasTried = true }
  }
}
