public import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  // MARK: For clients

  /// Whether the session itself starts what is deferred, soon after the first frames; `true` at first.
  ///
  /// The deferred start runs when each preview layer and each streaming output (video, audio, depth) that is not deferred
  /// (``AVCaptureOutput/isDeferredStartEnabled``) has delivered its first frame or sample. Outputs without a delegate are not waited for.
  /// ``deferredStartDelegate`` is notified.
  ///
  /// While it is `false`, the deferred start runs with ``runDeferredStartWhenNeeded()``, or when a capture needs a deferred output. Set it
  /// before `commitConfiguration()`.
  ///
  /// Apple: `AVCaptureSession.automaticallyRunsDeferredStart`.
  public var automaticallyRunsDeferredStart: Bool {
    get { core.withLock { $0.deferral.isAutomatic } }
    set {
      core.withLock { $0.deferral.isAutomatic = newValue }
      lookForDeferredStart()
    }
  }

  /// Whether a client may decide when the deferred start runs; always.
  ///
  /// Apple: `AVCaptureSession.isManualDeferredStartSupported`.
  public var isManualDeferredStartSupported: Bool { true }

  /// Starts what is deferred, in the background.
  ///
  /// Returns at once. It runs once for each commit that defers something; further calls have no effect. A call before the session runs
  /// takes effect when it has started. While ``automaticallyRunsDeferredStart`` is `true`
  /// it is a programming mistake without effect. Call it off the main thread, as ``startRunning()``.
  ///
  /// Apple: `AVCaptureSession.runDeferredStartWhenNeeded()`.
  public func runDeferredStartWhenNeeded() {
    guard !automaticallyRunsDeferredStart else {
      return ProgrammingMistake.report(
        rule:
          "runDeferredStartWhenNeeded() may only be called while automaticallyRunsDeferredStart is false; set that first."
      )
    }
    if MainQueue.isCurrent { MainThreadUse.report("runDeferredStartWhenNeeded()") }
    core.withLock { core in
      // One that has run has nothing to be asked again.
      if core.runner.state == .stopped || !core.deferral.held.isEmpty { core.deferral.ask() }
    }
    lookForDeferredStart()
  }

  /// Reports to `deferredStartDelegate`, which is not retained, when the deferred start begins and ends.
  ///
  /// It is called however the deferred start was caused, and not where nothing is deferred. A delegate without a queue is a programming
  /// mistake without effect.
  ///
  /// - Parameters:
  ///   - deferredStartDelegate: `nil` for none.
  ///   - deferredStartDelegateCallbackQueue: A serial queue.
  ///
  /// Apple: `AVCaptureSession.setDeferredStartDelegate(_:deferredStartDelegateCallbackQueue:)`.
  public func setDeferredStartDelegate(
    _ deferredStartDelegate: (any AVCaptureSessionDeferredStartDelegate)?,
    deferredStartDelegateCallbackQueue: DispatchQueue?
  ) {
    guard
      let recipient = Recipient<any AVCaptureSessionDeferredStartDelegate>(
        deferredStartDelegate, on: deferredStartDelegateCallbackQueue,
        weakly: { [weak deferredStartDelegate] in deferredStartDelegate })
    else { return }
    deferredStartRecipient.withLock { $0 = recipient }
  }

  /// The delegate that is notified of the deferred start.
  ///
  /// Apple: `AVCaptureSession.deferredStartDelegate`.
  public var deferredStartDelegate: (any AVCaptureSessionDeferredStartDelegate)? {
    deferredStartRecipient.withLock { $0 }?.delegate
  }

  /// Where the delegate is called.
  ///
  /// Apple: `AVCaptureSession.deferredStartDelegateCallbackQueue`.
  public var deferredStartDelegateCallbackQueue: DispatchQueue? {
    deferredStartRecipient.withLock { $0 }?.queue
  }

  // MARK: For outputs

  func holdsBack(_ sink: NodeID) -> Bool { core.withLock { $0.deferral.held.contains(sink) } }

  func holdsUp(_ sink: NodeID) -> Bool { core.withLock { $0.deferral.holdsUp(sink) } }

  func whenStarted(_ sink: NodeID, _ body: @escaping @Sendable () -> Void) {
    let waits = core.withLock { $0.deferral.wait(for: sink, body) }
    guard waits else { return body() }
    events.carry { [weak self] in
      // A session that is gone has gone on with what waited.
      self?.runDeferredStart()
    }
  }

  // MARK: The start

  /// Decides what to hold back under a plan, on the thread that carries it out.
  func holdBack(
    under plan: CapturePlan, of structure: SessionStructure
  ) -> (held: Set<NodeID>, isOver: Bool) {
    let sinks = structure.sinks.compactMap { sink -> SessionDeferral.Sink? in
      guard sink.connections.contains(where: { plan.connections[$0.id] != nil }) else { return nil }
      return SessionDeferral.Sink(
        id: sink.id, isDeferred: sink.isDeferredStartEnabled, isStreaming: sink.requirements.isStreaming)
    }
    let shown = shownSinks
    let (held, startsAtOnce) = core.withLock { core in
      let startsAtOnce = core.deferral.plan(sinks, shown: shown)
      return (core.deferral.held, startsAtOnce)
    }
    if startsAtOnce { announceDeferredStart(hasRun: false) }
    return (held, startsAtOnce)
  }

  /// What the devices do before the deferred start has run.
  func firstPlan(of structure: SessionStructure, without held: Set<NodeID>) -> CapturePlan? {
    var graph = core.withLock { $0.edits.running }?.graph ?? structure.graph()
    graph.heldBack = held
    return GraphPlanner.plan(graph, facts: structure.facts()).plan
  }

  /// Has the first samples reported that the deferred start waits for.
  func awaitFirstSamples() {
    let (held, awaited) = core.withLock { ($0.deferral.held, $0.deferral.awaited) }
    guard !held.isEmpty else { return }
    for route in openRoutes where route.sink.map({ awaited.contains($0.id) }) ?? false {
      route.lifetime.notifyOfFirst { [weak self, events] token in
        // A manual clock moves on when the deferred start has run.
        events.carry { [weak self] in withExtendedLifetime(token) { self?.runDeferredStartIfDue() } }
      }
    }
  }

  /// Looks on the queue of events whether the deferred start is due, where anything is held back.
  func lookForDeferredStart() {
    guard core.withLock({ !$0.deferral.held.isEmpty }) else { return }
    events.carry { [weak self] in self?.runDeferredStartIfDue() }
  }

  /// The ways that media takes from the open devices.
  private var openRoutes: [MediaRoute] {
    core.withLock { Array($0.feeds.open.values) }.flatMap(\.router.routes)
  }

  /// The sinks that media comes to, and whether the first sample of each has come over all its ways.
  private var shownSinks: [NodeID: Bool] {
    let pairs = openRoutes.compactMap { route in route.sink.map { ($0.id, route.lifetime.hasDelivered) } }
    return Dictionary(pairs) { $0 && $1 }
  }

  private func runDeferredStartIfDue() {
    let shown = shownSinks
    if core.withLock({ $0.deferral.isDue(shown: shown) }) { runDeferredStart() }
  }

  /// Starts what is held back, and goes on with the captures that wait for that; on the queue of events.
  private func runDeferredStart() {
    let begins = core.withLock { core in
      // A start or stop that is under way looks here again when it is done.
      [.running, .interrupted, .reconfiguring].contains(core.runner.state) && core.deferral.begin()
    }
    if begins {
      announceDeferredStart(hasRun: false)
      handle(.commit)
      if core.withLock({ $0.deferral.finish() }) { announceDeferredStart(hasRun: true) }
    }
    while true {
      let captures = core.withLock { $0.deferral.takeCaptures() }
      if captures.isEmpty { return }
      for goOn in captures { goOn() }
    }
  }

  /// Notifies the delegate, on its queue, that the deferred start begins or has run.
  func announceDeferredStart(hasRun: Bool) {
    guard let recipient = deferredStartRecipient.withLock({ $0 }), let queue = recipient.queue else { return }
    queue.carry { [weak self] in
      guard let self, let delegate = recipient.delegate else { return }
      if hasRun {
        delegate.sessionDidRunDeferredStart(self)
      } else {
        delegate.sessionWillRunDeferredStart(self)
      }
    }
  }
}

/// Is notified when a session starts the outputs and preview layers whose start was deferred.
///
/// Source:
/// [AVCaptureSessionDeferredStartDelegate](https://developer.apple.com/documentation/avfoundation/avcapturesessiondeferredstartdelegate).
public protocol AVCaptureSessionDeferredStartDelegate: AnyObject {
  /// The deferred start begins, or is under way already: nothing waits for what is done here.
  func sessionWillRunDeferredStart(_ session: AVCaptureSession)

  /// The deferred start has run, and everything is ready; never before the other call has returned, and not when the session stopped
  /// meanwhile.
  func sessionDidRunDeferredStart(_ session: AVCaptureSession)
}
