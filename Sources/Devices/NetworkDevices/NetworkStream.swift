internal import CaptureDevice
internal import CoreMedia
internal import Linux
internal import StreamParts

/// A network camera or its microphone opened by one client; dropping it closes the device.
///
/// Each has a connection of its own, made when it is started, on the stream's reader thread. Thread-safe.
final class NetworkStream: CaptureStream {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  let configuration: StreamConfiguration
  private let device: NetworkDevice
  private let starts = StreamStarts<NetworkReading>()

  init(_ device: NetworkDevice, _ configuration: StreamConfiguration) {
    self.device = device
    self.configuration = configuration
  }

  deinit {
    HeldLocks.assertNone(in: "NetworkStream.deinit")
    stop()
    device.streamClosed()
  }

  /// Begins to connect; a camera that does not answer fails the stream.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    do throws(StreamStarts<NetworkReading>.Refusal) {
      try starts.claim()
    } catch {
      throw CaptureDeviceError(.deviceBusy, "\(device.facts.name) streams already; stop the stream first.")
    }
    do throws(SystemError) {
      let run = StreamRun(wake: try WakeUp(), receiver: receiver)
      let reading = NetworkReading(device, configuration, run)
      starts.begin(run, reading)
      do throws(SystemError) {
        _ = try ReaderThread(name: "obscura-network") {
          reading.read()
          run.finish()
        }
      } catch {
        run.finish()
        throw error
      }
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
    guard configuration.format.frameDurations.contains(where: { $0.contains(duration) }) else {
      throw CaptureDeviceError(
        .formatUnsupported, "\(device.facts.name) has its own frame rate; change it in the camera's settings."
      )
    }
    return configuration.frameDuration
  }

  /// Takes the next frame; of Motion JPEG alone.
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
