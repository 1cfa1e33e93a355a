extension Publisher {
  /// Publishes the newest values of both whenever one of them has a new one, from when both have one.
  ///
  /// Apple: `Publisher.combineLatest(_:)`.
  public func combineLatest<P>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where P: Publisher, Failure == P.Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Publishes what the closure makes of the newest values of both.
  public func combineLatest<P, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P: Publisher, Failure == P.Failure {
    combineLatest(other).map { transform($0, $1) }
  }

  /// Publishes the newest values of three.
  public func combineLatest<P, Q>(_ publisher1: P, _ publisher2: Q) -> Publishers.CombineLatest3<Self, P, Q>
  where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Publishes what the closure makes of the newest values of three.
  public func combineLatest<P, Q, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
    combineLatest(publisher1, publisher2).map { transform($0, $1, $2) }
  }
}

extension Publishers {
  /// A publisher of the newest values of two.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    /// The newest values.
    public typealias Output = (A.Output, B.Output)
    /// Both publishers' own.
    public typealias Failure = A.Failure

    /// The first.
    public let a: A
    /// The second.
    public let b: B

    /// A publisher of the newest values of both.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, B.Failure == S.Failure, S.Input == (A.Output, B.Output) {
      // Both are touched under the pair's lock.
      var (left, right): (A.Output?, B.Output?)
      let pair = Pair<A.Output, B.Output, S>(
        subscriber, keeping: .newest,
        left: { value in
          let last = left
          left = value
          return (right.map { (value, $0) }, last)
        },
        right: { value in
          let last = right
          right = value
          return (left.map { ($0, value) }, last)
        }, isOver: { $0 && $1 }, asksAgain: true)
      pair.begin(a, b)
    }
  }

  /// A publisher of the newest values of three.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// The newest values.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// All publishers' own.
    public typealias Failure = A.Failure

    /// The first.
    public let a: A
    /// The second.
    public let b: B
    /// The third.
    public let c: C

    /// A publisher of the newest values of all.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, C.Failure == S.Failure, S.Input == (A.Output, B.Output, C.Output) {
      a.combineLatest(b).combineLatest(c) { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
    }
  }
}
