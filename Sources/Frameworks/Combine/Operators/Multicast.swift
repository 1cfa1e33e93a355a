internal import Linux

extension Publisher {
  /// Shares one subscription among all subscribers, from the first one to the last.
  ///
  /// Apple: `Publisher.share()`.
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }

  /// Shares one subscription among all subscribers through a subject, once it is connected.
  ///
  /// Apple: `Publisher.multicast(subject:)`.
  public func multicast<S>(subject: S) -> Publishers.Multicast<Self, S>
  where S: Subject, Failure == S.Failure, Output == S.Output {
    multicast { subject }
  }

  /// Shares one subscription among all subscribers through the subject that the closure makes, once it is connected.
  public func multicast<S>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S: Subject, Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }
}

extension Publisher where Failure == Never {
  /// Publishes once it is connected.
  ///
  /// Apple: `Publisher.makeConnectable()`.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension ConnectablePublisher {
  /// Connects for the first subscriber, and ends the connection when the last one has cancelled.
  ///
  /// Apple: `ConnectablePublisher.autoconnect()`.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// A publisher that shares one subscription through a subject.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What makes the subject when it is needed first.
    public let createSubject: () -> SubjectType
    private let lock = Lock()
    private var made: SubjectType?

    /// A publisher that shares one subscription through what the closure makes.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    private var subject: SubjectType {
      if let made = lock.withLock({ made }) { return made }
      let new = createSubject()
      return lock.withLock {
        let subject = made ?? new
        made = subject
        return subject
      }
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, SubjectType.Failure == S.Failure, SubjectType.Output == S.Input {
      subject.subscribe(subscriber)
    }

    /// Subscribes the subject to the publisher.
    public func connect() -> any Cancellable {
      upstream.subscribe(subject)
    }
  }

  /// A publisher that publishes once it is connected.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher where Upstream.Failure == Never {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// It never fails.
    public typealias Failure = Never

    private let inner: Multicast<Upstream, PassthroughSubject<Output, Never>>

    /// A publisher that publishes once it is connected.
    public init(upstream: Upstream) {
      inner = upstream.multicast { PassthroughSubject() }
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Output == S.Input, S.Failure == Never {
      inner.receive(subscriber: subscriber)
    }

    /// Begins to publish.
    public func connect() -> any Cancellable {
      inner.connect()
    }
  }

  /// A publisher that connects another one by itself.
  public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// What is connected.
    public final let upstream: Upstream
    private let connection = Connection()

    /// A publisher that connects this one by itself.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let (upstream, connection) = (upstream, connection)
      let isFirst = connection.enter()
      upstream
        .handleEvents(
          receiveCompletion: { _ in connection.leave() }, receiveCancel: { connection.leave() }
        )
        .receive(subscriber: subscriber)
      if isFirst { connection.keep(upstream.connect()) }
    }
  }

  /// A publisher that shares one subscription from the first subscriber to the last.
  public final class Share<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    private let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    /// A publisher that shares one subscription.
    public init(upstream: Upstream) {
      self.upstream = upstream
      inner = upstream.multicast { PassthroughSubject() }.autoconnect()
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      inner.receive(subscriber: subscriber)
    }
  }
}

/// The connection that several subscribers share, and how many they are.
private final class Connection {
  private let lock = Lock()
  private var count = 0
  private var connection: (any Cancellable)?

  /// Counts a subscriber; whether it is the first.
  func enter() -> Bool {
    lock.withLock {
      count += 1
      return count == 1
    }
  }

  /// Keeps the connection, unless all have left meanwhile.
  func keep(_ new: any Cancellable) {
    let isWanted = lock.withLock {
      if count > 0 { connection = new }
      return count > 0
    }
    if !isWanted { new.cancel() }
  }

  /// Counts one less, and ends the connection after the last.
  func leave() {
    let last = lock.withLock { () -> (any Cancellable)? in
      count -= 1
      guard count == 0 else { return nil }
      let last = connection
      connection = nil
      return last
    }
    last?.cancel()
  }
}
