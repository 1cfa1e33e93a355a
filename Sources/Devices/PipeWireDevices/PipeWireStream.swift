internal import CaptureDevice
internal import Linux
internal import StreamParts

/// A camera of PipeWire's opened by one client; dropping it closes the device.
///
/// Each run has a connection to PipeWire of its own, on its reader thread. Thread-safe.
final class PipeWireStream: CaptureStream {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  let configuration: StreamConfiguration
  private let device: PipeWireDevice
  private let format: NodeFormat
  private let starts = StreamStarts<PipeWireReading>()

  init(_ device: PipeWireDevice, _ configuration: StreamConfiguration, _ format: NodeFormat) {
    self.device = device
    self.configuration = configuration
    self.format = format
  }

  deinit {
    HeldLocks.assertNone(in: "PipeWireStream.deinit")
    stop()
    device.streamClosed()
  }

  /// Begins to connect; a camera that does not answer fails the stream.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    do throws(StreamStarts<PipeWireReading>.Refusal) {
      try starts.claim()
    } catch {
      throw CaptureDeviceError(.deviceBusy, "\(device.facts.name) streams already; stop the stream first.")
    }
    do throws(SystemError) {
      let wake = try WakeUp()
      let run = StreamRun(wake: wake, receiver: receiver)
      let reading = PipeWireReading(device, configuration, format, run, wake)
      starts.begin(run, reading)
      do throws(SystemError) {
        _ = try ReaderThread(name: "obscura-pipewire") {
          reading.read()
          run.finish()
        }
      } catch {
        run.finish()
        throw error
      }
      device.note(reading)
    } catch {
      starts.giveUp()
      throw CaptureDeviceError(
        .ioFailure, "\(device.facts.name) cannot start: \(error.explanation); close programs and try again.")
    }
  }

  func stop() {
    _ = starts.stop()
    starts.latest?.stills.answer(.failure(notStreaming))
  }

  private var notStreaming: CaptureDeviceError {
    CaptureDeviceError(.noFrames, "\(device.facts.name) does not stream; start it before a picture is taken.")
  }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    guard PipeWireDevice.nearest(duration, in: configuration.format) == configuration.frameDuration else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(device.facts.name) cannot change its frame rate while it streams; stop the stream and open it again."
      )
    }
    return configuration.frameDuration
  }

  /// Takes the next frame.
  func captureStill(_ request: StillRequest, completion: @escaping Completion) {
    if let refusal = refusal(of: request) { return completion(.failure(refusal)) }
    guard let stills = starts.running?.stills, let run = starts.unfinished, !run.isStopping else {
      return completion(.failure(notStreaming))
    }
    stills.add(completion)
    // The run may have ended before it saw the request.
    if run.isStopping { stills.answer(.failure(notStreaming)) }
  }

  private func refusal(of request: StillRequest) -> CaptureDeviceError? {
    let name = device.facts.name
    guard configuration.format.stillSizes.contains(request.size) else {
      return CaptureDeviceError(
        .formatUnsupported, "\(name) takes no pictures of \(request.size); choose a size of its format.")
    }
    if request.frame != nil || request.constituent != nil || request.exposure != nil || request.flash != .off
    {
      return CaptureDeviceError(
        .controlUnsupported,
        "\(name) takes its next picture alone, without a flash or an exposure of its own.")
    }
    return nil
  }
}
