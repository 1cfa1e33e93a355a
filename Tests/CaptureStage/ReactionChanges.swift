package import AVFoundation
import Foundation
import Linux

/// The changes of a device's reactions, in order.
package final class ReactionChanges: Sendable {
  package typealias Change = (old: [AVCaptureReactionEffectState], new: [AVCaptureReactionEffectState])

  private let list = Monitor<[Change]>([])
  private let observation = Locked<NSKeyValueObservation?>(nil)

  package init(_ device: AVCaptureDevice) {
    let observed = device.observe(\.reactionEffectsInProgress, options: [.old, .new]) { [list] _, change in
      list.withLock { $0.append((change.oldValue ?? [], change.newValue ?? [])) }
    }
    observation.withLock { $0 = observed }
  }

  /// Waits for so many changes, at most half a minute.
  @discardableResult
  package func wait(_ count: Int) -> [Change] {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return list.wait(until: deadline, for: { $0.count >= count }, then: { $0 }) ?? list.withLock { $0 }
  }
}
