internal import Dispatch
package import Linux

extension Monitor where Value: Sendable {
  /// Blocks until `isSatisfied` is true of the value, then runs `body` on it under the same hold of the lock.
  ///
  /// - Parameters:
  ///   - deadline: When to give up; `nil` waits for ever.
  ///   - time: Whose time the deadline is of.
  /// - Returns: What `body` returned, or `nil` when the deadline passed first.
  package func wait<Result>(
    until deadline: MonotonicInstant?, on time: WorldTime, for isSatisfied: (Value) -> Bool,
    then body: (inout Value) -> Result
  ) -> Result? {
    guard let deadline, time.isSimulated else {
      return wait(until: deadline, for: isSatisfied, then: body)
    }
    // One that has passed is past on any clock.
    guard deadline > time.now else {
      return wait(until: MonotonicInstant(nanoseconds: 0), for: isSatisfied, then: body)
    }
    let isOver = Locked(false)
    let timer = WorldTimer(on: DispatchQueue(label: "obscura.deadline"), time: time.asTimersTake) {
      isOver.withLock { $0 = true }
      // Wakes who waits.
      self.withLock { _ in }
    }
    timer.set(afterNanoseconds: deadline.nanoseconds - time.now.nanoseconds)
    defer { timer.cancel() }
    var isInTime = false
    let result: Result?? = wait(
      until: nil,
      for: { value in
        isInTime = isSatisfied(value)
        return isInTime || isOver.withLock { $0 }
      },
      then: { value in isInTime ? body(&value) : nil })
    return result ?? nil
  }
}
