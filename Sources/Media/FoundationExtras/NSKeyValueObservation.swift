public import Foundation

/// The options of a key-value observation: the values that it reports, and when.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The option bits, with Apple's values.
  public let rawValue: UInt

  /// The options with these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Hand over the value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 0x01)
  /// Hand over the value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 0x02)
  /// Call once at once, before `observe` returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 0x04)
  /// Call before each change, too.
  public static let prior = NSKeyValueObservingOptions(rawValue: 0x08)
}

/// The kind of a change of an observed property.
public enum NSKeyValueChange: UInt, Sendable {
  /// It got a new value.
  case setting = 1
  /// Elements came into a collection.
  case insertion = 2
  /// Elements left a collection.
  case removal = 3
  /// Elements of a collection were replaced.
  case replacement = 4
}

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of the change.
  public typealias Kind = NSKeyValueChange

  /// How it changed; our classes always set.
  public let kind: Kind
  /// The value after the change; `nil` unless the observer asked for ``NSKeyValueObservingOptions/new``, and in a call
  /// before the change.
  public let newValue: Value?
  /// The value before the change; `nil` unless the observer asked for ``NSKeyValueObservingOptions/old``, and in the
  /// initial call.
  public let oldValue: Value?
  /// The positions in a collection that changed; `nil` when the whole value was set.
  public let indexes: IndexSet?
  /// Whether this is the call before the change.
  public let isPrior: Bool
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}

/// The token of one observer; the observing ends when it goes away.
///
/// It keeps the observed object no longer alive than others do. Thread-safe.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {  // Safe: two constants.
  private let registration: ObserverTable.Registration
  private let table: WeakTable

  init(_ registration: ObserverTable.Registration, in table: ObserverTable) {
    self.registration = registration
    self.table = WeakTable(table)
  }

  deinit {
    invalidate()
  }

  /// Ends the observing.
  ///
  /// Calling it again does nothing.
  ///
  /// No call begins after this returns; one that runs on another thread at this moment may still end. Callable from
  /// inside the handler.
  public func invalidate() {
    registration.end()
    table.value?.remove(registration)
  }
}

private final class WeakTable: @unchecked Sendable {  // Safe: set once, in `init`.
  weak let value: ObserverTable?

  init(_ value: ObserverTable) {
    self.value = value
  }
}
