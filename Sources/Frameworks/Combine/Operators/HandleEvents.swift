extension Publisher {
  /// Calls closures at what happens, and changes nothing.
  ///
  /// Apple: `Publisher.handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)`.
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }

  /// Prints what happens.
  ///
  /// Apple: `Publisher.print(_:to:)`.
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream)? = nil
  ) -> Publishers.HandleEvents<Self> {
    var stream = stream
    func write(_ event: String) {
      let line = (prefix.isEmpty ? "" : "\(prefix): ") + event
      if stream == nil { Swift.print(line) } else { stream?.write(line + "\n") }
    }
    return handleEvents(
      receiveSubscription: { write("receive subscription: (\($0))") },
      receiveOutput: { write("receive value: (\($0))") },
      receiveCompletion: { completion in
        switch completion {
        case .finished: write("receive finished")
        case .failure(let error): write("receive error: (\(error))")
        }
      }, receiveCancel: { write("receive cancel") },
      receiveRequest: { write("request \($0 == .unlimited ? "unlimited" : "max: (\($0.max ?? 0))")") })
  }
}

extension Publishers {
  /// A publisher that calls closures at what happens.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// The publisher's own.
    public typealias Output = Upstream.Output
    /// The publisher's own.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Is called when there is a subscription.
    public var receiveSubscription: ((any Subscription) -> Void)?
    /// Is called at each value, before the subscriber gets it.
    public var receiveOutput: ((Output) -> Void)?
    /// Is called at the end, before the subscriber.
    public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    /// Is called when the subscriber cancels.
    public var receiveCancel: (() -> Void)?
    /// Is called when the subscriber asks for values.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// A publisher that calls these closures.
    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (() -> Void)? = nil, receiveRequest: ((Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let events = self
      let relay = Relay<Output, Failure, S>(
        subscriber,
        change: { value in
          events.receiveOutput?(value)
          return .value(value)
        },
        completed: { completion in
          events.receiveCompletion?(completion)
          return completion
        })
      relay.whenSubscribed = receiveSubscription
      relay.whenCancelled = receiveCancel
      relay.whenAsked = receiveRequest
      upstream.subscribe(relay)
    }
  }
}
