public import CaptureDevice
internal import Linux

/// A simulated device opened by one client; dropping it closes the device.
///
/// Thread-safe.
public final class SimulatedStream: CaptureStream {
  private let engine: any StreamEngine
  private let device: SimulatedDevice

  init(engine: any StreamEngine, device: SimulatedDevice) {
    self.engine = engine
    self.device = device
  }

  deinit {
    HeldLocks.assertNone(in: "SimulatedStream.deinit")
    engine.stop()
    device.streamClosed()
  }

  /// What was granted.
  public var configuration: StreamConfiguration { engine.configuration }

  /// What became of the frames since the last start.
  public var statistics: StreamStatistics { engine.statistics }

  /// What became of the depth maps since the last start; all zero without depth.
  public var depthStatistics: StreamStatistics { engine.depthStatistics }

  /// Starts streaming; the first frame comes one frame duration later.
  public func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    try device.streamStarts()
    try engine.start(receiver)
    device.streamStarted()
  }

  /// Stops streaming; no event comes afterwards.
  public func stop() {
    engine.stop()
  }

  /// Changes the frame duration from the frame after the next on.
  public func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    try engine.setFrameDuration(duration)
  }

  /// Whether a frame or chunk is due that the machine gave it no time to make.
  public var isBehind: Bool { engine.isBehind }

  /// Takes the next exposure in full size as well.
  public func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    engine.captureStill(request, completion: completion)
  }
}
