package import CaptureDevice
internal import CoreMedia
internal import CoreVideo
package import Linux

/// A frame that has been delivered, as a photo can still have it.
package struct PastFrame: Sendable {
  /// The picture in the device's own memory; `nil` when the device keeps it, see ``StillRequest/frame``.
  package var content: FrameContent?
  /// As ``CapturedFrame/timestamp``.
  package var timestamp: MonotonicInstant
  /// As ``CapturedFrame/sequence``.
  package var sequence: UInt32
  /// As ``CapturedFrame/conditions``.
  package var conditions: FrameConditions
  /// When a viewfinder first showed it, on the clock of ``timestamp``; `nil` when none has.
  package var shown: MonotonicInstant?
  fileprivate var bytes = 0
}

/// The newest frames of a running camera, kept for photos of the moment that the viewfinder shows: zero shutter lag.
///
/// A ring with a fixed number of places and a bound of bytes, ``HistoryPlan``. Frames are held, not copied: each in it is one
/// buffer less for the driver, which has been asked for as many more. Should the driver run out of buffers all the same, the
/// history gives up its oldest frame, and does with one less for some seconds: the viewfinder comes first. Only compressed
/// frames of a driver that grants too few buffers are copied.
///
/// The frame on show stays until another is shown, for at most a second, however slow the viewfinder is.
///
/// Thread-safe. ``take(_:)`` is called on the reader thread: one lock, a constant number of steps, no allocation unless it
/// copies.
package final class FrameHistory: Sendable {
  struct State {
    /// Oldest first.
    var frames: [PastFrame] = []
    var bytes = 0
    /// How many frames are kept now.
    var capacity: Int
    /// How many frames shall be kept.
    var wanted: Int
    /// Counts frames since the driver ran out of buffers.
    var sinceStarved = 0
    /// After so many frames one more is kept again.
    var timeout = FrameHistory.firstTimeout
    /// Whether the last change of the capacity was one frame more.
    var isTrial = false
    var isOpen = true
    /// When the newest frame was exposed that became a photo.
    var lastTaken: MonotonicInstant?
    /// When the newest press was that asked for a frame.
    var lastPress: MonotonicInstant?
    /// How many photos wait for exposures to come.
    var awaited = 0
  }

  /// A buffer in the delegate's hands, one that waits for it, the preview's newest and the one that is being drawn.
  private static let viewfinderBuffers = 4
  /// How many frames without a loss it takes to try again with one frame more; twice as many after each failure.
  fileprivate static let firstTimeout = 256
  fileprivate static let lastTimeout = 1 << 16
  /// A viewfinder that has shown nothing newer for so long has stopped.
  static let longestShow: Int64 = 1_000_000_000

  /// How many frames one photo may hold.
  package let burstLimit: Int
  private let keeper: HistoryPlan.Keeper
  private let copiesCompressed: Bool
  private let clock: @Sendable () -> MonotonicInstant
  let state: Locked<State>

  /// A history of a stream; `nil` when the driver granted so few buffers that none can be spared.
  ///
  /// - Parameters:
  ///   - plan: How many frames, and where their pictures are.
  ///   - granted: How many frames clients may hold at once.
  ///   - isCompressed: Whether the stream is motion JPEG.
  ///   - clock: The device's clock.
  package init?(
    _ plan: HistoryPlan, granted: Int, isCompressed: Bool = false,
    clock: @escaping @Sendable () -> MonotonicInstant
  ) {
    keeper = plan.keeper
    burstLimit = granted < plan.bufferCount(besides: 0) ? HistoryPlan.photoFrames : plan.burstFrames
    let spared = max(granted - Self.viewfinderBuffers, 0)
    copiesCompressed = keeper == .us && isCompressed && spared < plan.frames
    let frames = keeper == .device || copiesCompressed ? plan.frames : min(plan.frames, spared)
    if frames < HistoryPlan.leastFrames { return nil }
    self.clock = clock
    state = Locked(State(capacity: frames, wanted: frames))
    // One place more than it keeps, so that a frame comes in before the oldest goes.
    state.withLock { $0.frames.reserveCapacity(frames + 1) }
  }

  /// How many frames there are now, and the bytes of their pictures.
  package var usage: (frames: Int, bytes: Int) { state.withLock { ($0.frames.count, $0.bytes) } }

  /// How many frames it keeps at present.
  package var capacity: Int { state.withLock { $0.capacity } }

  // MARK: Frames, on the reader thread

  /// Keeps a frame, in place of the oldest.
  package func take(_ frame: CapturedFrame) {
    let kept = past(frame)
    // Another count of frames: what came before belongs to a stream that is over.
    if state.withLock({ $0.isPast(kept.sequence) }) { forget() }
    var gone = state.withLock { state -> PastFrame? in
      guard state.isOpen else { return nil }
      state.regain()
      state.frames.append(kept)
      state.bytes += kept.bytes
      return state.evict()
    }
    // Outside the lock: a buffer goes back to its driver here.
    while gone != nil { gone = state.withLock { $0.evict() } }
  }

  /// Notes that the device lost a frame: where every buffer was out, one comes back from here.
  package func take(_ drop: DroppedFrame) {
    guard drop.reason == .outOfBuffers, keeper == .us, !copiesCompressed else { return }
    let gone = state.withLock { $0.yield() }
    withExtendedLifetime(gone) {}
  }

  /// Notes that a photo waits for an exposure to come: presses after it get none from before that.
  package func awaitNext() {
    state.withLock { $0.awaited += 1 }
  }

  /// Notes that such a photo waits no more.
  ///
  /// - Parameter timestamp: When its frame was exposed, of which there will be no other photo; `nil` when there is none.
  package func endAwaiting(_ timestamp: MonotonicInstant?) {
    state.withLock { state in
      state.awaited -= 1
      if let timestamp { state.lastTaken = max(state.lastTaken ?? timestamp, timestamp) }
    }
  }

  /// Lets every frame go: what comes next is not what the viewfinder showed.
  package func forget() {
    let gone = state.withLock { state in
      defer { state.clear() }
      return state.frames
    }
    withExtendedLifetime(gone) {}
  }

  /// Lets every frame go and takes no more: the stream is over.
  package func close() {
    state.withLock { $0.isOpen = false }
    forget()
  }

  private func past(_ frame: CapturedFrame) -> PastFrame {
    var past = PastFrame(
      timestamp: frame.timestamp, sequence: frame.sequence, conditions: frame.conditions)
    guard keeper == .us else { return past }
    switch frame.picture {
    case .pixels(let pixels):
      past.bytes = pixels.dataSize
      past.content = frame.content.with(inFlight: nil)
    case .jpeg(let block, let size):
      past.bytes = block.dataLength
      past.content =
        copiesCompressed ? frame.content.with(copy: block.copied(), size) : frame.content.with(inFlight: nil)
    case .mosaic(let mosaic):
      past.bytes = mosaic.data.dataLength
      past.content =
        copiesCompressed ? frame.content.with(copy: mosaic.data.copied()) : frame.content.with(inFlight: nil)
    case .coded:
      // Its decoded picture comes as a frame of its own.
      break
    }
    return past
  }

  // MARK: The viewfinder

  /// Notes that a viewfinder shows a frame from now on: a delegate is being called with it, or a host draws it.
  package func noteShown(_ sequence: UInt32) {
    let now = clock()
    state.withLock { state in
      guard let index = state.frames.lastIndex(where: { $0.sequence == sequence }),
        state.frames[index].shown == nil
      else { return }
      state.frames[index].shown = now
    }
  }
}

extension FrameHistory: ShownFrameLog {}

extension FrameHistory.State {
  /// Takes out the oldest frame if there are too many, or too many bytes; but not the one on show.
  fileprivate mutating func evict() -> PastFrame? {
    guard let newest = frames.last, frames.count > capacity || bytes > HistoryPlan.byteLimit else {
      return nil
    }
    let shown = frames.lastIndex { $0.shown != nil }
    let isOnShow =
      shown == 0 && frames.count > 2
      && newest.timestamp.nanoseconds - frames[0].timestamp.nanoseconds <= FrameHistory.longestShow
    return takeOut(isOnShow ? 1 : 0)
  }

  /// Whether a frame of that number cannot follow those that are here.
  fileprivate func isPast(_ sequence: UInt32) -> Bool {
    frames.last.map { $0.sequence >= sequence } ?? false
  }

  private mutating func takeOut(_ index: Int) -> PastFrame? {
    guard frames.indices.contains(index) else { return nil }
    bytes -= frames[index].bytes
    return frames.remove(at: index)
  }

  /// Gives up the oldest frame because the driver has no buffer left, and keeps one less for a while.
  fileprivate mutating func yield() -> PastFrame? {
    if isTrial { timeout = min(timeout * 2, FrameHistory.lastTimeout) }
    isTrial = false
    sinceStarved = 0
    capacity = min(capacity, max(frames.count - 1, 0))
    return takeOut(0)
  }

  /// Counts a frame that came; keeps one more again when all has gone well for long.
  fileprivate mutating func regain() {
    guard capacity < wanted else { return }
    sinceStarved += 1
    guard sinceStarved >= timeout else { return }
    if isTrial { timeout = FrameHistory.firstTimeout }
    isTrial = true
    sinceStarved = 0
    capacity += 1
  }

  fileprivate mutating func clear() {
    frames.removeAll(keepingCapacity: true)
    bytes = 0
  }
}

extension CMBlockBuffer {
  /// The same bytes in memory of their own.
  fileprivate func copied() -> CMBlockBuffer {
    let length = dataLength
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
    _ = CMBlockBufferCopyDataBytes(
      self, atOffset: 0, dataLength: length, destination: memory.baseAddress.unsafelyUnwrapped)
    let address = UInt(bitPattern: memory.baseAddress)
    return CMBlockBuffer(wrapping: memory) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }
}
