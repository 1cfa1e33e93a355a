/// The queue of notifications for a session's clients, oldest first; one thread at a time delivers it.
struct SessionOutbox {
  typealias News = @Sendable () -> Void

  private var news: [News] = []
  private var isDelivering = false

  mutating func add(_ newer: [News]) { news += newer }
  mutating func addFirst(_ first: [News]) { news = first + news }

  /// The notifications that are due, for the caller to deliver; `nil` when there are none, or another thread delivers and takes them too.
  mutating func beginDelivery() -> [News]? {
    guard !isDelivering, !news.isEmpty else { return nil }
    isDelivering = true
    defer { news = [] }
    return news
  }

  mutating func endDelivery() { isDelivering = false }
}
