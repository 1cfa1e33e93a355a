internal import CaptureDevice
internal import Linux
internal import StreamParts

/// A network camera or its microphone opened by one client; dropping it closes the device.
///
/// Each has a connection of its own, made when it is started, on the stream's reader thread. Thread-safe.
final class NetworkStream: CaptureStream {
  let configuration: StreamConfiguration
  private let device: NetworkDevice
  private let runs: ReaderRuns<NetworkReading>

  init(_ device: NetworkDevice, _ configuration: StreamConfiguration) {
    self.device = device
    self.configuration = configuration
    runs = ReaderRuns(of: device.facts.name, thread: "obscura-network")
  }

  deinit {
    HeldLocks.assertNone(in: "NetworkStream.deinit")
    stop()
    device.streamClosed()
  }

  /// Begins to connect; a camera that does not answer fails the stream.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    try runs.start(receiver) { run, _ in NetworkReading(device, configuration, run) }
  }

  func stop() { runs.stop() }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    guard configuration.format.frameDurations.contains(where: { $0.contains(duration) }) else {
      throw CaptureDeviceError(
        .formatUnsupported, "\(device.facts.name) has its own frame rate; change it in the camera's settings."
      )
    }
    return configuration.frameDuration
  }

  /// Takes the next frame; of Motion JPEG alone.
  func captureStill(_ request: StillRequest, completion: @escaping WaitingStills.Completion) {
    runs.captureStill(request, of: configuration.format, completion: completion)
  }
}
