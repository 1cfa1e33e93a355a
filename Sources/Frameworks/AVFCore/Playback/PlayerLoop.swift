internal import CoreMedia
internal import FoundationExtras
internal import Linux

/// The loop that a player plays for a looper, which holds the items: counts the copies that have ended.
///
/// Thread-safe.
final class PlayerLoop: Sendable {
  let begin: CMTime
  let changed = Hook<Int>()
  private let items: Set<ObjectIdentifier>
  private let state = Locked((count: 0, isEnded: false))

  init(_ items: Set<ObjectIdentifier>, begin: CMTime) {
    self.items = items
    self.begin = begin
  }

  var count: Int { state.withLock { $0.count } }
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Whether an item is one of its copies.
  func contains(_ item: AnyObject) -> Bool { items.contains(ObjectIdentifier(item)) }

  /// Counts a copy that has been played to its end.
  func countOne() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// Ends it; `false` when it has ended before.
  func end() -> Bool {
    state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
  }
}
