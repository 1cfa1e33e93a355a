extension Publisher {
  /// Publishes, at the end, all values in an array.
  ///
  /// Apple: `Publisher.collect()`.
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }

  /// Publishes arrays of so many values; the last one may be shorter.
  ///
  /// Apple: `Publisher.collect(_:)`.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }

  /// Publishes, at the end, how many values there were.
  ///
  /// Apple: `Publisher.count()`.
  public func count() -> Publishers.Reduce<Self, Int> {
    reduce(0) { count, _ in count + 1 }
  }

  /// Publishes the end alone.
  ///
  /// Apple: `Publisher.ignoreOutput()`.
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// A publisher of all values in one array.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = [Upstream.Output]
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// A publisher of all values in one array.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, S.Input == [Upstream.Output] {
      var values: [Upstream.Output] = []
      upstream.subscribe(
        Summary<Upstream.Output, Failure, S>(
          subscriber,
          note: { value in
            values.append(value)
            return false
          }, result: { values }))
    }
  }

  /// A publisher of arrays of so many values.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// Some values.
    public typealias Output = [Upstream.Output]
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many belong together.
    public let count: Int

    /// A publisher of arrays of so many values.
    public init(upstream: Upstream, count: Int) {
      precondition(count > 0, "Collect one value or more.")
      self.upstream = upstream
      self.count = count
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, S.Input == [Upstream.Output] {
      upstream.subscribe(ArrayFiller<Upstream.Output, Failure, S>(subscriber, count: count))
    }
  }

  /// A publisher of the end alone.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// There is no value.
    public typealias Output = Never
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// A publisher of the end alone.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, S.Input == Never {
      upstream.subscribe(
        Summary<Upstream.Output, Failure, S>(subscriber, note: { _ in false }, result: { nil }))
    }
  }
}

/// Fills arrays, asks for as many values as they need, and delivers the last one at the end.
private final class ArrayFiller<Input, Failure: Error, Downstream: Subscriber>: Subscriber
where Downstream.Input == [Input], Downstream.Failure == Failure {
  private let count: Int
  private let downstream: Downstream
  private let outlet: Outlet<Downstream>
  private var values: [Input] = []

  init(_ downstream: Downstream, count: Int) {
    self.count = count
    self.downstream = downstream
    outlet = Outlet(downstream, keeping: .all)
  }

  func receive(subscription: any Subscription) {
    let count = count
    outlet.whenAsked = { subscription.request($0 * count) }
    outlet.whenCancelled = { subscription.cancel() }
    downstream.receive(subscription: outlet)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    if values.count == count { sendValues() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if case .finished = completion, !values.isEmpty { sendValues() }
    outlet.finish(completion)
  }

  private func sendValues() {
    let full = values
    values = []
    outlet.send(full)
  }
}
