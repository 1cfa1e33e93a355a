internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// What a ``FrameDelivery`` shares with its thread and its blocks, so that neither keeps the delivery itself alive.
///
/// Thread-safe.
final class DeliveryLine: Sendable {
  typealias Client = FrameDelivery.Client
  typealias Content = FrameQueue.Content

  private let conversionQueue = DispatchQueue(label: "obscura.frame-conversion", qos: .userInteractive)
  private let state = Locked(FrameQueue())

  var statistics: DeliveryStatistics {
    state.withLock { $0.statistics }
  }

  var policy: FrameDeliveryPolicy {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  func setClient(_ client: Client?) {
    let (discarded, old) = state.withLock { state in
      let old = state.client
      state.client = client
      return (state.discardAll(), old)
    }
    discarded.caller?.wake()
    // What is discarded dies outside the lock: a device's buffer goes back to its driver then.
    withExtendedLifetime((discarded, old)) {}
  }

  func flush() {
    let discarded = state.withLock { $0.discardAll() }
    discarded.caller?.wake()
    withExtendedLifetime(discarded) {}
  }

  // MARK: Frames

  /// The way of almost every frame, kept short: a thread that has just woken finds little of its code in the caches.
  @inline(__always)
  func takeAtOnce(_ frame: ReadyFrame, over route: any DeliveryRoute) -> Bool {
    guard let caller = state.withLock({ $0.takeAtOnce(frame, over: route) }) else { return false }
    caller.wake()
    return true
  }

  @inline(never)
  func take(_ frame: CapturedFrame, over route: any DeliveryRoute, conversion: FrameDelivery.Conversion?) {
    perform(
      state.withLock { state -> Turn? in
        guard state.admit() else { return nil }
        if let conversion {
          return turn(&state, replaced: state.pushIncoming(.raw(frame, conversion), route))
        } else if case .pixels(let pixels) = frame.picture {
          return turn(&state, replaced: push(.ready(ReadyFrame(frame, pixels)), route, &state))
        } else if frame.content.coded != nil {
          return turn(&state, replaced: push(.coded(frame), route, &state))
        } else {
          return turn(&state, replaced: push(.lost(LostFrame(frame, .discontinuity)), route, &state))
        }
      })
  }

  func take(_ drop: DroppedFrame, over route: any DeliveryRoute) {
    perform(
      state.withLock { state -> Turn? in
        guard state.admit() else { return nil }
        return turn(&state, replaced: push(.lost(LostFrame(drop)), route, &state))
      })
  }

  private func push(
    _ content: Content, _ route: any DeliveryRoute, _ state: inout FrameQueue
  ) -> Content? {
    // Behind those that are still to be converted.
    state.hasIncoming ? state.pushIncoming(content, route) : state.pushOutgoing(content, route)
  }

  // MARK: Turns

  /// What follows a change of the queue, outside the lock: waking a thread under it makes that thread wait for it, and a
  /// frame that dies under it gives its buffer back to the driver there.
  private struct Turn {
    var replaced: Content?
    /// Who is to be called, for what waits in which generation.
    var call: (client: Client, generation: Int)?
    /// Who calls; `nil` for a block on the client's queue.
    var caller: DeliveryCaller?
    var converts: Bool
  }

  private func turn(_ state: inout FrameQueue, replaced: Content? = nil) -> Turn {
    var call: (client: Client, generation: Int)?
    if state.beginCalls(), let client = state.client { call = (client, state.generation) }
    return Turn(replaced: replaced, call: call, caller: state.caller, converts: state.beginConversion())
  }

  @inline(never)
  private func perform(_ turn: consuming Turn?) {
    guard let turn else { return }
    if let (client, generation) = turn.call {
      if let caller = turn.caller {
        caller.wake()
      } else {
        client.queue.async { [self] in
          call(client, generation)
          startThread(client, generation)
        }
      }
    }
    if turn.converts {
      conversionQueue.async { [self] in convertNext() }
    }
  }

  private func convertNext() {
    let next = state.withLock { ($0.popIncoming(), $0.generation) }
    guard let item = next.0 else { return }
    var content = item.content
    if case .raw(let frame, let conversion) = content {
      do {
        content = .ready(ReadyFrame(frame, try conversion(frame)))
      } catch {
        content = .lost(LostFrame(frame, error))
      }
    }
    perform(
      state.withLock { state in
        state.endConversion()
        guard state.generation == next.1 else {
          state.statistics.settle(wasTaken: false)
          return turn(&state, replaced: content)
        }
        return turn(&state, replaced: state.pushOutgoing(content, item.route))
      })
  }

  // MARK: The thread

  /// Starts a thread that takes the turns of `generation` from now on, if the time for it has come; on the client's queue.
  private func startThread(_ client: Client, _ generation: Int) {
    guard !MainQueue.isCurrent else { return }
    let caller = state.withLock { state in
      state.beginCaller(generation) { DeliveryCaller(line: self, client: client, generation: generation) }
    }
    guard let caller else { return }
    do {
      let name = client.queue.label.isEmpty ? "frames" : client.queue.label
      // A worker of the client's queue would have as large a stack; only what is used of it becomes real.
      _ = try ReaderThread(name: name, stackByteCount: 8 << 20) { [self] in takeTurns(generation, caller) }
    } catch {
      // The process has all the threads that it may have: blocks serve as well.
      perform(
        state.withLock { state in
          state.giveUpThread(generation)
          return turn(&state)
        })
    }
  }

  private func takeTurns(_ generation: Int, _ caller: DeliveryCaller) {
    while let isDue = state.withLock({ $0.isTurnDue(generation) }) {
      if isDue { caller.work() } else { caller.wait() }
    }
  }

  /// Whether the caller's thread takes the turn of `generation` that is due.
  func takeTurn(_ generation: Int) -> Bool {
    state.withLock { $0.takeTurn(generation) }
  }

  // MARK: Calls

  /// Tells the client what waits, up to and including one frame; on the client's queue.
  func call(_ client: Client, _ generation: Int) {
    guard let next = state.withLock({ $0.popNext(generation) }) else {
      callInLine(client, generation)
      return
    }
    call(client, with: next.frame, over: next.route, generation)
    // The frame's token ends after everything is settled: a manual clock moves on at once.
    withExtendedLifetime(next) {}
  }

  private func call(
    _ client: Client, with frame: ReadyFrame, over route: any DeliveryRoute, _ generation: Int
  ) {
    HeldLocks.assertNone(in: "DeliveryLine.call(_:_:)")
    let wasTaken = client.deliver(frame, route)
    if !state.withLock({ $0.endFrame(generation, wasTaken: wasTaken) }) { takeNextTurn() }
  }

  @inline(never)
  private func takeNextTurn() {
    perform(state.withLock { turn(&$0) })
  }

  @inline(never)
  private func callInLine(_ client: Client, _ generation: Int) {
    while let item = state.withLock({ $0.popOutgoing(generation) }) {
      switch item.content {
      case .ready(let frame):
        call(client, with: frame, over: item.route, generation)
        withExtendedLifetime(item) {}
        return
      case .coded(let frame):
        let wasTaken = client.deliverCoded(frame, item.route)
        if !state.withLock({ $0.endFrame(generation, wasTaken: wasTaken) }) { takeNextTurn() }
        withExtendedLifetime(item) {}
        return
      case .lost(let frame):
        client.lose(frame, item.route)
        state.withLock { state in
          state.statistics.settle(frame.reason)
          state.endCall(generation)
        }
        withExtendedLifetime(item) {}
      case .raw:
        preconditionFailure("Only converted frames go out.")
      }
    }
  }
}
