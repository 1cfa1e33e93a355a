extension Publisher {
  /// Publishes the values of both in pairs: the first of both, the second of both, and so on.
  ///
  /// Apple: `Publisher.zip(_:)`.
  public func zip<P>(_ other: P) -> Publishers.Zip<Self, P> where P: Publisher, Failure == P.Failure {
    Publishers.Zip(self, other)
  }

  /// Publishes what the closure makes of the pairs.
  public func zip<P, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P: Publisher, Failure == P.Failure {
    zip(other).map { transform($0, $1) }
  }

  /// Publishes the values of three together.
  public func zip<P, Q>(_ publisher1: P, _ publisher2: Q) -> Publishers.Zip3<Self, P, Q>
  where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }
}

extension Publishers {
  /// A publisher of pairs.
  public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    /// A pair.
    public typealias Output = (A.Output, B.Output)
    /// Both publishers' own.
    public typealias Failure = A.Failure

    /// The first.
    public let a: A
    /// The second.
    public let b: B

    /// A publisher of pairs.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, B.Failure == S.Failure, S.Input == (A.Output, B.Output) {
      // Both are touched under the pair's lock.
      var (left, right): ([A.Output], [B.Output]) = ([], [])
      func next() -> (A.Output, B.Output)? {
        left.isEmpty || right.isEmpty ? nil : (left.removeFirst(), right.removeFirst())
      }
      let pair = Pair<A.Output, B.Output, S>(
        subscriber, keeping: .all,
        left: { value in
          left.append(value)
          return (next(), nil)
        },
        right: { value in
          right.append(value)
          return (next(), nil)
        }, isOver: { $0 && left.isEmpty || $1 && right.isEmpty }, asksAgain: false)
      pair.begin(a, b)
    }
  }

  /// A publisher of the values of three together.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// A value of each.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// All publishers' own.
    public typealias Failure = A.Failure

    /// The first.
    public let a: A
    /// The second.
    public let b: B
    /// The third.
    public let c: C

    /// A publisher of a value of each.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, C.Failure == S.Failure, S.Input == (A.Output, B.Output, C.Output) {
      a.zip(b).zip(c) { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
    }
  }
}
