package import AVFoundation
import Foundation
import Linux

/// The values of a property that its observer got, in order.
package final class ObservedValues<Value: Sendable>: Sendable {
  fileprivate let list = Monitor<[Value]>([])
  private let observation = Locked<NSKeyValueObservation?>(nil)

  package init(_ device: AVCaptureDevice, _ keyPath: KeyPath<AVCaptureDevice, Value>) {
    let observed = device.observe(keyPath, options: .new) { [list] _, change in
      guard let value = change.newValue else { return }
      list.withLock { $0.append(value) }
    }
    observation.withLock { $0 = observed }
  }

  package var values: [Value] { list.withLock { $0 } }

  /// Waits until it was called `count` times, at most half a minute.
  package func wait(_ count: Int = 1) -> [Value] {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return list.wait(until: deadline) {
      $0.count >= count
    } then: {
      $0
    } ?? values
  }
}

extension ObservedValues where Value: Equatable {
  /// Waits until it was given `value` last, at most half a minute; whether it was.
  package func wait(for value: Value) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return list.wait(until: deadline) {
      $0.last == value
    } then: { _ in
      true
    } ?? false
  }
}
