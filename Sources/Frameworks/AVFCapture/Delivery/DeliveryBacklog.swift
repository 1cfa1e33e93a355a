internal import CaptureDevice
internal import FoundationExtras

/// The backlog of a ``DeliveryQueue``: the samples that wait, and the state of its work; under its lock.
///
/// Methods that replace or remove samples return them: the caller lets them die outside the lock, where its buffer goes back to
/// the driver.
struct DeliveryBacklog<Sample: DeliverySample, Route: DeliveryRoute> {
  typealias Client = DeliveryQueue<Sample, Route>.Client
  typealias Preparation = DeliveryQueue<Sample, Route>.Preparation

  enum Content {
    /// To be prepared.
    case raw(Sample, Preparation)
    /// To be handed to the client.
    case ready(Sample)
    /// To be reported to the client.
    case lost(LostSample)

    /// The sample's ``CapturedFrame/inFlight``; a lost one's is held elsewhere.
    var inFlight: (any AnyObject & Sendable)? {
      switch self {
      case .raw(let sample, _), .ready(let sample): sample.inFlight
      case .lost: nil
      }
    }
  }

  struct Item {
    var content: Content
    let route: Route
    /// Whether samples were lost between the one before and this.
    var followsLoss = false
  }

  /// Named instead of a key path: a generic type builds its key paths anew for each frame, which `delivery.cpu` shows.
  private enum Line { case incoming, outgoing }

  var client: Client?
  var policy: LatePolicy
  var statistics = DeliveryStatistics()
  /// Grows when everything that is under way has lost its meaning.
  private(set) var generation = 0
  /// Waits for the preparation, oldest first.
  private var incoming: [Item] = []
  /// Waits for the client's queue, oldest first.
  private var outgoing: [Item] = []
  private var isPreparing = false
  /// Whether a block for the client was enqueued that has not run dry.
  private var isScheduled = false
  private var isCalling = false
  /// Samples were lost, and none that waits says so yet.
  private var isLossDue = false
  /// Which coded pictures the client can decode.
  private var chain = CodedChain()

  /// More prepared samples would wait longer for a slow client, and cost memory that the device does not count.
  private static var preparedLimit: Int { 4 }
  /// More losses are not reported to a client that is blocked for good, but only counted.
  private static var reportLimit: Int { 256 }

  init(policy: LatePolicy) {
    self.policy = policy
  }

  /// Counts a sample in; `false` when it goes no further.
  mutating func admit(over route: Route) -> Bool {
    guard client != nil else {
      statistics.refuse()
      return false
    }
    statistics.admit()
    // Asked once: another thread may end the route in between.
    let isEnded = route.isEnded
    if isEnded { statistics.settle(.lost(.discontinuity)) }
    return !isEnded
  }

  // MARK: In

  /// Whether something waits for the preparation or is in it.
  var hasIncoming: Bool { isPreparing || !incoming.isEmpty }

  mutating func push(_ content: Content, over route: Route) -> [Content] {
    if case .raw = content { return pushIncoming(content, route) }
    // Behind those that are still to be prepared.
    return hasIncoming ? pushIncoming(content, route) : pushOutgoing(content, route)
  }

  private mutating func pushIncoming(_ content: Content, _ route: Route) -> [Content] {
    var replaced: [Content] = []
    if policy.replacesOlder, case .raw = content { replaced = makeLate(.incoming) }
    append(content, route, to: .incoming)
    return replaced
  }

  /// Whether the caller shall begin to prepare samples.
  mutating func beginPreparation() -> Bool {
    guard !isPreparing, !incoming.isEmpty else { return false }
    guard policy.replacesOlder || outgoing.count(where: { $0.isSample }) < Self.preparedLimit else {
      return false
    }
    isPreparing = true
    return true
  }

  /// The next item to prepare; `nil` ends the preparation.
  mutating func popIncoming() -> Item? {
    isPreparing = !incoming.isEmpty
    return incoming.isEmpty ? nil : incoming.removeFirst()
  }

  /// Takes what became of the item that was being prepared; `content` is `nil` when the client is not to be called for it.
  mutating func endPreparation(of item: Item, _ content: Content?, begunIn generation: Int) -> [Content] {
    isPreparing = false
    guard generation == self.generation, !item.route.isEnded else {
      statistics.settle(.lost(.discontinuity))
      return content.map { [$0] } ?? []
    }
    guard let content else {
      statistics.settle(.delivered)
      return []
    }
    return pushOutgoing(content, item.route)
  }

  private mutating func pushOutgoing(_ content: Content, _ route: Route) -> [Content] {
    guard case .ready(let sample) = content else {
      append(content, route, to: .outgoing)
      return []
    }
    if let picture = sample.codedPicture {
      let reason = loss(of: picture, sample.sequence)
      append(reason.map { .lost(LostSample(sample, $0)) } ?? content, route, to: .outgoing)
      return reason == nil ? [] : [content]
    }
    if policy == .dropWhileBusy, isCalling {
      append(.lost(LostSample(sample, .late)), route, to: .outgoing)
      return [content]
    }
    var replaced: [Content] = []
    if policy.replacesOlder {
      if let older = outgoing.firstResult({ $0.sample }), !sample.replaces(older) {
        statistics.settle(.delivered)
        return [content]
      }
      replaced = makeLate(.outgoing)
    }
    append(content, route, to: .outgoing)
    if case .keepLatest(let limit) = policy { replaced = dropOldest(beyond: limit) }
    return replaced
  }

  /// Why a coded picture does not go to the client; `nil` when it does.
  ///
  /// What waits is never replaced by what is newer and builds on it.
  private mutating func loss(of picture: CodedPicture, _ sequence: UInt32) -> LostSample.Reason? {
    guard chain.accepts(isKeyFrame: picture.isKeyFrame, sequence) else { return .discontinuity }
    guard policy.replacesOlder, isCalling || outgoing.contains(where: { $0.isSample }) else { return nil }
    chain.lose(isReference: picture.isReference)
    return .late
  }

  private mutating func change<Result>(_ line: Line, _ change: (inout [Item]) -> Result) -> Result {
    switch line {
    case .incoming: change(&incoming)
    case .outgoing: change(&outgoing)
    }
  }

  private mutating func append(_ content: Content, _ route: Route, to line: Line) {
    if case .lost(let lost) = content,
      client?.lose == nil || change(line, { $0.count }) >= Self.reportLimit
    {
      statistics.settle(.lost(lost.reason))
      isLossDue = true
      return
    }
    var item = Item(content: content, route: route)
    if item.isSample {
      item.followsLoss = isLossDue
      isLossDue = false
    }
    change(line) { $0.append(item) }
  }

  /// Turns the sample that waits in `line` into a late one; there is at most one where newer samples replace older ones.
  private mutating func makeLate(_ line: Line) -> [Content] {
    let isReported = client?.lose != nil
    let late = change(line) { items -> (item: Item, reason: LostSample.Reason)? in
      guard let index = items.firstIndex(where: { $0.isSample }), let sample = items[index].sample else {
        return nil
      }
      let item = items[index]
      let reason: LostSample.Reason = item.route.isEnded ? .discontinuity : .late
      if isReported {
        items[index].content = .lost(LostSample(sample, reason))
      } else {
        items.remove(at: index)
      }
      return (item, reason)
    }
    guard let late else { return [] }
    if !isReported {
      statistics.settle(.lost(late.reason))
      isLossDue = true
    }
    return [late.item.content]
  }

  /// Takes away the oldest sample while more than `limit` waits, and marks the one after it.
  private mutating func dropOldest(beyond limit: Int64) -> [Content] {
    var waiting = outgoing.reduce(0) { $0 + ($1.sample?.durationNanoseconds ?? 0) }
    var dropped: [Content] = []
    while waiting > limit, outgoing.count > 1 {
      let item = outgoing.removeFirst()
      waiting -= item.sample?.durationNanoseconds ?? 0
      statistics.settle(.lost(.late))
      outgoing[0].followsLoss = true
      dropped.append(item.content)
    }
    return dropped
  }

  // MARK: Out

  /// The client, if a block for it shall be enqueued on its queue.
  mutating func beginCalls() -> Client? {
    guard !isScheduled, !outgoing.isEmpty, let client else { return nil }
    isScheduled = true
    return client
  }

  /// The next item for `client`; `nil` ends the calls of this block.
  mutating func popOutgoing(for client: Client) -> Item? {
    guard self.client === client else { return nil }
    guard !outgoing.isEmpty else {
      isScheduled = false
      return nil
    }
    isCalling = true
    return outgoing.removeFirst()
  }

  /// Settles what `client` was called with.
  ///
  /// - Parameter endsBlock: Whether the next call is a block of its own, so that a client's queue serves others in between.
  mutating func endCall(of client: Client, _ outcome: DeliveryOutcome, endsBlock: Bool) {
    statistics.settle(outcome)
    guard self.client === client else { return }
    isCalling = false
    if endsBlock { isScheduled = false }
    if case .lost = outcome {
      if let next = outgoing.firstIndex(where: { $0.isSample }) {
        outgoing[next].followsLoss = true
      } else {
        isLossDue = true
      }
    }
  }

  /// Forgets everything that is under way; what is returned dies outside the lock.
  mutating func discardAll() -> [Item] {
    defer {
      incoming = []
      generation += 1
    }
    for _ in incoming { statistics.settle(.lost(.discontinuity)) }
    return incoming + discardPrepared()
  }

  /// Forgets what waits for the client's queue.
  private mutating func discardPrepared() -> [Item] {
    defer { outgoing = [] }
    for _ in outgoing { statistics.settle(.lost(.discontinuity)) }
    isLossDue = false
    chain.breakOff()
    return outgoing
  }

  /// Replaces the client; what is returned dies outside the lock.
  ///
  /// - Parameter takesOver: Whether the new client gets what waits for its preparation or is in it.
  mutating func setClient(_ client: Client?, takesOver: Bool) -> (items: [Item], client: Client?) {
    defer {
      self.client = client
      // A block for the old one finds that it is not the client any more.
      isScheduled = false
      isCalling = false
    }
    return (takesOver && client != nil ? discardPrepared() : discardAll(), self.client)
  }
}

extension DeliveryBacklog.Item {
  /// The sample, prepared or not; `nil` for a loss.
  fileprivate var sample: Sample? {
    switch content {
    case .raw(let sample, _), .ready(let sample): sample
    case .lost: nil
    }
  }

  fileprivate var isSample: Bool {
    if case .lost = content { false } else { true }
  }
}
