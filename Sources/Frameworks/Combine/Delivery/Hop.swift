/// A subscriber that delivers what it gets elsewhere or later.
final class Hop<Input, Failure: Error, Downstream: Subscriber>: Subscriber
where Downstream.Input == Input, Downstream.Failure == Failure {
  private let downstream: Downstream
  private let outlet: Outlet<Downstream>
  private let schedule: (_ isFailure: Bool, _ action: @escaping () -> Void) -> Void

  /// - Parameter schedule: Runs an action where and when it shall be, one after the other.
  init(
    _ downstream: Downstream,
    schedule: @escaping (_ isFailure: Bool, _ action: @escaping () -> Void) -> Void
  ) {
    self.downstream = downstream
    self.schedule = schedule
    outlet = Outlet(downstream, keeping: .all)
  }

  func receive(subscription: any Subscription) {
    outlet.whenAsked = { subscription.request($0) }
    outlet.whenCancelled = { subscription.cancel() }
    downstream.receive(subscription: outlet)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    schedule(false) { self.outlet.send(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let isFailure = if case .failure = completion { true } else { false }
    schedule(isFailure) { self.outlet.finish(completion) }
  }
}
