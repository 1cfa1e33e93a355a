internal import Linux

extension Publisher where Failure == Never {
  /// The values, as a sequence that is awaited.
  ///
  /// Each is asked for when it is awaited. Apple: `Publisher.values`.
  public var values: AsyncPublisher<Self> {
    AsyncPublisher(self)
  }
}

extension Publisher {
  /// The values, as a sequence that is awaited, and that throws the error.
  ///
  /// Each is asked for when it is awaited. Apple: `Publisher.values`.
  public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// The values of a publisher that never fails, as a sequence that is awaited.
///
/// Apple: `AsyncPublisher`.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  /// A value.
  public typealias Element = P.Output

  private let publisher: P

  /// The values of this publisher.
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(inbox: Inbox(publisher))
  }

  /// Asks for one value after the other; its subscription ends with it.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inbox: Inbox<P.Output, Never>

    /// The next value; `nil` after the end, and once the task is cancelled.
    public mutating func next() async -> P.Output? {
      switch await inbox.next() {
      case .success(let value): value
      }
    }
  }
}

/// The values of a publisher, as a sequence that is awaited.
///
/// Apple: `AsyncThrowingPublisher`.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// A value.
  public typealias Element = P.Output

  private let publisher: P

  /// The values of this publisher.
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(inbox: Inbox(publisher))
  }

  /// Asks for one value after the other; its subscription ends with it.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inbox: Inbox<P.Output, P.Failure>

    /// The next value; `nil` after the end, and once the task is cancelled.
    public mutating func next() async throws -> P.Output? {
      try await inbox.next().get()
    }
  }
}

extension Future where Failure == Never {
  /// The value, when it is there.
  ///
  /// Apple: `Future.value`.
  public final var value: Output {
    get async {
      guard case .success(let value?) = await Inbox(self).next() else {
        fatalError("A future that never fulfils its promise has no value.")
      }
      return value
    }
  }
}

extension Future {
  /// The value, when it is there, or the error.
  ///
  /// Apple: `Future.value`.
  public final var value: Output {
    get async throws {
      guard let value = try await Inbox(self).next().get() else { throw CancellationError() }
      return value
    }
  }
}
