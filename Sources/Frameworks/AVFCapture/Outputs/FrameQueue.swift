internal import CaptureDevice

/// What to do with frames that come faster than the client takes them.
package enum FrameDeliveryPolicy: Sendable {
  /// Frames that come while the client is busy are late and dropped.
  case newest
  /// Frames wait until the device has no buffers left.
  case all
}

/// What waits on a ``FrameDelivery``, and who works on it; under its lock.
///
/// Methods that replace or remove a frame return it: the caller lets it die outside the lock.
struct FrameQueue {
  enum Content {
    case raw(CapturedFrame, FrameDelivery.Conversion)
    case ready(ReadyFrame)
    case coded(CapturedFrame)
    case lost(LostFrame)
  }

  struct Item {
    var content: Content
    var route: any DeliveryRoute
  }

  /// A frame that was taken at once, and the way that it came.
  struct NextFrame {
    var frame: ReadyFrame
    var route: any DeliveryRoute
  }

  var client: FrameDelivery.Client?
  var policy = FrameDeliveryPolicy.newest
  var statistics = DeliveryStatistics()
  /// Grows when everything that waits has lost its meaning; work of an older generation changes nothing any more.
  private(set) var generation = 0
  /// Waits for the conversion, oldest first.
  private var incoming: [Item] = []
  /// Waits for the client's queue, oldest first.
  private var outgoing: [Item] = []
  /// Waits for the client's queue, before all others; apart from them, because so it passes no code of arrays.
  private var next: NextFrame?
  private var framesOut = 0
  private var isConverting = false
  private var turn = CallTurn.none
  private var isCalling = false
  private var callsOnQueue = 0
  /// Who takes the turns of this generation, where that is not blocks on the client's queue.
  private(set) var caller: DeliveryCaller?
  /// Which frames of H.264 the client can decode; behind what every frame touches.
  private var chain = CodedChain()

  /// Where a turn of calls stands.
  enum CallTurn {
    /// Nothing is to be told.
    case none
    /// Something is to be told; a block for it was enqueued, or the thread shall take it.
    case due
    /// The thread is on its way to the client's queue, or on it.
    case taken
  }

  /// More converted frames wait longer for a slow client, and cost memory that the device does not count.
  private static var convertedLimit: Int { 4 }
  /// A queue that came around so often in one run will do so again: it is neither suspended nor one that nobody drains.
  private static var provingCalls: Int { 3 }
  /// More losses than these shall not pile up before a client that is blocked for good; the others are only counted.
  private static var waitingLimit: Int { 256 }

  init() {
    // Room for what ordinary clients cause, so that a reader thread does not grow the arrays.
    incoming.reserveCapacity(16)
    outgoing.reserveCapacity(16)
  }

  /// Takes the usual frame, one that the client's thread can tell at once, and returns whom to wake.
  ///
  /// `nil` when it is not that simple; nothing has happened then.
  @inline(__always)
  mutating func takeAtOnce(_ frame: ReadyFrame, over route: any DeliveryRoute) -> DeliveryCaller? {
    guard let caller, turn == .none, !isCalling, next == nil, outgoing.isEmpty, !hasIncoming else {
      return nil
    }
    statistics.captured += 1
    statistics.pending += 1
    framesOut += 1
    next = NextFrame(frame: frame, route: route)
    turn = .due
    return caller
  }

  /// Counts a frame in; `false` when nobody wants it.
  mutating func admit() -> Bool {
    statistics.captured += 1
    guard client != nil else {
      statistics.unwanted += 1
      return false
    }
    statistics.pending += 1
    return true
  }

  /// Whether something waits for the conversion or is in it.
  var hasIncoming: Bool { isConverting || !incoming.isEmpty }

  mutating func pushIncoming(_ content: Content, _ route: any DeliveryRoute) -> Content? {
    var replaced: Content?
    if policy == .newest, case .raw = content {
      replaced = makeLate(&incoming)
    }
    if case .lost(let frame) = content, incoming.count >= Self.waitingLimit {
      statistics.settle(frame.reason)
      return content
    }
    incoming.append(Item(content: content, route: route))
    return replaced
  }

  /// Whether the caller shall start to convert now.
  mutating func beginConversion() -> Bool {
    guard !isConverting, !incoming.isEmpty, policy == .newest || framesOut < Self.convertedLimit else {
      return false
    }
    isConverting = true
    return true
  }

  mutating func popIncoming() -> Item? {
    guard !incoming.isEmpty else {
      isConverting = false
      return nil
    }
    return incoming.removeFirst()
  }

  mutating func endConversion() {
    isConverting = false
  }

  mutating func pushOutgoing(_ content: Content, _ route: any DeliveryRoute) -> Content? {
    lineUpNext()
    var content = content
    var replaced: Content?
    if policy == .newest, case .ready(let frame) = content {
      if isCalling {
        replaced = content
        content = .lost(LostFrame(late: frame))
      } else {
        replaced = makeLate(&outgoing)
        if replaced != nil { framesOut -= 1 }
      }
    }
    if case .coded(let frame) = content, let reason = loss(of: frame) {
      replaced = content
      content = .lost(LostFrame(frame, reason))
    }
    if case .lost(let frame) = content, outgoing.count >= Self.waitingLimit {
      statistics.settle(frame.reason)
      return replaced ?? content
    }
    if content.isFrame { framesOut += 1 }
    outgoing.append(Item(content: content, route: route))
    return replaced
  }

  /// Why a frame of H.264 does not go to the client; `nil` when it does.
  ///
  /// What waits is never replaced by what is newer and builds on it.
  private mutating func loss(of frame: CapturedFrame) -> LostFrame.Reason? {
    guard let picture = frame.content.coded, chain.accepts(isKeyFrame: picture.isKeyFrame, frame.sequence)
    else {
      return .discontinuity
    }
    guard policy == .newest, isCalling || outgoing.contains(where: \.content.isFrame) else { return nil }
    chain.lose(isReference: picture.isReference)
    return .late
  }

  /// Makes a turn due if there is something to tell; `true` when the caller shall enqueue it on the client's queue, or
  /// wake the thread.
  mutating func beginCalls() -> Bool {
    guard turn == .none, !outgoing.isEmpty || next != nil else { return false }
    turn = .due
    return true
  }

  /// Whether a turn waits for the caller's thread; `nil` when it shall end.
  func isTurnDue(_ generation: Int) -> Bool? {
    generation == self.generation ? turn == .due : nil
  }

  /// Whether the caller takes a turn now.
  @inline(__always)
  mutating func takeTurn(_ generation: Int) -> Bool {
    guard generation == self.generation, turn == .due else { return false }
    turn = .taken
    return true
  }

  /// Who takes the turns from now on, if it is time for that; whoever asks shall start its thread.
  mutating func beginCaller(_ generation: Int, _ make: () -> DeliveryCaller) -> DeliveryCaller? {
    guard generation == self.generation, caller == nil else { return nil }
    callsOnQueue += 1
    guard callsOnQueue >= Self.provingCalls else { return nil }
    caller = make()
    return caller
  }

  /// There is no thread after all; a turn that waits for it has to be made due again.
  mutating func giveUpThread(_ generation: Int) {
    guard generation == self.generation else { return }
    caller = nil
    // So many calls later it is tried again.
    callsOnQueue = -100
    if turn == .due { turn = .none }
  }

  /// The frame to tell that was taken at once, if there is one.
  @inline(__always)
  mutating func popNext(_ generation: Int) -> NextFrame? {
    guard generation == self.generation, let frame = next.take() else { return nil }
    framesOut -= 1
    isCalling = true
    return frame
  }

  /// The next thing to tell; `nil` ends the calls of this turn.
  mutating func popOutgoing(_ generation: Int) -> Item? {
    guard generation == self.generation else { return nil }
    lineUpNext()
    guard !outgoing.isEmpty else {
      turn = .none
      return nil
    }
    let item = outgoing.count == 1 ? outgoing.removeLast() : outgoing.removeFirst()
    if item.content.isFrame { framesOut -= 1 }
    isCalling = true
    return item
  }

  mutating func endCall(_ generation: Int) {
    if generation == self.generation { isCalling = false }
  }

  /// Lets the frame that was taken at once wait as the others do, before them.
  private mutating func lineUpNext() {
    guard let first = next.take() else { return }
    outgoing.insert(Item(content: .ready(first.frame), route: first.route), at: 0)
  }

  /// Settles a frame that the client was told of; `true` when that was all there is to do.
  @inline(__always)
  mutating func endFrame(_ generation: Int, wasTaken: Bool) -> Bool {
    statistics.settle(wasTaken: wasTaken)
    guard generation == self.generation else { return false }
    isCalling = false
    turn = .none
    return next == nil && outgoing.isEmpty && incoming.isEmpty
  }

  /// Forgets everything that waits and starts a new generation; the caller of the old one is to be woken.
  mutating func discardAll() -> (items: [Item], caller: DeliveryCaller?) {
    lineUpNext()
    let items = incoming + outgoing
    statistics.pending -= items.count
    statistics.unwanted += items.count
    incoming.removeAll(keepingCapacity: true)
    outgoing.removeAll(keepingCapacity: true)
    framesOut = 0
    chain.breakOff()
    generation += 1
    turn = .none
    isCalling = false
    callsOnQueue = 0
    defer { caller = nil }
    return (items, caller)
  }

  /// Turns the frame that waits in `items` into a late one; there is at most one under ``FrameDeliveryPolicy/newest``.
  private func makeLate(_ items: inout [Item]) -> Content? {
    for index in items.indices {
      switch items[index].content {
      case .raw(let frame, _):
        let replaced = items[index].content
        items[index].content = .lost(LostFrame(frame, .late))
        return replaced
      case .ready(let frame):
        let replaced = items[index].content
        items[index].content = .lost(LostFrame(late: frame))
        return replaced
      case .coded, .lost: continue
      }
    }
    return nil
  }
}

extension FrameQueue.Content {
  /// Whether it is a frame in the client's form.
  fileprivate var isFrame: Bool {
    switch self {
    case .ready, .coded: true
    case .raw, .lost: false
    }
  }
}
