/// Pauses between tries, each twice as long as the one before.
package struct GrowingPauses: Sendable, Hashable {
  private let first: Int64
  private let longest: Int64
  private var current: Int64

  /// Pauses from half a second to a minute, unless others are named.
  package init(
    firstNanoseconds first: Int64 = 500_000_000, longestNanoseconds longest: Int64 = 60_000_000_000
  ) {
    (self.first, self.longest, current) = (first, longest, first)
  }

  /// The next pause, in nanoseconds.
  package mutating func next() -> Int64 {
    defer { current = min(2 * current, longest) }
    return current
  }

  /// Begins with the first one again: a try has succeeded.
  package mutating func reset() { current = first }
}
