package import CaptureDevice
package import Linux

/// A frame that the client hears of and does not get.
package struct LostFrame: Sendable {
  /// Why; each has its Core Media constant.
  package enum Reason: Error, Hashable {
    /// The client was busy.
    case late
    /// Clients held every buffer.
    case outOfBuffers
    /// The driver lost it, or its data is broken.
    case discontinuity
  }

  package var sequence: UInt32
  package var timestamp: MonotonicInstant
  package var reason: Reason
  /// See ``CapturedFrame/inFlight``.
  package var inFlight: (any AnyObject & Sendable)?

  /// A frame that came and was lost here.
  package init(_ frame: CapturedFrame, _ reason: Reason) {
    sequence = frame.sequence
    timestamp = frame.timestamp
    self.reason = reason
    inFlight = frame.inFlight
  }

  /// A frame that was ready and came too late.
  package init(late frame: ReadyFrame) {
    sequence = frame.sequence
    timestamp = frame.timestamp
    reason = .late
    inFlight = frame.inFlight
  }

  /// A frame that the device lost.
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
