/// A fault that one call of a scripted library or kernel meets, by the number of the call.
package struct CallTrap<Fault: Sendable>: Sendable {
  private var waiting: (call: Int, fault: Fault)?

  /// No call meets a fault.
  package init() {}

  /// Lets the call that has this number, counted from 1 from now on, meet a fault; only that one.
  ///
  /// - Parameter count: How many calls there were.
  package mutating func set(_ number: Int, _ fault: Fault, after count: Int) {
    waiting = (count + number, fault)
  }

  /// The fault of the call that comes after so many, which none meets again; `nil` for any other call.
  package mutating func spring(after count: Int) -> Fault? {
    guard let waiting, waiting.call == count + 1 else { return nil }
    self.waiting = nil
    return waiting.fault
  }

  /// Takes the trap away.
  package mutating func disarm() { waiting = nil }
}
