/// A value of the main actor that screens watch.
@MainActor
package final class Observed<Value: Equatable> {
  private var observers: [(Value) -> Void] = []

  /// The value; setting an equal one changes nothing.
  package var value: Value {
    didSet {
      if value != oldValue { for observer in observers { observer(value) } }
    }
  }

  /// A value without observers.
  package init(_ value: Value) {
    self.value = value
  }

  /// Calls `observer` with the present value, and after every change, as long as this lives.
  package func observe(_ observer: @escaping @MainActor (Value) -> Void) {
    observers.append(observer)
    observer(value)
  }
}
