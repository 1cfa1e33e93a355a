internal import CaptureDevice
internal import Dispatch
internal import Linux
internal import StreamParts

/// The pictures that clients want of a camera's stream: waits for their exposure, has them painted, and answers each once.
///
/// On a manual clock they are handed over at once, and painted when they are read, so that what follows does not depend on how
/// fast the machine is; else painted on a queue beside the camera's thread, so that frames go on. Thread-safe.
final class StillPictures: Sendable {
  private struct Still {
    var request: StillRequest
    var requested: MonotonicInstant
    var completion: @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  }

  private struct State {
    /// Whether a run is under way.
    var isOpen = false
    /// By the time of their request.
    var waiting: [Still] = []
    /// Taken with the exposure that is under way.
    var exposing: [Still] = []
    /// Exposed and being painted, by number; on the real clock only.
    var developing: [UInt64: Still] = [:]
    /// Painted and not yet handed over.
    var developed: [(number: UInt64, result: Result<CapturedFrame, CaptureDeviceError>)] = []
    var nextNumber: UInt64 = 0
    var past = PastExposures()
  }

  private let camera: CameraParts
  private let maker: FrameMaker
  private let state = Locked(State())
  private let darkroom = DispatchQueue(label: "obscura.simulated-stills")

  init(_ camera: CameraParts, _ maker: FrameMaker) {
    self.camera = camera
    self.maker = maker
  }

  /// Begins a run.
  func open() {
    state.withLock { $0 = State(isOpen: true) }
  }

  /// Ends the run, and answers what was still to come.
  func close(_ error: CaptureDeviceError) {
    let stills = state.withLock { state in
      defer { state = State() }
      return state.developing.sorted { $0.key < $1.key }.map(\.value) + state.exposing + state.waiting
    }
    for still in stills { still.completion(.failure(error)) }
  }

  /// Takes a request, which must be one that the stream can serve; `run` is the one under way, if any.
  func take(
    _ request: StillRequest, run: StreamRun?,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    let still = Still(request: request, requested: camera.world.clock.now, completion: completion)
    if let run, let frame = request.frame { return recall(frame, for: still, run: run) }
    let isQueued = state.withLock { state in
      guard state.isOpen, request.frame == nil else { return false }
      state.waiting.append(still)
      return true
    }
    guard !isQueued else { return }
    completion(
      .failure(
        camera.error(.noFrames, "takes no picture because it does not stream; start it first.")))
  }

  // MARK: Frames

  /// Begins to expose the pictures that are taken with the exposure that begins at `timestamp`: those that share it, one with
  /// an exposure of its own, or a group; returns the first request.
  func expose(at timestamp: MonotonicInstant) -> StillRequest? {
    state.withLock { state in
      guard let first = state.waiting.first, first.requested <= timestamp else { return nil }
      let due = state.waiting.firstIndex { $0.requested > timestamp } ?? state.waiting.count
      let end: Int
      if first.request.groupSize > 1 {
        end = first.request.groupSize
        guard due >= end else { return nil }
      } else if first.request.isOwn {
        end = 1
      } else {
        end = state.waiting[..<due].firstIndex { $0.request.isOwn || $0.request.groupSize > 1 } ?? due
      }
      state.exposing = Array(state.waiting[..<end])
      state.waiting.removeFirst(end)
      return first.request
    }
  }

  /// Notes a frame that is delivered.
  func note(_ exposure: Exposure) {
    state.withLock { $0.past.note(exposure, capacity: camera.model.facts.capabilities.recalledFrames) }
  }

  /// Takes the pictures of an exposure that is over.
  func complete(_ exposure: Exposure, run: StreamRun) {
    let stills = state.withLock { state in
      defer { state.exposing = [] }
      return state.exposing
    }
    for still in stills {
      if camera.world.clock.isManual {
        hand(maker.still(still.request, of: exposure), to: still, run: run)
      } else {
        develop(still, exposure)
      }
    }
  }

  private func develop(_ still: Still, _ exposure: Exposure) {
    let number = state.withLock { state -> UInt64? in
      guard state.isOpen else { return nil }
      state.nextNumber += 1
      state.developing[state.nextNumber] = still
      return state.nextNumber
    }
    guard let number else { return fail(still) }
    darkroom.async { [weak self] in
      guard let self, state.withLock({ $0.developing[number] != nil }) else { return }
      let result = maker.still(still.request, of: exposure)
      state.withLock { state in
        if state.developing[number] != nil { state.developed.append((number, result)) }
      }
    }
  }

  /// Hands painted pictures to their clients, on the thread of the events.
  func handOver(run: StreamRun) {
    let ready = state.withLock { state -> [(Still, Result<CapturedFrame, CaptureDeviceError>)] in
      defer { state.developed = [] }
      return state.developed.compactMap { number, result in
        state.developing.removeValue(forKey: number).map { ($0, result) }
      }
    }
    for (still, result) in ready { hand(result, to: still, run: run) }
  }

  /// Paints the picture of a frame that was delivered already.
  private func recall(_ frame: UInt32, for still: Still, run: StreamRun) {
    guard let exposure = state.withLock({ $0.past.exposure(frame) }) else {
      return still.completion(
        .failure(
          camera.error(
            .frameExpired, "does not keep its frame \(frame) any more; ask for a newer one, or the next.")))
    }
    guard maker.paintsAhead else {
      return hand(maker.still(still.request, of: exposure), to: still, run: run)
    }
    // A press returns at once; a manual clock waits for the token.
    let token = camera.world.clock.makeToken()
    darkroom.async { [self] in
      hand(maker.still(still.request, of: exposure), to: still, run: run)
      withExtendedLifetime(token) {}
    }
  }

  private func hand(
    _ result: Result<CapturedFrame, CaptureDeviceError>, to still: Still, run: StreamRun
  ) {
    if !run.perform({ still.completion(result) }) { fail(still) }
  }

  private func fail(_ still: Still) {
    still.completion(
      .failure(
        camera.error(.noFrames, "was stopped while it took the picture; start it and try again.")))
  }
}
