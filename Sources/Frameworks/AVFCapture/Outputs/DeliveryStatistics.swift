/// What became of the frames that reached an output: `captured == delivered + dropped + pending`, always.
package struct DeliveryStatistics: Sendable, Hashable {
  /// Frames the device counted for this output, lost ones too.
  package internal(set) var captured = 0
  /// Frames handed to the delegate.
  package internal(set) var delivered = 0
  /// Lost because the delegate was still busy.
  package internal(set) var late = 0
  /// Lost because clients held every buffer.
  package internal(set) var outOfBuffers = 0
  /// Lost by the driver, or because their data was broken.
  package internal(set) var discontinuities = 0
  /// Thrown away because nobody wanted them: no delegate, or the delegate or the stream ended while they waited.
  package internal(set) var unwanted = 0
  /// Under way to the delegate now.
  package internal(set) var pending = 0

  package init() {}

  /// Every frame that did not reach the delegate and never will.
  package var dropped: Int { late + outOfBuffers + discontinuities + unwanted }

  mutating func settle(_ reason: LostFrame.Reason) {
    pending -= 1
    switch reason {
    case .late: late += 1
    case .outOfBuffers: outOfBuffers += 1
    case .discontinuity: discontinuities += 1
    }
  }

  mutating func settle(wasTaken: Bool) {
    pending -= 1
    if wasTaken { delivered += 1 } else { unwanted += 1 }
  }
}
