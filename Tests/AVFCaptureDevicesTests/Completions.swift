import AVFoundation
import Foundation
import Linux

/// The times that completion handlers were called with, in order.
final class Completions: Sendable {
  private let list = Monitor<[(Int, CMTime)]>([])

  func handler(_ number: Int = 0) -> (CMTime) -> Void {
    { [list] time in list.withLock { $0.append((number, time)) } }
  }

  var count: Int { list.withLock { $0.count } }

  func wait(_ count: Int = 1) -> [(Int, CMTime)] {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return list.wait(until: deadline) {
      $0.count >= count
    } then: {
      $0
    } ?? []
  }
}

/// Counts the notifications of one object.
final class NotificationCount: Sendable {
  private let count: Monitor<Int>
  private let tokens = Locked<[any NSObjectProtocol]>([])

  init(_ name: Notification.Name, of object: AnyObject) {
    let count = Monitor(0)
    self.count = count
    let token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { _ in
      count.withLock { $0 += 1 }
    }
    tokens.withLock { $0.append(token) }
  }

  deinit {
    for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
  }

  /// Waits until it was posted so often, at most half a minute; how often it was.
  func wait(_ times: Int) -> Int {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return count.wait(until: deadline) {
      $0 >= times
    } then: {
      $0
    } ?? count.withLock { $0 }
  }
}
