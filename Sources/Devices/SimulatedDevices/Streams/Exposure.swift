internal import CaptureDevice
internal import Linux

/// One exposure that is over.
struct Exposure {
  var timestamp: MonotonicInstant
  /// The same moment since the stream started.
  var seconds: Double
  var sequence: UInt32
  /// What a frame lasts now.
  var duration: FrameDuration
  var conditions: FrameConditions
}

/// The newest exposures that were delivered, so that each can be painted once more, in another size: what the memory of
/// an image processor is in a real camera, for the price of some numbers a frame.
struct PastExposures {
  /// A ring once it is full.
  var exposures: [Exposure] = []
  private var next = 0

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
