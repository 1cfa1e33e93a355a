internal import CaptureDevice

/// The engine behind a stream object: it produces a camera's frames or a microphone's chunks.
protocol StreamEngine: AnyObject, Sendable {
  var configuration: StreamConfiguration { get }
  var statistics: StreamStatistics { get }
  var depthStatistics: StreamStatistics { get }
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError)
  func stop()
  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration
  func setStabilization(_ mode: StabilizationMode) throws(CaptureDeviceError)
  /// As ``CaptureStream/addBuffers()``.
  func addBuffers() -> Int
  /// The number of frames that are kept back now.
  var lookAhead: Int { get }
  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void)
  /// Whether a frame or chunk is due that the machine gave it no time to make.
  var isBehind: Bool { get }
  /// Ends the stream with an error, as the device's own events do.
  func fail(_ error: CaptureDeviceError)
}

extension StreamEngine {
  /// For what measures no depth.
  var depthStatistics: StreamStatistics { StreamStatistics() }
  /// For what has no buffers.
  func addBuffers() -> Int { configuration.bufferCount }
  /// For what keeps nothing back.
  var lookAhead: Int { 0 }
}

/// The counts of a stream's captured, delivered and dropped frames; the first is always the sum of the others.
public struct StreamStatistics: Sendable, Hashable {
  /// Frames that the sensor exposed; each has a sequence number.
  public var captured = 0
  /// Frames handed to the receiver.
  public var delivered = 0
  /// Frames reported as dropped because clients held every buffer.
  public var droppedOutOfBuffers = 0
  /// Frames reported as dropped because the device lost them.
  public var droppedDiscontinuity = 0

  /// All dropped frames.
  public var dropped: Int { droppedOutOfBuffers + droppedDiscontinuity }

  mutating func countDelivered() {
    captured += 1
    delivered += 1
  }

  mutating func countDropped(_ reason: DropReason) {
    captured += 1
    switch reason {
    case .outOfBuffers: droppedOutOfBuffers += 1
    case .discontinuity: droppedDiscontinuity += 1
    }
  }
}
