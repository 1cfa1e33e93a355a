package import CameraFrames
package import CaptureDevice
package import CoreMedia
internal import Dispatch
package import Linux
internal import PhotoProcessing

/// A running device as a photo sees it: what it is, how it streams, and its full-size pictures.
///
/// A snapshot: after the session has changed, ask the output for a new one; an old one answers with an error.
package struct StillSource: PhotoExposer {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  /// Where drivers are asked for what a frame lacks: that may take milliseconds, or hang.
  private static let slowQueue = DispatchQueue(label: "obscura.past-frames", qos: .userInitiated)

  fileprivate let feed: any StillFeed
  /// What the connection does with the device's pictures.
  package let plan: ConnectionPlan

  /// The device.
  package var device: AVCaptureDevice { feed.device }
  /// What is known of it.
  package var facts: DeviceFacts { feed.facts }
  /// How many frames the device has delivered since it was opened.
  package var deliveredFrames: Int { feed.deliveredFrames }
  /// How many nanoseconds a frame takes now, or its exposure where that is longer.
  package var frameNanoseconds: Int64 { feed.frameNanoseconds }
  /// How many nanoseconds the device may send nothing at present without being dead.
  package var silenceNanoseconds: Int64 { feed.silenceNanoseconds }
  /// Whether a frame is due that the machine gave the device no time to make.
  package var isBehind: Bool { feed.isBehind }

  /// How many frames one photo may hold: cameras without a memory of their own lend those of the stream, which must go on.
  package var burstLimit: Int {
    if ownsStills { return BurstPlan.most }
    return history?.burstLimit ?? HistoryPlan.photoFrames
  }

  /// Whether photos are exposed into memory of their own, and lend no frame of the stream.
  package var ownsStills: Bool { facts.capabilities.recalledFrames > 0 }

  // MARK: PhotoExposer

  package let processor: FrameProcessor
  package let history: FrameHistory?

  package func expose(
    _ request: StillRequest, of frame: PastFrame?,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    guard let frame else { return exposeNext(request, completion) }
    if let constituent = request.constituent {
      // Only the device has it, and it is of use for this moment alone.
      return captureStill(
        StillRequest(size: request.size, frame: frame.sequence, constituent: constituent),
        completion: completion)
    }
    // The others of its group are of the past, too.
    var request = request
    request.groupSize = 1
    switch frame.content {
    case nil:
      // A request's own exposure would be the next one's.
      var past = StillRequest(size: request.size, frame: frame.sequence)
      past.wantsMosaic = request.wantsMosaic
      captureStill(past) { [self, request] result in
        if case .failure(let error) = result, error.code == .frameExpired {
          return exposeNext(request, completion)
        }
        completion(result)
      }
    case let content?
    where content.picture.size == request.size && (content.mosaic != nil || !request.wantsMosaic):
      recall(frame, content, completion)
    default: exposeNext(request, completion)
    }
  }

  /// Delivers an exposure to come; photos of presses after it are of later ones.
  private func exposeNext(_ request: StillRequest, _ completion: @escaping Completion) {
    history?.awaitNext()
    captureStill(request) { [history] result in
      history?.endAwaiting(try? result.get().timestamp)
      completion(result)
    }
  }

  /// Delivers a past frame whose picture is in the history.
  private func recall(
    _ frame: PastFrame, _ content: FrameContent, _ completion: @escaping Completion
  ) {
    let captured = CapturedFrame(
      content: content, timestamp: frame.timestamp, sequence: frame.sequence, conditions: frame.conditions,
      inFlight: device.driver.holdClock())
    guard frame.conditions.state.exposure.durationNanoseconds == nil,
      !facts.capabilities.exposureModes.isEmpty
    else { return completion(.success(captured)) }
    // Such a device reports its exposure only when it is asked.
    Self.slowQueue.async {
      var controls = frame.conditions.state
      controls.exposure = device.driver.controlState.exposure
      var complete = captured
      complete.conditions = FrameConditions(controls)
      completion(.success(complete))
    }
  }

  /// As ``StillFeed/captureStill(_:completion:)``.
  package func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    feed.captureStill(request, completion: completion)
  }

  // MARK: Depth

  package func claimDepth(at moment: MonotonicInstant) -> DepthClaim? {
    plan.stream.depth.map { feed.depths.claim(at: moment, every: $0.frameDuration.nanoseconds) }
  }

  package func depthData(of map: CapturedDepth, as request: PhotoDepthRequest) -> AVDepthData? {
    guard let depth = plan.stream.depth else { return nil }
    return AVDepthData(
      of: map, format: depth.format, streamSize: plan.stream.size, lenses: CameraLenses(device),
      request)
  }

  // MARK: Press

  /// A press of now, or of the user's event at `time` on the session's clock.
  package func press(at time: CMTime? = nil) -> PhotoPress {
    let now = device.now
    let event = time.flatMap(MonotonicInstant.init).map { min($0, now) }
    return PhotoPress(time: event ?? now, change: device.newestChange)
  }
}

extension AVCaptureConnection {
  /// The device that feeds the connection, for full-size pictures; `nil` while it does not stream.
  package var stillSource: StillSource? {
    stillFeed.map {
      StillSource(
        feed: $0.feed, plan: $0.plan, processor: $0.feed.processor, history: $0.feed.history)
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
