public import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Linux
internal import PixelTransforms
internal import StreamParts

/// A movie's camera or microphone opened by one client; dropping it closes the device.
///
/// Pictures come in the movie's time, also where that varies, with stamps that are exactly as far apart as the movie's; when it ends
/// it begins anew. Thread-safe.
public final class MovieStream: CaptureStream {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  /// The configuration that the device granted.
  public let configuration: StreamConfiguration
  private let device: MovieDevice
  private let starts = StreamStarts<MovieStreaming>()

  init(_ device: MovieDevice, _ configuration: StreamConfiguration) {
    self.device = device
    self.configuration = configuration
  }

  deinit {
    HeldLocks.assertNone(in: "MovieStream.deinit")
    stop()
    device.streamClosed()
  }

  /// Starts streaming; with the movie's first frame, unless its other stream runs already: then where that is.
  public func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    do throws(StreamStarts<MovieStreaming>.Refusal) {
      try starts.claim()
    } catch {
      throw CaptureDeviceError(.deviceBusy, "\(device.facts.name) streams already; stop the stream first.")
    }
    do throws(SystemError) {
      let wake = device.clock.movesByHand ? nil : try WakeUp()
      let run = StreamRun(wake: wake, receiver: receiver)
      let streaming = MovieStreaming(device, configuration, run)
      starts.begin(run, streaming)
      guard let wake else { return streaming.plan() }
      do throws(SystemError) {
        _ = try ReaderThread(name: "obscura-film") {
          streaming.play(wake)
          streaming.end()
          run.finish()
        }
      } catch {
        streaming.end()
        run.finish()
        throw error
      }
    } catch {
      starts.giveUp()
      throw CaptureDeviceError(
        .ioFailure, "\(device.facts.name) cannot start: \(error.explanation); close programs and try again.")
    }
  }

  /// Stops streaming; no event comes afterwards.
  public func stop() {
    _ = starts.stop()
    starts.latest?.end()
    starts.latest?.stills.answer(.failure(notStreaming))
  }

  private var notStreaming: CaptureDeviceError {
    CaptureDeviceError(.noFrames, "\(device.facts.name) does not stream; start it before a picture is taken.")
  }

  /// Refused unless it is the movie's own: its frames come when the movie shows them.
  public func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    guard configuration.format.frameDurations.contains(where: { $0.contains(duration) }) else {
      throw CaptureDeviceError(
        .formatUnsupported, "\(device.facts.name) is a movie and has its own frame rate; leave it as it is.")
    }
    return duration
  }

  /// Takes the movie's next frame.
  public func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
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
    if request.exposure != nil {
      return CaptureDeviceError(.controlUnsupported, "\(name) is a movie, which is exposed already.")
    }
    if request.constituent != nil {
      return CaptureDeviceError(
        .controlUnsupported, "\(name) has no cameras under it; ask for its own picture.")
    }
    if request.frame != nil {
      return CaptureDeviceError(.frameExpired, "\(name) keeps no past frames; take the next one.")
    }
    return nil
  }
}
