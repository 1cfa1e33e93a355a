package import CaptureDevice
package import Dispatch
internal import FoundationExtras
internal import Linux

/// The way of samples from a device's reader thread to a client's queue: bounded, in order, every loss counted.
///
/// Two stages under one lock. *Preparing* makes the client's sample of the device's, on a queue of its own and only where that
/// is needed. *Calling* hands one sample after the other to the client, each in a block on the client's queue. The
/// ``LatePolicy`` says what happens to samples that come too fast.
///
/// Every sample carries its route. Once a route has ended, or the client was replaced, no call begins with a sample of it:
/// what is under way, in either stage, is dropped and counted as a discontinuity. A new client may take over what is not prepared yet.
///
/// Pictures of H.264 build on each other. Where one is lost that others build on, those up to the next key frame are lost as
/// well, as a discontinuity.
///
/// Thread-safe. ``offer(_:over:preparation:)`` never blocks and never calls out.
package final class DeliveryQueue<Sample: DeliverySample, Route: DeliveryRoute>: Sendable {
  /// Makes the client's sample of the device's, or throws why there is none; `nil` when there is nothing to call the client
  /// for.
  package typealias Preparation = @Sendable (Sample) throws(LostSample.Reason) -> Sample?

  /// The client that gets the samples; called on `queue`, one call at a time.
  package final class Client: Sendable {
    let queue: DispatchQueue
    let deliver: @Sendable (DeliveryCall<Sample, Route>) -> DeliveryOutcome
    let lose: (@Sendable (LostSample, Route) -> Void)?
    /// Ended when another client, or none, takes this one's place.
    fileprivate let lifetime = RouteLifetime()

    /// A client.
    ///
    /// - Parameters:
    ///   - deliver: Takes a sample; the last thing it does is ``DeliveryCall/begin(_:)``.
    ///   - lose: Takes the report of a lost sample; `nil` for a client that gets none.
    package init(
      queue: DispatchQueue, deliver: @escaping @Sendable (DeliveryCall<Sample, Route>) -> DeliveryOutcome,
      lose: (@Sendable (LostSample, Route) -> Void)? = nil
    ) {
      self.queue = queue
      self.deliver = deliver
      self.lose = lose
    }
  }

  private typealias Backlog = DeliveryBacklog<Sample, Route>

  private let preparationQueue: DispatchQueue
  private let state: Locked<Backlog>

  /// A way that leads nowhere until ``setClient(_:)``.
  package init(
    policy: LatePolicy = .dropWhileBusy,
    preparationQueue: DispatchQueue = DispatchQueue(label: "obscura.preparation", qos: .userInteractive)
  ) {
    self.preparationQueue = preparationQueue
    state = Locked(Backlog(policy: policy))
  }

  /// The counts of all samples until now.
  package var statistics: DeliveryStatistics { state.withLock { $0.statistics } }

  /// The policy for samples that come too fast; takes effect with the next sample.
  package var policy: LatePolicy {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  /// Replaces the client; no call to the old one begins after this returns, one may be under way.
  ///
  /// - Parameter takesOver: Whether the new client gets what waits for its preparation, or is in it. What was prepared for the old
  ///   one is dropped in either case.
  package func setClient(_ client: Client?, takesOver: Bool = false) {
    let old = state.withLock { $0.setClient(client, takesOver: takesOver) }
    old.client?.lifetime.end()
    withExtendedLifetime(old) {}
  }

  /// Drops what is under way.
  package func flush() {
    let discarded = state.withLock { $0.discardAll() }
    withExtendedLifetime(discarded) {}
  }

  // MARK: Samples, on the device's reader thread

  /// Takes a sample of the device.
  ///
  /// - Parameter preparation: How to make the client's sample, or `nil` when the device's own will do.
  package func offer(_ sample: Sample, over route: Route, preparation: Preparation? = nil) {
    push(preparation.map { .raw(sample, $0) } ?? .ready(sample), over: route)
  }

  /// Takes the report that the device lost a sample.
  package func offer(_ drop: DroppedFrame, over route: Route) {
    push(.lost(LostSample(drop)), over: route)
  }

  /// Counts a sample that the client has no use for, or that came over a route that is not the sink's any more.
  package func refuse(asDiscontinuity isDiscontinuity: Bool = false) {
    state.withLock { state in
      guard isDiscontinuity, state.client != nil else { return state.statistics.refuse() }
      state.statistics.admit()
      state.statistics.settle(.lost(.discontinuity))
    }
  }

  private func push(_ content: Backlog.Content, over route: Route) {
    let (work, isWanted) = state.withLock { state -> (Work?, Bool) in
      let isWanted = state.client != nil
      guard state.admit(over: route) else { return (nil, isWanted) }
      return (Work(&state, replaced: state.push(content, over: route)), isWanted)
    }
    perform(work)
    if !isWanted { route.noteDelivered(holding: content.inFlight) }
  }

  // MARK: Work that follows a change of the backlog

  /// Done outside the lock: who is woken under it would wait for it, and a sample that dies under it gives its buffer back to
  /// the driver there.
  private struct Work {
    var replaced: [Backlog.Content]
    var client: Client?
    var prepares: Bool

    init(_ state: inout Backlog, replaced: [Backlog.Content] = []) {
      self.replaced = replaced
      client = state.beginCalls()
      prepares = state.beginPreparation()
    }
  }

  private func perform(_ work: consuming Work?) {
    guard let work else { return }
    if let client = work.client { client.queue.async { [self] in call(client) } }
    if work.prepares { preparationQueue.async { [self] in prepareNext() } }
  }

  private func prepareNext() {
    let (next, generation) = state.withLock { ($0.popIncoming(), $0.generation) }
    guard let next else { return }
    var content: Backlog.Content? = next.content
    if case .raw(let sample, let preparation) = next.content, !next.route.isEnded {
      do throws(LostSample.Reason) {
        let hold = sample.inFlight.map(InFlight.Hold.init)
        content = try InFlight.run(under: hold) { () throws(LostSample.Reason) in try preparation(sample) }
          .map { .ready($0) }
      } catch {
        content = .lost(LostSample(sample, error))
      }
    }
    perform(
      state.withLock { state in
        Work(&state, replaced: state.endPreparation(of: next, content, begunIn: generation))
      })
    // The token ends after everything is settled: a manual clock moves on at once.
    withExtendedLifetime(next) {}
  }

  // MARK: Calls, on the client's queue

  /// Reports losses, then hands over one sample.
  private func call(_ client: Client) {
    while let item = state.withLock({ $0.popOutgoing(for: client) }) {
      // What the client asks for meanwhile is a part of the frame's event.
      let hold = item.content.inFlight.map(InFlight.Hold.init)
      var outcome = DeliveryOutcome.lost(.discontinuity)
      var isSample = true
      switch item.content {
      case .ready(let sample), .raw(let sample, _):
        let call = DeliveryCall(
          sample: sample, route: item.route, followsLoss: item.followsLoss, client: client.lifetime)
        if call.isValid { outcome = InFlight.run(under: hold) { client.deliver(call) } }
      case .lost(let lost):
        isSample = false
        outcome = .lost(lost.reason)
        if !item.route.isEnded, !client.lifetime.isEnded {
          InFlight.run(under: hold) { client.lose?(lost, item.route) }
        }
      }
      perform(
        state.withLock { state in
          state.endCall(of: client, outcome, endsBlock: isSample)
          return Work(&state)
        })
      if case .delivered = outcome { item.route.noteDelivered(holding: item.content.inFlight) }
      // The token ends after everything is settled: a manual clock moves on at once.
      withExtendedLifetime(item) {}
      if isSample { return }
    }
  }
}

/// A sample whose turn has come, on the client's queue.
package struct DeliveryCall<Sample: DeliverySample, Route: DeliveryRoute> {
  /// The sample to deliver.
  package let sample: Sample
  /// How it came.
  package let route: Route
  /// Whether samples were lost between the one before and this.
  package let followsLoss: Bool
  fileprivate let client: RouteLifetime

  fileprivate init(sample: Sample, route: Route, followsLoss: Bool, client: RouteLifetime) {
    self.sample = sample
    self.route = route
    self.followsLoss = followsLoss
    self.client = client
  }

  fileprivate var isValid: Bool { !route.isEnded && !client.isEnded }

  /// Calls the delegate in `body`, unless the route has ended or the delegate was replaced up to this very moment.
  package func begin(_ body: () -> Void) -> DeliveryOutcome {
    guard isValid else { return .lost(.discontinuity) }
    body()
    return .delivered
  }
}
