public import Foundation
public import FoundationExtras

extension KeyValueObservable {
  /// A publisher of a property's values: of the present one first, and then of each new one.
  ///
  /// Which properties announce their changes, their documentation says. It delivers on the thread of the change, and holds the object no
  /// longer than a subscriber does. A subscriber that has not asked gets the newest when it asks. Apple:
  /// `NSObject.publisher(for:options:)`.
  ///
  /// - Parameter options: With `initial` the present value comes first; with `prior` the value before each change comes, too.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
    NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
  }
}

extension NSObject {
  /// A publisher of a property's values.
  ///
  /// Apple: `NSObject.KeyValueObservingPublisher`.
  public struct KeyValueObservingPublisher<Subject: KeyValueObservable, Value>: Publisher, Equatable {
    /// A value.
    public typealias Output = Value
    /// It never fails.
    public typealias Failure = Never

    /// The object.
    public let object: Subject
    /// The property.
    public let keyPath: KeyPath<Subject, Value>
    /// Which values come.
    public let options: NSKeyValueObservingOptions

    /// A publisher of this property.
    public init(object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions) {
      self.object = object
      self.keyPath = keyPath
      self.options = options
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where Value == S.Input, S: Subscriber, S.Failure == Never {
      let outlet = Outlet(subscriber, keeping: .newest)
      let (handed, keyPath) = (Handed(deliver: { outlet.send($0) }), HandedKeyPath(value: keyPath))
      let observation = object.observe(self.keyPath, options: options.union(.new).union(.old)) {
        object, change in
        let value = (change.isPrior ? change.oldValue : change.newValue) ?? object[keyPath: keyPath.value]
        handed.deliver(value)
      }
      let object = object
      outlet.whenCancelled = { withExtendedLifetime(object) { observation.invalidate() } }
      subscriber.receive(subscription: outlet)
    }

    /// Whether both publish the same property.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.object === rhs.object && lhs.keyPath == rhs.keyPath && lhs.options == rhs.options
    }

    private struct Handed: @unchecked Sendable {  // Safe: it calls an outlet, which is thread-safe.
      let deliver: (Value) -> Void
    }

    private struct HandedKeyPath: @unchecked Sendable {  // Safe: it never changes.
      let value: KeyPath<Subject, Value>
    }
  }
}
