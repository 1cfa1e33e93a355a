internal import CaptureDevice
internal import Linux
internal import StreamParts

/// A camera of PipeWire's opened by one client; dropping it closes the device.
///
/// Each run has a connection to PipeWire of its own, on its reader thread. Thread-safe.
final class PipeWireStream: CaptureStream {
  let configuration: StreamConfiguration
  private let device: PipeWireDevice
  private let format: NodeFormat
  private let runs: ReaderRuns<PipeWireReading>

  init(_ device: PipeWireDevice, _ configuration: StreamConfiguration, _ format: NodeFormat) {
    self.device = device
    self.configuration = configuration
    self.format = format
    runs = ReaderRuns(of: device.facts.name, thread: "obscura-pipewire")
  }

  deinit {
    HeldLocks.assertNone(in: "PipeWireStream.deinit")
    stop()
    device.streamClosed()
  }

  /// Begins to connect; a camera that does not answer fails the stream.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    let reading = try runs.start(receiver) { run, wake in
      PipeWireReading(device, configuration, format, run, wake)
    }
    device.note(reading)
  }

  func stop() { runs.stop() }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    guard configuration.format.nearest(duration) == configuration.frameDuration else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(device.facts.name) cannot change its frame rate while it streams; stop the stream and open it again."
      )
    }
    return configuration.frameDuration
  }

  /// Takes the next frame.
  func captureStill(_ request: StillRequest, completion: @escaping WaitingStills.Completion) {
    runs.captureStill(request, of: configuration.format, completion: completion)
  }
}
