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

  /// The configuration that the device granted.
  public var configuration: StreamConfiguration { engine.configuration }

  /// The counts of frames since the last start.
  public var statistics: StreamStatistics { engine.statistics }

  /// The counts of depth maps since the last start; all zero without depth.
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

  /// Changes the stabilization from the next exposure on.
  ///
  /// Where the new mode looks less far ahead, the frames that were kept back come at twice the rate until they have caught up.
  public func setStabilization(_ mode: StabilizationMode) throws(CaptureDeviceError) {
    try engine.setStabilization(mode)
  }

  /// Lets clients hold more frames from the next one on.
  public func addBuffers() -> Int { engine.addBuffers() }

  /// The number of frames that are kept back, because the stabilization looks ahead or did until now.
  public var lookAhead: Int { engine.lookAhead }

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
