/// Counts of the samples that reached an output: `captured == delivered + dropped + pending`, always.
package struct DeliveryStatistics: Sendable, Hashable {
  /// Samples the device counted for this output, lost ones too.
  package internal(set) var captured = 0
  /// Samples handed to the delegate.
  package internal(set) var delivered = 0
  /// Lost because the delegate was still busy.
  package internal(set) var late = 0
  /// Lost because clients held every buffer.
  package internal(set) var outOfBuffers = 0
  /// Lost by the driver, because their data was broken, or because the route or the delegate ended while they were under
  /// way.
  package internal(set) var discontinuities = 0
  /// Not wanted: there was no delegate.
  package internal(set) var unwanted = 0
  /// Under way to the delegate now.
  package internal(set) var pending = 0

  package init() {}

  /// Every sample that did not reach the delegate and never will.
  package var dropped: Int { late + outOfBuffers + discontinuities + unwanted }

  /// Counts a sample for which there is no client.
  mutating func refuse() {
    captured += 1
    unwanted += 1
  }

  /// Counts a sample in; ``settle(_:)`` follows.
  mutating func admit() {
    captured += 1
    pending += 1
  }

  /// Counts what became of a sample that was admitted.
  mutating func settle(_ outcome: DeliveryOutcome) {
    pending -= 1
    switch outcome {
    case .delivered: delivered += 1
    case .unwanted: unwanted += 1
    case .lost(.late): late += 1
    case .lost(.outOfBuffers): outOfBuffers += 1
    case .lost(.discontinuity): discontinuities += 1
    }
  }
}

/// The outcome of a sample's delivery.
package enum DeliveryOutcome: Sendable, Equatable {
  /// The client has had it.
  case delivered
  /// There was no delegate to take it.
  case unwanted
  /// It was lost on the way.
  case lost(LostSample.Reason)
}
