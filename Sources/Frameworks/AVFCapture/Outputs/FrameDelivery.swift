package import CaptureDevice
package import CoreVideo
package import Dispatch
internal import Linux

/// The way of frames from a device's reader thread to a delegate's queue: bounded, in order, every loss told.
///
/// Two stages under one lock. *Converting* turns what the device sent into what the client asked for, on a queue of its own,
/// and only where that is due. *Calling* hands one frame after the other to the client's queue.
///
/// With ``FrameDeliveryPolicy/newest``, a frame that arrives while the client is busy with one is late and dropped, and of
/// those that wait for the client's queue to come around only the newest stays. With ``FrameDeliveryPolicy/all``, frames wait
/// as long as the device has buffers for them: a few converted ones here, the others in the device's own buffers, until those
/// run out and the device drops.
///
/// Thread-safe. ``offer(_:over:conversion:)`` never blocks and never calls out: one lock, one hop.
package final class FrameDelivery<Route: AnyObject & Sendable>: @unchecked Sendable {
  // Safe because what changes is under `state`.

  /// Makes the picture that the client asked for out of the device's, or throws why there is none.
  package typealias Conversion = @Sendable (CapturedFrame) throws(LostFrame.Reason) -> CVPixelBuffer

  /// Who gets the frames; called on `queue`, one call at a time.
  package struct Client: Sendable {
    package var queue: DispatchQueue
    /// Takes a frame and returns whether anybody was there to take it.
    package var deliver: @Sendable (CapturedFrame, CVPixelBuffer, Route) -> Bool
    package var lose: @Sendable (LostFrame, Route) -> Void

    package init(
      queue: DispatchQueue, deliver: @escaping @Sendable (CapturedFrame, CVPixelBuffer, Route) -> Bool,
      lose: @escaping @Sendable (LostFrame, Route) -> Void
    ) {
      self.queue = queue
      self.deliver = deliver
      self.lose = lose
    }
  }

  private let conversionQueue = DispatchQueue(label: "obscura.frame-conversion", qos: .userInteractive)
  private let state = Locked(FrameQueue<Route>())

  /// A way that leads nowhere until ``setClient(_:)``.
  package init() {}

  /// What became of every frame until now.
  package var statistics: DeliveryStatistics {
    state.withLock { $0.statistics }
  }

  /// What happens to frames that come too fast; takes effect with the next frame.
  package var policy: FrameDeliveryPolicy {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  /// Replaces the client.
  ///
  /// No call to the old one begins after this returns; one may be under way.
  package func setClient(_ client: Client?) {
    // What is discarded dies outside the lock: a device's buffer goes back to its driver then.
    _ = state.withLock { state in
      state.client = client
      return state.discardAll()
    }
  }

  /// Throws away what waits without telling the client: the stream has ended.
  package func flush() {
    _ = state.withLock { $0.discardAll() }
  }

  /// Takes a frame of the device; on its reader thread.
  ///
  /// - Parameter conversion: How to make the client's picture, or `nil` when the device's own will do.
  package func offer(_ frame: CapturedFrame, over route: Route, conversion: Conversion?) {
    perform(
      state.withLock { state -> Turn? in
        guard state.admit() else { return nil }
        if let conversion {
          return turn(&state, replaced: state.pushIncoming(.raw(frame, conversion), route))
        } else if case .pixels(let pixels) = frame.picture {
          return turn(&state, replaced: push(.ready(frame, pixels), route, &state))
        } else {
          return turn(&state, replaced: push(.lost(LostFrame(frame, .discontinuity)), route, &state))
        }
      })
  }

  /// Takes the news that the device lost a frame; on its reader thread.
  package func offer(_ drop: DroppedFrame, over route: Route) {
    perform(
      state.withLock { state -> Turn? in
        guard state.admit() else { return nil }
        return turn(&state, replaced: push(.lost(LostFrame(drop)), route, &state))
      })
  }

  private func push(
    _ content: FrameQueue<Route>.Content, _ route: Route, _ state: inout FrameQueue<Route>
  ) -> FrameQueue<Route>.Content? {
    // Behind those that are still to be converted.
    state.hasIncoming ? state.pushIncoming(content, route) : state.pushOutgoing(content, route)
  }

  // MARK: Turns

  /// What follows a change of the queue, outside the lock: waking a thread under it makes that thread wait for it, and a
  /// frame that dies under it gives its buffer back to the driver there.
  private struct Turn {
    var replaced: FrameQueue<Route>.Content?
    /// Who is to be called, for what waits in which generation.
    var call: (client: Client, generation: Int)?
    var converts: Bool
  }

  private func turn(_ state: inout FrameQueue<Route>, replaced: FrameQueue<Route>.Content? = nil) -> Turn {
    var call: (client: Client, generation: Int)?
    if let client = state.client, state.beginCalls() { call = (client, state.generation) }
    return Turn(replaced: replaced, call: call, converts: state.beginConversion())
  }

  private func perform(_ turn: consuming Turn?) {
    guard let turn else { return }
    if let (client, generation) = turn.call {
      client.queue.async { [self] in call(client, generation) }
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
        content = .ready(frame, try conversion(frame))
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

  /// Tells the client what waits, up to and including one frame; on the client's queue.
  private func call(_ client: Client, _ generation: Int) {
    while let item = state.withLock({ $0.popOutgoing(generation) }) {
      // The item's token ends after everything is settled: a manual clock moves on at once.
      let isFrame = withExtendedLifetime(item) { tell(item, client, generation) }
      if isFrame { return }
    }
  }

  /// Makes one call of the client and settles it; returns whether it was a frame.
  private func tell(_ item: FrameQueue<Route>.Item, _ client: Client, _ generation: Int) -> Bool {
    switch item.content {
    case .lost(let frame):
      client.lose(frame, item.route)
      state.withLock { state in
        state.statistics.settle(frame.reason)
        state.endCall(generation)
      }
      return false
    case .ready(let frame, let pixels):
      let wasTaken = client.deliver(frame, pixels, item.route)
      perform(
        state.withLock { state in
          state.statistics.settle(wasTaken: wasTaken)
          state.endCall(generation)
          state.endCalls(generation)
          return turn(&state)
        })
      return true
    case .raw:
      preconditionFailure("Only converted frames go out.")
    }
  }
}
