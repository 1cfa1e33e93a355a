import Combine

/// A subscriber that asks for what a test says, and notes what it gets.
final class Listener<Input, Failure: Error>: Subscriber {
  private(set) var values: [Input] = []
  private(set) var completions: [Subscribers.Completion<Failure>] = []
  private(set) var subscription: (any Subscription)?
  private let first: Subscribers.Demand
  private let more: (Input) -> Subscribers.Demand

  /// - Parameters:
  ///   - first: What it asks for when it is subscribed.
  ///   - more: What it answers to a value.
  init(
    asking first: Subscribers.Demand = .unlimited,
    more: @escaping (Input) -> Subscribers.Demand = { _ in .none }
  ) {
    self.first = first
    self.more = more
  }

  var isFinished: Bool {
    completions.count == 1 && { if case .finished = completions[0] { true } else { false } }()
  }

  var error: Failure? {
    guard completions.count == 1, case .failure(let error) = completions[0] else { return nil }
    return error
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(first)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    return more(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    completions.append(completion)
  }
}

extension Publisher {
  /// Subscribes a listener, and returns it.
  func heard(
    asking first: Subscribers.Demand = .unlimited,
    more: @escaping (Output) -> Subscribers.Demand = { _ in .none }
  ) -> Listener<Output, Failure> {
    let listener = Listener<Output, Failure>(asking: first, more: more)
    subscribe(listener)
    return listener
  }
}

/// Errors of the tests.
enum Fault: Error, Equatable {
  case first, second
}
