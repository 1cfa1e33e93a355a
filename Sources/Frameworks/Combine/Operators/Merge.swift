extension Publisher {
  /// Publishes the values of both as they come.
  ///
  /// Apple: `Publisher.merge(with:)`.
  public func merge<P>(with other: P) -> Publishers.Merge<Self, P>
  where P: Publisher, Failure == P.Failure, Output == P.Output {
    Publishers.Merge(self, other)
  }

  /// Publishes the values of both as they come.
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany(self, other)
  }

  /// Publishes the values of all as they come.
  public func merge<B, C>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
  where
    B: Publisher, C: Publisher, Failure == B.Failure, Output == B.Output, B.Failure == C.Failure,
    B.Output == C.Output
  {
    Publishers.Merge3(self, b, c)
  }
}

extension Publishers {
  /// A publisher of the values of two.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure, A.Output == B.Output {
    /// Both publishers' own.
    public typealias Output = A.Output
    /// Both publishers' own.
    public typealias Failure = A.Failure

    /// The first.
    public let a: A
    /// The second.
    public let b: B

    /// A publisher of the values of both.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where S: Subscriber, B.Failure == S.Failure, B.Output == S.Input {
      let junction = Junction(subscriber, expecting: 2)
      subscriber.receive(subscription: junction.subscription)
      junction.add(a)
      junction.add(b)
    }
  }

  /// A publisher of the values of three.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, A.Output == B.Output, B.Failure == C.Failure, B.Output == C.Output {
    /// All publishers' own.
    public typealias Output = A.Output
    /// All publishers' own.
    public typealias Failure = A.Failure

    /// The first.
    public let a: A
    /// The second.
    public let b: B
    /// The third.
    public let c: C

    /// A publisher of the values of all.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where S: Subscriber, C.Failure == S.Failure, C.Output == S.Input {
      let junction = Junction(subscriber, expecting: 3)
      subscriber.receive(subscription: junction.subscription)
      junction.add(a)
      junction.add(b)
      junction.add(c)
    }
  }

  /// A publisher of the values of many of one kind.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The publishers' own.
    public typealias Output = Upstream.Output
    /// The publishers' own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let publishers: [Upstream]

    /// A publisher of the values of all.
    public init(_ upstream: Upstream...) {
      publishers = upstream
    }

    /// A publisher of the values of all.
    public init<S>(_ upstream: S) where Upstream == S.Element, S: Swift.Sequence {
      publishers = Array(upstream)
    }

    /// The same, and one more.
    public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
      Publishers.MergeMany(publishers + [other])
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      guard !publishers.isEmpty else { return Empty().receive(subscriber: subscriber) }
      let junction = Junction(subscriber, expecting: publishers.count)
      subscriber.receive(subscription: junction.subscription)
      for publisher in publishers { junction.add(publisher) }
    }
  }
}
