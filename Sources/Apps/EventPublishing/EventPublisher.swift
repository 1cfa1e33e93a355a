internal import Foundation
internal import Linux

/// Publishes events to a broker in their order, each at least once, and keeps them on the disk until the broker has them.
///
/// One thread does all that concerns the network: it connects, again after growing pauses, sends, and hears acknowledgements, so that
/// none can come before the number is noted that it is for. ``publish(_:_:)`` waits for the disk alone. Thread-safe.
package final class EventPublisher: Sendable {
  /// The choices of a publisher.
  package struct Settings: Sendable {
    package var address: BrokerAddress
    /// The folder of events that wait.
    package var folder: String
    /// How many events are kept while the broker is away; beyond that the oldest are dropped.
    package var capacity = 10_000
    /// The pauses between tries to connect.
    package var pauses = GrowingPauses()
    /// Sent with each connection.
    package var announcements: [Announcement] = []

    package init(_ address: BrokerAddress, folder: String) {
      self.address = address
      self.folder = folder
    }
  }

  /// The counts at the end.
  package struct Ending: Sendable, Hashable {
    /// Events that wait for the next run.
    package var waiting: Int
    /// Events that were dropped for want of room.
    package var dropped: Int

    package init(waiting: Int, dropped: Int) {
      (self.waiting, self.dropped) = (waiting, dropped)
    }
  }

  private struct State {
    var queue: EventQueue
    var link: (any BrokerLink)?
    /// Whether the thread is to end as soon as nothing waits.
    var isClosing = false
    /// Whether it is to end at once.
    var isAbandoned = false
    var hasEnded = false
    /// What was said last of the broker's absence.
    var lastReason: String?
    var hasSaidDrop = false
    var hasSaidDisk = false

    /// Whether nothing is left to be done for a publisher that is closed.
    var isDone: Bool { isClosing && queue.events.isEmpty }
  }

  /// A broker that has not answered for so long is away.
  private static let answerNanoseconds: Int64 = 20_000_000_000
  /// A connection that has lasted so long is a steady one.
  private static let steadyNanoseconds: Int64 = 10_000_000_000
  /// A step that nothing ends ends after so long.
  private static let idleNanoseconds: Int64 = 60_000_000_000

  private let settings: Settings
  private let store: EventStore
  private let makeLink: @Sendable () throws(PublishingError) -> any BrokerLink
  private let report: @Sendable (PublishingReport) -> Void
  private let state: Monitor<State>

  /// Opens the folder and begins to connect.
  ///
  /// - Parameters:
  ///   - makeLink: Makes a connection that is not opened yet, for each try; called on the publisher's thread.
  ///   - report: Hears what people should know; called on any thread.
  /// - Throws: ``PublishingError`` where the folder cannot be used, or there is no thread left.
  package init(
    _ settings: Settings, makeLink: @escaping @Sendable () throws(PublishingError) -> any BrokerLink,
    report: @escaping @Sendable (PublishingReport) -> Void
  ) throws(PublishingError) {
    self.settings = settings
    self.makeLink = makeLink
    self.report = report
    store = try EventStore(settings.folder)
    var queue = EventQueue(store.events(), capacity: settings.capacity)
    store.forget(queue.trim())
    state = Monitor(State(queue: queue))
    do {
      _ = try ReaderThread(name: "obscura-events") { [self] in run() }
    } catch {
      throw PublishingError(error.description)
    }
  }

  /// The number of events that wait for the broker.
  package var waitingCount: Int { state.withLock { $0.queue.events.count } }

  /// Takes an event; it is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - subject: The word below the topic.
  ///   - payload: What is sent as it is.
  package func publish(_ subject: String, _ payload: [UInt8]) {
    // Kept in order: the disk is asked outside of the lock, and the number decides.
    let (event, dropped, total, isFirstDrop) = state.withLock { state in
      let (event, dropped) = state.queue.add(subject, payload)
      let isFirst = !dropped.isEmpty && !state.hasSaidDrop
      if isFirst { state.hasSaidDrop = true }
      return (event, dropped, state.queue.droppedCount, isFirst)
    }
    do {
      try store.keep(event)
      state.withLock { $0.hasSaidDisk = false }
    } catch {
      let isNews = state.withLock { state in
        defer { state.hasSaidDisk = true }
        return !state.hasSaidDisk
      }
      if isNews { report(.notKept(error.description)) }
    }
    store.forget(dropped)
    // The broker may have it already: then it is not kept again.
    if !state.withLock({ state in state.queue.events.contains { $0.number == event.number } }) {
      store.forget([event.number])
    }
    if isFirstDrop { report(.dropped(total)) }
    state.withLock { $0.link }?.wake()
  }

  /// Waits until the broker has every event, or the time is up, and ends; events that still wait are sent by the next run.
  ///
  /// The broker is told that nothing comes any more, where it is there. A second call returns at once.
  ///
  /// - Parameter seconds: How long to wait at most.
  @discardableResult
  package func close(waiting seconds: Double) -> Ending {
    let deadline = MonotonicInstant.now.advanced(bySeconds: seconds)
    let link = state.withLock { state in
      state.isClosing = true
      return state.link
    }
    link?.wake()
    // Each acknowledgement and the end itself change the state, and wake this.
    if state.wait(until: deadline, for: { $0.hasEnded }, then: { _ in true }) == nil {
      let link = state.withLock { state in
        state.isAbandoned = true
        return state.link
      }
      link?.wake()
      // The thread may wait for the network for minutes still, and writes nothing there.
      store.release()
    }
    return state.withLock { Ending(waiting: $0.queue.events.count, dropped: $0.queue.droppedCount) }
  }

  /// Ends at once, without a word to the broker.
  package func abandon() { close(waiting: 0) }

  // MARK: The thread

  private func run() {
    var pauses = settings.pauses
    while true {
      var welcome: MonotonicInstant?
      do {
        try connectAndServe { welcome = .now }
        break
      } catch {
        sayAway(error.description)
      }
      // One that welcomes us and hangs up again and again is not asked, nor spoken of, more often.
      if let welcome, MonotonicInstant.now > welcome.advanced(byNanoseconds: Self.steadyNanoseconds) {
        pauses.reset()
      }
      let end = MonotonicInstant.now.advanced(byNanoseconds: pauses.next())
      let isOver = state.wait(until: end, for: { $0.isAbandoned || $0.isDone }, then: { _ in true })
      if isOver != nil { break }
    }
    store.release()
    state.withLock { $0.hasEnded = true }
  }

  private func sayAway(_ reason: String) {
    let isNews = state.withLock { state in
      defer { state.lastReason = reason }
      return state.lastReason != reason
    }
    if isNews { report(.away(reason)) }
  }

  /// Uses one connection for as long as it lasts; returns when the publisher is closed.
  /// - Throws: ``PublishingError`` when it is lost, or cannot be made.
  private func connectAndServe(_ welcomed: () -> Void) throws(PublishingError) {
    let link = try makeLink()
    let isAbandoned = state.withLock { state in
      state.queue.restart()
      state.link = link
      return state.isAbandoned
    }
    defer { state.withLock { $0.link = nil } }
    if isAbandoned { return }
    try link.connect()
    try awaitWelcome(link)
    welcomed()
    sayConnected()
    _ = try link.publish(
      Announcement.online, to: settings.address.topic(of: Announcement.health), isKept: true)
    for announcement in settings.announcements {
      _ = try link.publish(announcement.payload, to: announcement.topic, isKept: true)
    }
    try serve(link)
  }

  private func awaitWelcome(_ link: any BrokerLink) throws(PublishingError) {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.answerNanoseconds)
    while !state.withLock({ $0.isAbandoned }) {
      if try link.step(until: deadline).contains(.welcome) { return }
      guard MonotonicInstant.now < deadline else { throw PublishingError("the broker does not answer") }
    }
  }

  private func sayConnected() {
    let (waiting, dropped, hasDropped) = state.withLock { state in
      defer { (state.lastReason, state.hasSaidDrop) = (nil, false) }
      return (state.queue.events.count, state.queue.droppedCount, state.hasSaidDrop)
    }
    report(.connected(waiting: waiting))
    if hasDropped { report(.dropped(dropped)) }
  }

  /// Sends what waits, and hears what the broker has, until the publisher is closed.
  private func serve(_ link: any BrokerLink) throws(PublishingError) {
    var farewell: Int32?
    while true {
      while let event = state.withLock({ $0.isAbandoned ? nil : $0.queue.next() }) {
        let number = try link.publish(
          event.payload, to: settings.address.topic(of: event.subject), isKept: false)
        state.withLock { $0.queue.noteSent(event, as: number) }
      }
      let (isDone, isAbandoned) = state.withLock { ($0.isDone, $0.isAbandoned) }
      if isAbandoned { return }
      if isDone, farewell == nil {
        farewell = try link.publish(
          Announcement.offline, to: settings.address.topic(of: Announcement.health), isKept: true)
      }
      for case .acknowledged(let number) in try link.step(
        until: .now.advanced(byNanoseconds: Self.idleNanoseconds))
      {
        if number == farewell {
          link.disconnect()
          return
        }
        let event = state.withLock { $0.queue.acknowledge(number) }
        if let event { store.forget([event]) }
      }
    }
  }
}
