internal import CaptureDevice
internal import CoreVideo

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
struct FrameQueue<Route: AnyObject & Sendable> {
  enum Content {
    case raw(CapturedFrame, FrameDelivery<Route>.Conversion)
    case ready(CapturedFrame, CVPixelBuffer)
    case lost(LostFrame)
  }

  struct Item {
    var content: Content
    var route: Route
  }

  var client: FrameDelivery<Route>.Client?
  var policy = FrameDeliveryPolicy.newest
  var statistics = DeliveryStatistics()
  /// Grows when everything that waits has lost its meaning; work of an older generation changes nothing any more.
  private(set) var generation = 0
  /// Waits for the conversion, oldest first.
  private var incoming: [Item] = []
  /// Waits for the client's queue, oldest first.
  private var outgoing: [Item] = []
  private var framesOut = 0
  private var isConverting = false
  private var isScheduled = false
  private var isCalling = false

  /// More converted frames wait longer for a slow client, and cost memory that the device does not count.
  private static var convertedLimit: Int { 4 }
  /// More losses than these shall not pile up before a client that is blocked for good; the others are only counted.
  private static var waitingLimit: Int { 256 }

  init() {
    // Room for what ordinary clients cause, so that a reader thread does not grow the arrays.
    incoming.reserveCapacity(16)
    outgoing.reserveCapacity(16)
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

  mutating func pushIncoming(_ content: Content, _ route: Route) -> Content? {
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

  mutating func pushOutgoing(_ content: Content, _ route: Route) -> Content? {
    var content = content
    var replaced: Content?
    if policy == .newest, case .ready(let frame, _) = content {
      if isCalling {
        replaced = content
        content = .lost(LostFrame(frame, .late))
      } else {
        replaced = makeLate(&outgoing)
        if replaced != nil { framesOut -= 1 }
      }
    }
    if case .lost(let frame) = content, outgoing.count >= Self.waitingLimit {
      statistics.settle(frame.reason)
      return replaced ?? content
    }
    if case .ready = content { framesOut += 1 }
    outgoing.append(Item(content: content, route: route))
    return replaced
  }

  /// Whether the caller shall enqueue a call of the client now.
  mutating func beginCalls() -> Bool {
    guard !isScheduled, !outgoing.isEmpty else { return false }
    isScheduled = true
    return true
  }

  /// The next thing to tell; `nil` ends the calls of this turn.
  mutating func popOutgoing(_ generation: Int) -> Item? {
    guard generation == self.generation else { return nil }
    guard !outgoing.isEmpty else {
      isScheduled = false
      return nil
    }
    let item = outgoing.removeFirst()
    if case .ready = item.content { framesOut -= 1 }
    isCalling = true
    return item
  }

  mutating func endCall(_ generation: Int) {
    if generation == self.generation { isCalling = false }
  }

  mutating func endCalls(_ generation: Int) {
    if generation == self.generation { isScheduled = false }
  }

  /// Forgets everything that waits and starts a new generation.
  mutating func discardAll() -> [Item] {
    let items = incoming + outgoing
    statistics.pending -= items.count
    statistics.unwanted += items.count
    incoming.removeAll(keepingCapacity: true)
    outgoing.removeAll(keepingCapacity: true)
    framesOut = 0
    generation += 1
    isScheduled = false
    isCalling = false
    return items
  }

  /// Turns the frame that waits in `items` into a late one; there is at most one under ``FrameDeliveryPolicy/newest``.
  private func makeLate(_ items: inout [Item]) -> Content? {
    for index in items.indices {
      switch items[index].content {
      case .raw(let frame, _), .ready(let frame, _):
        let replaced = items[index].content
        items[index].content = .lost(LostFrame(frame, .late))
        return replaced
      case .lost: continue
      }
    }
    return nil
  }
}
