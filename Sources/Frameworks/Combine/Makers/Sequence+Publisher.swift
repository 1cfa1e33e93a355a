internal import Linux

extension Publishers {
  /// A publisher of the elements of a sequence.
  ///
  /// Apple: `Publishers.Sequence`.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The elements.
    public typealias Output = Elements.Element

    /// The sequence.
    public let sequence: Elements

    /// A publisher of these elements.
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where Failure == S.Failure, S: Subscriber, Elements.Element == S.Input {
      let subscription = SequenceSubscription(sequence.makeIterator(), for: subscriber)
      subscriber.receive(subscription: subscription)
      subscription.deliver()
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Swift.Sequence {
  /// A publisher of the elements.
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}

/// Delivers elements as they are asked for; those that are asked for in a call come after it.
private final class SequenceSubscription<Iterator: IteratorProtocol, Downstream: Subscriber>: Subscription
where Downstream.Input == Iterator.Element {
  private let lock = Lock()
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var isDelivering = false
  /// Touched by the one thread that delivers.
  private var iterator: Iterator
  private var next: Iterator.Element?

  init(_ iterator: Iterator, for downstream: Downstream) {
    self.iterator = iterator
    self.downstream = downstream
    next = self.iterator.next()
  }

  func request(_ demand: Subscribers.Demand) {
    lock.withLock { self.demand += demand }
    deliver()
  }

  func cancel() {
    let last = lock.withLock {
      let last = downstream
      downstream = nil
      return last
    }
    withExtendedLifetime(last) {}
  }

  /// Delivers what was asked for, and the end right after the last element.
  func deliver() {
    let isFirst = lock.withLock {
      guard !isDelivering else { return false }
      isDelivering = true
      return true
    }
    guard isFirst else { return }
    while let downstream = nextReceiver() {
      guard let element = next else {
        cancel()
        return downstream.receive(completion: .finished)
      }
      next = iterator.next()
      let more = downstream.receive(element)
      lock.withLock { demand += more }
    }
  }

  /// The subscriber, when there is something to deliver now; otherwise nothing is being delivered any more.
  private func nextReceiver() -> Downstream? {
    lock.withLock {
      guard let downstream, demand > 0 || next == nil else {
        isDelivering = false
        return nil
      }
      if next != nil { demand -= 1 }
      return downstream
    }
  }
}
