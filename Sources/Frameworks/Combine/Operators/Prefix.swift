extension Publisher {
  /// Publishes at most so many values, and ends.
  ///
  /// Apple: `Publisher.prefix(_:)`.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    precondition(maxLength >= 0, "A prefix is not of negative length.")
    return output(in: 0..<maxLength)
  }

  /// Publishes the values whose numbers, counted from zero, are in the range, and ends.
  ///
  /// Apple: `Publisher.output(in:)`.
  public func output<R>(in range: R) -> Publishers.Output<Self> where R: RangeExpression, R.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }

  /// Publishes the value of that number, counted from zero, and ends.
  ///
  /// Apple: `Publisher.output(at:)`.
  public func output(at index: Int) -> Publishers.Output<Self> {
    output(in: index...index)
  }

  /// Leaves out so many values.
  ///
  /// Apple: `Publisher.dropFirst(_:)`.
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher of some values by their numbers.
  public struct Output<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The numbers of the values, counted from zero.
    public let range: CountableRange<Int>

    /// A publisher of the values with these numbers.
    public init(upstream: Upstream, range: CountableRange<Int>) {
      self.upstream = upstream
      self.range = range
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      guard !range.isEmpty else { return Empty().receive(subscriber: subscriber) }
      let range = range
      var number = -1
      upstream.subscribe(
        Relay<Output, Failure, S>(subscriber) { value in
          number += 1
          guard number >= range.lowerBound else { return .skip }
          return number + 1 == range.upperBound ? .last(value) : .value(value)
        })
    }
  }

  /// A publisher that leaves out the first values.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many are left out.
    public let count: Int

    /// A publisher that leaves out so many values.
    public init(upstream: Upstream, count: Int) {
      precondition(count >= 0, "The number of values to leave out is not negative.")
      self.upstream = upstream
      self.count = count
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      var left = count
      upstream.subscribe(
        Relay<Output, Failure, S>(subscriber) { value in
          guard left > 0 else { return .value(value) }
          left -= 1
          return .skip
        })
    }
  }
}
