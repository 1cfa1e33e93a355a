/// What clients are to be notified of, oldest first; one thread at a time delivers it.
struct SessionOutbox {
  typealias News = @Sendable () -> Void

  private var news: [News] = []
  private var isDelivering = false

  mutating func add(_ newer: [News]) { news += newer }
  mutating func addFirst(_ first: [News]) { news = first + news }

  /// What is due, for the caller to deliver; `nil` when there is none, or another thread delivers and takes it too.
  mutating func beginDelivery() -> [News]? {
    guard !isDelivering, !news.isEmpty else { return nil }
    isDelivering = true
    defer { news = [] }
    return news
  }

  mutating func endDelivery() { isDelivering = false }
}
