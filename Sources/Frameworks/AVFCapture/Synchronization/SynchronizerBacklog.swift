internal import CoreMedia

/// The items of several outputs that are delivered and not matched yet: a value without queues.
///
/// The first stream leads. Its oldest item is complete when every other stream has one of its time or later, or when the leader is
/// ``longestLead`` items ahead: a stream that has nothing to say must not hold up the others. An item goes with the leader's if
/// their times differ by no more than half the time between the leader's last two; the nearest one does. A leader's item that is
/// missing without a word does not make that time longer.
struct SynchronizerBacklog<Payload> {
  /// An item that a stream delivered.
  struct Item {
    var time: CMTime
    var payload: Payload
  }

  /// So many of the leader's items wait at most; each may hold a device's buffer.
  static var longestLead: Int { 3 }

  private var queues: [[Item]]
  /// The time of the leader's last item, and that from the one before to it.
  private var last: CMTime?
  private var gap = CMTime(value: 1, timescale: 30)
  private var isFirstGap = true

  /// A backlog of so many streams, at least one.
  init(streams: Int) {
    queues = Array(repeating: [], count: streams)
  }

  /// Takes an item; what is complete now, by stream: the leader's always, others' where they have one of that time.
  ///
  /// Items of a stream come in the order of their times; one that is older than what was handed out is left out.
  mutating func push(_ item: Item, from stream: Int) -> [[Item?]] {
    queues[stream].append(item)
    var complete: [[Item?]] = []
    while let head = queues[0].first, isComplete(head) { complete.append(take(head)) }
    // Nothing before the leader's last time can be matched any more.
    for index in queues.indices.dropFirst() {
      if let last { queues[index].removeAll { $0.time < last } }
      queues[index].removeFirst(max(0, queues[index].count - 64))
    }
    return complete
  }

  private func isComplete(_ head: Item) -> Bool {
    queues[0].count > Self.longestLead
      || queues.dropFirst().allSatisfy { ($0.last?.time ?? .negativeInfinity) >= head.time }
  }

  private mutating func take(_ head: Item) -> [Item?] {
    queues[0].removeFirst()
    var interval = gap
    if let last, head.time > last {
      gap = head.time - last
      // A gap half as long again is a lost item, unless the next one is as long: then the leader has become slower.
      if CMTimeMultiplyByRatio(interval, multiplier: 3, divisor: 2) > gap || isFirstGap { interval = gap }
      isFirstGap = false
    }
    last = head.time
    let reach = CMTimeMultiplyByRatio(interval, multiplier: 1, divisor: 2)
    var found: [Item?] = [head]
    for index in queues.indices.dropFirst() {
      func distance(_ item: Item) -> CMTime { CMTimeAbsoluteValue(item.time - head.time) }
      let near = queues[index].indices.min {
        distance(queues[index][$0]) < distance(queues[index][$1])
      }
      guard let near, distance(queues[index][near]) <= reach else {
        found.append(nil)
        continue
      }
      found.append(queues[index][near])
      queues[index].removeFirst(near + 1)
    }
    return found
  }
}
