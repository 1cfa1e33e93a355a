internal import Linux

/// The deferred start of a session: which of its outputs and previews are held back, and until when.
///
/// A plain value, which decides for each plan of the session. What was started in a run of the session stays started, also when another
/// camera takes its device's place. The rest is held back where it is to be deferred and something else shows the camera.
struct SessionDeferral {
  /// An output or a preview that media comes to.
  struct Sink: Hashable {
    var id: NodeID
    /// Whether it is to be started later.
    var isDeferred: Bool
    /// Whether its first sample is waited for.
    var isStreaming: Bool
  }

  /// Whether the session decides when the deferred start runs.
  var isAutomatic = true
  /// What is held back.
  private(set) var held: Set<NodeID> = []
  /// Whose first samples the deferred start waits for.
  private(set) var awaited: Set<NodeID> = []
  /// Whether the deferred start is under way: whatever is planned now is started.
  private(set) var isRunning = false
  /// Whether a client has asked for it, or a capture needs it.
  private(set) var isAsked = false
  private var started: Set<NodeID> = []
  /// The captures that wait for it.
  private var captures: [@Sendable () -> Void] = []
  /// Whether captures that have waited go on just now.
  private var isReleasing = false

  /// Decides which of `sinks` to hold back.
  ///
  /// - Parameter shown: The sinks that media comes to at present, and whether the first sample of each has come.
  /// - Returns: Whether what was to be held back is started at once, since there is nothing to wait for.
  mutating func plan(_ sinks: [Sink], shown: [NodeID: Bool]) -> Bool {
    let late = sinks.filter { $0.isDeferred && !started.contains($0.id) }
    let first = sinks.filter { !$0.isDeferred }
    let streaming = first.filter(\.isStreaming)
    awaited = Set(streaming.map(\.id))
    held = []
    var startsAtOnce = false
    // The same value everywhere: nothing is deferred.
    if !late.isEmpty, !first.isEmpty, !isRunning {
      let isShown = streaming.allSatisfy { started.contains($0.id) } && areShown(shown)
      startsAtOnce = isAutomatic && (streaming.isEmpty || isShown)
      if !startsAtOnce { held = Set(late.map(\.id)) }
    }
    started = Set(sinks.map(\.id)).subtracting(held)
    if held.isEmpty, !isRunning { isAsked = false }
    return startsAtOnce
  }

  /// Whether the first samples have come that are waited for; of those to which no media comes at present none is.
  private func areShown(_ shown: [NodeID: Bool]) -> Bool {
    let present = awaited.compactMap { shown[$0] }
    return !present.isEmpty && present.allSatisfy { $0 }
  }

  /// Notes that the deferred start is to run as soon as the session can; whether anything is held back.
  @discardableResult
  mutating func ask() -> Bool {
    isAsked = true
    return !held.isEmpty
  }

  /// Whether it is time, as far as the first samples have come; `shown` as for ``plan(_:shown:)``.
  func isDue(shown: [NodeID: Bool]) -> Bool {
    !held.isEmpty && !isRunning && (isAsked || isAutomatic && areShown(shown))
  }

  /// Begins the deferred start; `false` when nothing is held back.
  mutating func begin() -> Bool {
    guard !held.isEmpty, !isRunning else { return false }
    isRunning = true
    return true
  }

  /// Ends it; whether it has run to its end.
  mutating func finish() -> Bool {
    guard isRunning else { return false }
    isRunning = false
    isAsked = false
    return held.isEmpty
  }

  /// Whether a capture waits for its sink's start, or behind captures that have waited: none overtakes another.
  func holdsUp(_ sink: NodeID) -> Bool {
    held.contains(sink) || isRunning || isReleasing || !captures.isEmpty
  }

  /// Has a capture wait; `false` when it need not.
  mutating func wait(for sink: NodeID, _ capture: @escaping @Sendable () -> Void) -> Bool {
    guard holdsUp(sink) else { return false }
    captures.append(capture)
    if held.contains(sink) { isAsked = true }
    return true
  }

  /// The captures that wait, for the caller to go on with under no lock, and to ask again until there are none.
  mutating func takeCaptures() -> [@Sendable () -> Void] {
    let waiting = captures
    captures = []
    isReleasing = !waiting.isEmpty
    return waiting
  }

  /// Forgets what was started, for the session has stopped; returns the captures that wait.
  mutating func end() -> [@Sendable () -> Void] {
    defer {
      var fresh = SessionDeferral()
      fresh.isAutomatic = isAutomatic
      self = fresh
    }
    return captures
  }
}
