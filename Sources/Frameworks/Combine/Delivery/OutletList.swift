internal import Linux

/// The subscribers of a subject, its newest value where it keeps one, and the end that later ones get.
final class OutletList<Output, Failure: Error> {
  private let lock = Lock()
  private let keepsNewest: Bool
  private var newest: Output?
  private var number: UInt64 = 0
  private var outlets: [any ListedOutlet<Output, Failure>] = []
  private var upstreams: [any Subscription] = []
  private var completion: Subscribers.Completion<Failure>?
  private var isAsked = false

  /// - Parameter newest: The value that subscribers get first; `nil` for a subject that keeps none.
  init(newest: Output? = nil) {
    self.newest = newest
    keepsNewest = newest != nil
  }

  /// The newest value.
  var value: Output? {
    lock.withLock { newest }
  }

  /// Adds a subscriber, and hands it its subscription; after the end it gets that.
  func add<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    let outlet = Outlet(subscriber, keeping: keepsNewest ? .newest : .none)
    outlet.whenCancelled = { [weak self, weak outlet] in
      if let outlet { self?.remove(outlet) }
    }
    outlet.whenAsked = { [weak self] _ in self?.ask() }
    let end = lock.withLock {
      if completion == nil {
        outlets.append(outlet)
        // It has not asked yet: the value waits.
        if let newest { outlet.send(newest) }
      }
      return completion
    }
    subscriber.receive(subscription: outlet)
    if let end { outlet.finish(end) }
  }

  /// Sends a value to those that are here now.
  func send(_ value: Output) {
    let (outlets, last, number) = lock.withLock {
      () -> ([any ListedOutlet<Output, Failure>], Output?, UInt64?) in
      guard completion == nil else { return ([], nil, nil) }
      guard let last = newest else { return (self.outlets, nil, nil) }
      newest = value
      self.number += 1
      return (self.outlets, last, self.number)
    }
    withExtendedLifetime(last) {}
    for outlet in outlets { outlet.deliver(value, number: number) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let (outlets, upstreams) = lock.withLock {
      () -> ([any ListedOutlet<Output, Failure>], [any Subscription]) in
      guard self.completion == nil else { return ([], []) }
      self.completion = completion
      let last = (self.outlets, self.upstreams)
      (self.outlets, self.upstreams) = ([], [])
      return last
    }
    for outlet in outlets { outlet.finish(completion) }
    withExtendedLifetime(upstreams) {}
  }

  /// Keeps a subscription to what is sent through the subject; asks for all at once where the newest value is kept, and otherwise when
  /// a subscriber has asked for something.
  func send(subscription: any Subscription) {
    let isAsked = lock.withLock {
      upstreams.append(subscription)
      return self.isAsked || keepsNewest
    }
    if isAsked { subscription.request(.unlimited) }
  }

  /// Cancels what is sent through the subject.
  func cancelUpstreams() {
    let last = lock.withLock {
      let last = upstreams
      upstreams = []
      return last
    }
    for upstream in last { upstream.cancel() }
  }

  private func ask() {
    let upstreams = lock.withLock { () -> [any Subscription] in
      guard !isAsked else { return [] }
      isAsked = true
      return self.upstreams
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  private func remove(_ outlet: AnyObject) {
    let removed = lock.withLock { () -> (any ListedOutlet<Output, Failure>)? in
      outlets.firstIndex { $0 === outlet }.map { outlets.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}

/// An outlet of any subscriber.
protocol ListedOutlet<Value, Failure>: AnyObject {
  associatedtype Value
  associatedtype Failure: Error

  func deliver(_ value: Value, number: UInt64?)
  func finish(_ end: Subscribers.Completion<Failure>)
}

extension Outlet: ListedOutlet {
  typealias Failure = Downstream.Failure

  func deliver(_ value: Downstream.Input, number: UInt64?) {
    send(value, number: number)
  }
}
