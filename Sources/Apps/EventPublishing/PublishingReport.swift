/// A word of publishing about itself; each once until it changes.
package enum PublishingReport: Sendable, Hashable {
  /// The broker takes events; so many had waited for it.
  case connected(waiting: Int)
  /// The broker is away, or refuses us, for a reason that is a part of a sentence. It is tried again.
  case away(String)
  /// So many events were dropped so far, because they were more than are kept.
  case dropped(Int)
  /// An event cannot be kept on the disk, for a reason that is a sentence: a kill would lose it.
  case notKept(String)
}
