package import CaptureDevice
package import CoreMedia
internal import Dispatch
internal import Linux

extension StillSource {
  /// Where drivers are asked for what a frame lacks: that may take milliseconds, or hang.
  private static let slowQueue = DispatchQueue(label: "obscura.past-frames", qos: .userInitiated)

  /// A press of now, or of the user's event at `time` on the session's clock.
  package func press(at time: CMTime? = nil) -> PhotoPress {
    let now = device.now
    let event = time.flatMap(MonotonicInstant.init).map { min($0, now) }
    return PhotoPress(time: event ?? now, change: device.newestChange)
  }

  /// Delivers the picture of the frame that the viewfinder showed at a press, or of the next exposure when that frame cannot
  /// be had.
  ///
  /// - Parameters:
  ///   - request: What is asked of the device if the next exposure is needed.
  ///   - completion: Called exactly once. On the calling thread, before this returns, when the frame's picture is at hand;
  ///     else on any thread. The frame keeps a manual clock waiting.
  package func capture(
    _ request: StillRequest, at press: PhotoPress,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    guard let history, let frame = history.choose(for: press)?.frame else {
      return captureNext(request, completion: completion)
    }
    guard let picture = frame.picture else {
      // A request's own exposure would be the next one's.
      return captureStill(StillRequest(size: request.size, frame: frame.sequence)) { [self] result in
        if case .failure(let error) = result, error.code == .frameExpired {
          return captureNext(request, completion: completion)
        }
        completion(result)
      }
    }
    guard picture.size == request.size else { return captureNext(request, completion: completion) }
    let captured = CapturedFrame(
      picture: picture, timestamp: frame.timestamp, sequence: frame.sequence, conditions: frame.conditions,
      inFlight: device.driver.holdClock())
    guard frame.conditions.state.exposure.durationNanoseconds == nil,
      !facts.capabilities.exposureModes.isEmpty
    else { return completion(.success(captured)) }
    // Such a device tells its exposure only when it is asked.
    Self.slowQueue.async { [self] in
      var controls = frame.conditions.state
      controls.exposure = device.driver.controlState.exposure
      var told = captured
      told.conditions = FrameConditions(controls)
      completion(.success(told))
    }
  }
}

extension StillSource {
  /// Delivers an exposure to come, as ``captureStill(_:completion:)`` does; photos of presses after it are of later ones.
  package func captureNext(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    history?.awaitNext()
    captureStill(request) { [history] result in
      history?.endAwaiting(try? result.get().timestamp)
      completion(result)
    }
  }
}

extension CapturedFrame.Picture {
  fileprivate var size: FrameSize {
    switch self {
    case .pixels(let pixels): FrameSize(width: pixels.width, height: pixels.height)
    case .jpeg(_, let size): size
    case .h264(let coded):
      FrameSize(width: Int(coded.format.dimensions.width), height: Int(coded.format.dimensions.height))
    }
  }
}

extension MonotonicInstant {
  /// The moment of a time in seconds of any scale; `nil` for one that is no number.
  fileprivate init?(_ time: CMTime) {
    guard time.isNumeric else { return nil }
    self.init(nanoseconds: CMTimeConvertScale(time, timescale: 1_000_000_000, method: .default).value)
  }
}
