internal import Foundation

/// An object whose properties can be observed as with Apple's key-value observing.
///
/// Linux Swift has no Objective-C runtime to observe through; our classes announce their changes themselves. Which
/// properties do is said in their documentation; observing any other is allowed and never calls the handler again.
///
/// - Note: Unlike on Apple's platforms there is no `addObserver(_:forKeyPath:options:context:)`. Its observer overrides
///   `observeValue(forKeyPath:of:change:context:)` of `NSObject`, which Foundation of Linux lacks, and what an extension adds
///   cannot be overridden. Take `observe(_:options:changeHandler:)` with a typed key path.
public protocol KeyValueObservable: AnyObject, SendableMetatype {
  /// The observers of this object.
  var observerTable: ObserverTable { get }
}

extension KeyValueObservable {
  /// Calls `changeHandler` whenever the property at `keyPath` has changed.
  ///
  /// The handler runs on the thread that made the change, after it. It may invalidate its own observation and change
  /// the property again. Apple: `NSObject.observe(_:options:changeHandler:)`.
  ///
  /// - Parameters:
  ///   - keyPath: The property, such as `\.isRunning`.
  ///   - options: Which values to hand over, and whether to call at once and before changes, too.
  ///   - changeHandler: Gets the object and the change.
  /// - Returns: The token; the observing ends when it is invalidated or goes away.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    observe(keyPath, options: options, objectEnded: nil, changeHandler: changeHandler)
  }

  /// The values of the property at `keyPath`: the present one, then each new one.
  ///
  /// Keeps at most the 16 newest values that were not asked for yet. Ends when the object goes away or the iterating
  /// task is cancelled.
  public func values<Value: Sendable>(for keyPath: KeyPath<Self, Value>) -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let observation = observe(
        keyPath, options: [.initial, .new], objectEnded: { continuation.finish() },
        changeHandler: { _, change in
          if let value = change.newValue { continuation.yield(value) }
        })
      continuation.onTermination = { _ in observation.invalidate() }
    }
  }

  private func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions,
    objectEnded: (@Sendable () -> Void)?,
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let object = WeakObject(self)
    let registration = ObserverTable.Registration(
      keyPath: observerTable.declaredKeyPath(keyPath, of: self), options: options, objectEnded: objectEnded
    ) { old, new, isPrior in
      guard let object = object.value else { return }
      changeHandler(
        object,
        NSKeyValueObservedChange(
          kind: .setting, newValue: new.flatMap { $0 as? Value }, oldValue: old.flatMap { $0 as? Value },
          indexes: nil, isPrior: isPrior))
    }
    observerTable.add(registration)
    if options.contains(.initial) {
      registration.call(nil, options.contains(.new) ? self[keyPath: keyPath] : nil, false)
    }
    return NSKeyValueObservation(registration, in: observerTable)
  }
}

extension ObserverTable {
  /// Observes a property of a class; the table must be that of the class's own observers.
  package func observe<Class: AnyObject & SendableMetatype, Value>(
    _ type: Class.Type, _ keyPath: KeyPath<Class.Type, Value>, options: NSKeyValueObservingOptions,
    changeHandler: @escaping @Sendable (Class.Type, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let registration = Registration(keyPath: keyPath, options: options) { old, new, isPrior in
      changeHandler(
        type,
        NSKeyValueObservedChange(
          kind: .setting, newValue: new.flatMap { $0 as? Value }, oldValue: old.flatMap { $0 as? Value },
          indexes: nil, isPrior: isPrior))
    }
    add(registration)
    if options.contains(.initial) {
      registration.call(nil, options.contains(.new) ? type[keyPath: keyPath] : nil, false)
    }
    return NSKeyValueObservation(registration, in: self)
  }
}

private final class WeakObject<Object: AnyObject>: @unchecked Sendable {  // Safe: set once, in `init`.
  weak let value: Object?

  init(_ value: Object) {
    self.value = value
  }
}
