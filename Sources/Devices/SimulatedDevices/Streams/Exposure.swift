internal import CaptureDevice
internal import Linux

/// One exposure that is over.
struct Exposure: Sendable {
  var timestamp: MonotonicInstant
  /// The same moment since the stream started.
  var seconds: Double
  var sequence: UInt32
  /// The current duration of a frame.
  var duration: FrameDuration
  /// The stabilization of the stream.
  var stabilization: Stabilization
  var conditions: FrameConditions
}

/// The newest exposures that were delivered, so that each can be painted once more in another size.
struct PastExposures: Sendable {
  /// A ring once it is full.
  private var exposures: [Exposure] = []
  private var next = 0

  /// The exposure of that number, if it is kept.
  func exposure(_ sequence: UInt32) -> Exposure? {
    exposures.last { $0.sequence == sequence }
  }

  /// Keeps one in place of the oldest.
  mutating func note(_ exposure: Exposure, capacity: Int) {
    if exposures.count < capacity {
      exposures.append(exposure)
    } else if capacity > 0 {
      exposures[next] = exposure
      next = (next + 1) % capacity
    }
  }
}
