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
  /// The time of the leader's last item.
  private var last: CMTime?
  /// The usual time between the leader's items; `nil` before the second.
  private var usual: CMTime?
  /// Whether the last time between them was much longer.
  private var wasLong = false

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

  /// The time from the leader's item before to this one, or the usual one where an item between them is missing.
  private mutating func interval(before head: Item) -> CMTime {
    guard let last, head.time > last else { return usual ?? CMTime(value: 1, timescale: 30) }
    let gap = head.time - last
    guard let now = usual else {
      usual = gap
      return gap
    }
    let isLong = gap > CMTimeMultiplyByRatio(now, multiplier: 7, divisor: 4)
    if isLong, !wasLong {
      wasLong = true
      return now
    }
    // Long once more: the leader has become slower.
    usual = isLong ? gap : now + CMTimeMultiplyByRatio(gap - now, multiplier: 1, divisor: 4)
    wasLong = false
    return gap
  }

  private mutating func take(_ head: Item) -> [Item?] {
    queues[0].removeFirst()
    let reach = CMTimeMultiplyByRatio(interval(before: head), multiplier: 1, divisor: 2)
    last = head.time
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
