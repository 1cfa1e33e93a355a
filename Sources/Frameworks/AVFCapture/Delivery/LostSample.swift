package import CaptureDevice
package import Linux

/// A sample that the client hears of and does not get.
package struct LostSample: Sendable {
  /// The reason for the loss; each has its Core Media constant.
  package enum Reason: Error, Hashable {
    /// The client was busy.
    case late
    /// Clients held every buffer.
    case outOfBuffers
    /// The driver lost it, its data is broken, or it was under way when its route ended.
    case discontinuity
  }

  package var sequence: UInt32
  package var timestamp: MonotonicInstant
  package var reason: Reason
  /// See ``CapturedFrame/inFlight``.
  package var inFlight: (any AnyObject & Sendable)?

  /// A sample that came and was lost here.
  package init(_ sample: some DeliverySample, _ reason: Reason) {
    sequence = sample.sequence
    timestamp = sample.timestamp
    self.reason = reason
    inFlight = sample.inFlight
  }

  /// A sample that the device lost.
  package init(_ drop: DroppedFrame) {
    sequence = drop.sequence
    timestamp = drop.timestamp
    reason =
      switch drop.reason {
      case .outOfBuffers: .outOfBuffers
      case .discontinuity: .discontinuity
      }
    inFlight = drop.inFlight
  }
}
