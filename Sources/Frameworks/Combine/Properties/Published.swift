internal import Linux

/// A property of a class that publishes its values.
///
/// A new value is published before it is set: who reads the property when it is published gets the value before. Of an
/// ``ObservableObject`` the change is announced first. Apple: `Published`.
@propertyWrapper
public struct Published<Value> {
  private var storage: PublishedStorage<Value>

  /// A property with this value.
  public init(wrappedValue: Value) {
    storage = PublishedStorage(wrappedValue)
  }

  /// A property with this value.
  public init(initialValue: Value) {
    self.init(wrappedValue: initialValue)
  }

  /// Only properties of classes publish.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  /// The publisher of the property: of the present value first, and then of each new one.
  public var projectedValue: Publisher {
    mutating get { Publisher(storage: storage) }
    set { storage = newValue.storage }
  }

  /// Reads the property, or publishes and sets it.
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      ObservableObjectPublishers.existing(of: object)?.send()
      object[keyPath: storageKeyPath].storage.publishAndSet(newValue)
    }
  }

  /// The publisher of a property with ``Published``.
  ///
  /// Apple: `Published.Publisher`.
  public struct Publisher: Combine.Publisher {
    /// The property's.
    public typealias Output = Value
    /// It never fails.
    public typealias Failure = Never

    fileprivate let storage: PublishedStorage<Value>

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where Value == S.Input, S: Subscriber, S.Failure == Never {
      storage.outlets.add(subscriber)
    }

    /// Sets the property to all values of another publisher, as long as it is there.
    func follow<P: Combine.Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
      storage.follow(publisher)
    }
  }
}

/// The value of a property, and who gets its values.
final class PublishedStorage<Value> {
  let outlets: OutletList<Value, Never>
  private let lock = Lock()
  private var current: Value
  private var followed: [AnyCancellable] = []

  init(_ value: Value) {
    current = value
    outlets = OutletList(newest: value)
  }

  var value: Value {
    lock.withLock { current }
  }

  func publishAndSet(_ value: Value) {
    outlets.send(value)
    let last = lock.withLock {
      let last = current
      current = value
      return last
    }
    withExtendedLifetime(last) {}
  }

  func follow<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
    let cancellable = publisher.sink { [weak self] in self?.publishAndSet($0) }
    lock.withLock { followed.append(cancellable) }
  }
}
