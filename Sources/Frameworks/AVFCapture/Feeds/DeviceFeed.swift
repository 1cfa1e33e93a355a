internal import CameraFrames
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// An open device of a running session: its stream, and where the stream's frames go.
///
/// The routes change while the stream runs, so that an output can come or go without a gap for the others. Thread-safe.
final class DeviceFeed: StillFeed {
  let device: AVCaptureDevice
  let facts: DeviceFacts
  /// What the plan asked for; the driver may have granted another frame duration.
  let asked: Locked<StreamConfiguration>
  /// How many frames clients may hold at once, as the driver granted it.
  private let bufferCount: Locked<Int>
  /// How many depth maps clients may hold at once, as the driver granted it.
  private let depthBufferCount: Int
  let router: FrameRouter
  /// The way from frames to their pictures, for all sinks.
  private let currentProcessor = Locked(FrameProcessor())
  private let opened: Locked<Opened>
  let silence = Locked(Silence())

  /// In what time drivers stop a stream unless they hang.
  private static let answerNanoseconds: Int64 = 250_000_000

  private struct Opened {
    /// The stream; `nil` once it was closed.
    var stream: (any CaptureStream)?
    /// How many threads use it, under no lock; the last one lets go of the device.
    var users = 0
    /// Silences the program's short sounds while a microphone streams.
    var microphone: SystemSoundSilence.Microphone?
  }

  /// Opens the device; nothing streams yet.
  init(
    device: AVCaptureDevice, configuration: StreamConfiguration, clientQueue: DispatchQueue
  ) throws(CaptureDeviceError) {
    self.device = device
    facts = device.facts
    asked = Locked(configuration)
    var configuration = configuration
    if !device.driver.addsBuffers {
      configuration.bufferCount += configuration.laterBufferCount
      configuration.laterBufferCount = 0
    }
    let stream = try device.driver.openStream(configuration)
    bufferCount = Locked(stream.configuration.bufferCount)
    depthBufferCount = stream.configuration.depth?.bufferCount ?? 0
    opened = Locked(Opened(stream: stream))
    router = FrameRouter(device: device, clientQueue: clientQueue)
    device.streamWasOpened(configuration.format, by: self)
  }

  /// Starts the stream; `news` is called on the device's reader thread.
  func start(_ news: @escaping @Sendable (StreamReport) -> Void) throws(CaptureDeviceError) {
    router.refresh()
    try withStream { (stream) throws(CaptureDeviceError) in
      // The router, not the feed: a stream that holds its own feed would never be closed.
      try stream.start { [router] event in router.take(event, news: news) }
    }
    if facts.isMicrophone {
      let microphone = SystemSoundSilence.shared.microphoneRuns()
      opened.withLock { if $0.stream != nil { $0.microphone = microphone } }
    }
    lookAfter(news)
  }

  /// A connection that media shall flow through, and how.
  struct Way {
    var connection: AVCaptureConnection
    var plan: ConnectionPlan
  }

  /// Lets media flow along `ways` from now on.
  ///
  /// Ways that stay as they are go on undisturbed. No client is called, once this has returned, with a sample that came along
  /// a way that is not among them.
  ///
  /// - Parameter effects: What changes the pictures from now on.
  func connect(_ ways: [Way], effects: [FrameEffect]) {
    let (old, history) = (router.routes, history)
    let processor = processor(for: effects)
    let routes = ways.compactMap { way -> MediaRoute? in
      guard let sink = way.connection.sink else { return nil }
      let former = old.first { $0.connection === way.connection }
      let route = MediaRoute(
        sink: sink, connection: way.connection, plan: way.plan, processor: processor, shownFrames: history,
        continuing: former)
      if let former, former.isEqual(to: route) { return former }
      sink.attach(route)
      return route
    }
    for way in ways { way.connection.route(self, plan: way.plan) }
    router.setRoutes(routes)
  }

  var processor: FrameProcessor { currentProcessor.withLock { $0 } }

  /// The processor with these effects: the present one, unless they are others.
  private func processor(for effects: [FrameEffect]) -> FrameProcessor {
    let former = processor
    guard !former.effects.elementsEqual(effects, by: ===) else { return former }
    let new = FrameProcessor(effects: effects, after: former)
    currentProcessor.withLock { $0 = new }
    // With it may go a client's closure.
    withExtendedLifetime(former) {}
    return new
  }

  /// Lets no sample that is under way reach a client any more.
  func endRoutes() {
    router.setRoutes([])
    router.endDecoding(hasStopped)
  }

  private var hasStopped: CaptureDeviceError {
    CaptureDeviceError(.noFrames, "\(facts.name) takes no photo because it has stopped; start the session.")
  }

  /// The newest frames, for photos of the past; `nil` when none are kept.
  var history: FrameHistory? { router.history?.frames }

  var depths: DepthHistory { router.depths }

  /// Keeps the newest depth maps for photos from now on, or none.
  ///
  /// As many as the driver has buffers for beside the four that clients and the device itself need.
  func keepDepth(_ isWanted: Bool) {
    let spare = max(1, depthBufferCount - 4)
    depths.keep(isWanted ? min(spare, OutputRequirements.photoDepthBuffers) : 0)
  }

  /// Keeps none but the newest frame from now on, with which a history begins that is to be kept later.
  func awaitHistory() {
    router.setHistory(nil)
    router.keepNewest()
  }

  /// Keeps the newest frames as `plan` says from now on; `nil` is none.
  ///
  /// What is kept already stays where the plan is the same.
  func keepHistory(_ plan: HistoryPlan?) {
    guard router.history?.plan != plan else { return router.stopKeepingNewest() }
    let encoding = asked.withLock { $0.format.encoding }
    let isCompressed = encoding.needsDecoding
    // Decoded pictures are no memory of the device's.
    let granted = encoding.isCoded ? Int.max : bufferCount.withLock { $0 }
    router.setHistory(
      plan.flatMap { plan in
        FrameHistory(plan, granted: granted, isCompressed: isCompressed) { [device] in device.now }
          .map { (plan, $0) }
      })
  }

  /// Lets the running stream do what is wanted without a gap; `false` when it must be opened anew for that.
  func adapt(to wanted: StreamConfiguration) -> Bool {
    let present = asked.withLock { $0 }
    var adapted = present
    // More or fewer buffers are worth no gap in the viewfinder; photos of the past do with those that are there.
    adapted.bufferCount = wanted.bufferCount
    adapted.laterBufferCount = wanted.laterBufferCount
    adapted.frameDuration = wanted.frameDuration
    adapted.stabilization = wanted.stabilization
    guard adapted == wanted else { return false }
    noteSilenceLimit()
    defer { noteSilenceLimit() }
    let isAdapted =
      withStream { stream in
        do throws(CaptureDeviceError) {
          if wanted.stabilization != present.stabilization {
            try stream.setStabilization(wanted.stabilization)
          }
          if wanted.frameDuration != present.frameDuration {
            _ = try stream.setFrameDuration(wanted.frameDuration)
          }
          return true
        } catch {
          return false
        }
      } ?? false
    guard isAdapted else { return false }
    if present.laterBufferCount > 0, wanted.laterBufferCount == 0, let count = withStream({ $0.addBuffers() })
    {
      bufferCount.withLock { $0 = count }
    }
    asked.withLock { $0 = wanted }
    return true
  }

  /// Stops and closes the device.
  ///
  /// Closing twice is harmless. A thread that is asking the stream for something closes the device when it is done; until
  /// then the device counts as held.
  ///
  /// - Returns: Whether the driver has answered at once: what takes longer may hang, and is better not asked for more.
  @discardableResult
  func close() -> Bool {
    HeldLocks.assertNone(in: "DeviceFeed.close()")
    endRoutes()
    lookNoMore()
    let began = device.now
    withStream { stream in
      let kept = opened.withLock { ($0.stream.take(), $0.microphone.take()) }
      stream.stop()
      withExtendedLifetime(kept) {}
    }
    device.streamWasClosed(by: self)
    router.setHistory(nil)
    depths.keep(0)
    return device.now.nanoseconds - began.nanoseconds < Self.answerNanoseconds
  }

  /// Runs `body` on the stream, under no lock; `nil` when it was closed.
  @discardableResult
  private func withStream<Result, Failure: Error>(
    _ body: (any CaptureStream) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    defer { leaveStream() }
    return try use(body)
  }

  /// The reference to the stream has gone when this has returned.
  @inline(never)
  private func use<Result, Failure: Error>(
    _ body: (any CaptureStream) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let stream = opened.withLock { opened in
      opened.users += 1
      return opened.stream
    }
    guard let stream else { return nil }
    return try body(stream)
  }

  private func leaveStream() {
    let isFree = opened.withLock { opened in
      opened.users -= 1
      return opened.users == 0 && opened.stream == nil
    }
    if isFree { HeldDevices.shared.forget(self) }
  }

  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    let asked: Void? = withStream { stream in
      guard stream.configuration.format.encoding.isCoded else {
        return stream.captureStill(request, completion: completion)
      }
      guard request.exposure == nil, request.flash == .off, request.frame == nil else {
        return completion(
          .failure(
            CaptureDeviceError(
              .controlUnsupported,
              "\(facts.name) takes photos with a flash or an exposure of their own in other formats; choose one that is not coded."
            )))
      }
      router.stills.wait(since: device.now, completion)
    }
    if asked == nil { completion(.failure(hasStopped)) }
  }

  /// Whether it was not closed.
  var isOpen: Bool { opened.withLock { $0.stream != nil } }

  var deliveredFrames: Int { counts.captured }
  var isBehind: Bool { withStream(\.isBehind) ?? false }
  /// How long a frame takes, as the driver granted it; 0 when it was closed.
  var grantedFrameNanoseconds: Int64 { withStream { $0.configuration.frameDuration.nanoseconds } ?? 0 }
  var lookAheadNanoseconds: Int64 {
    withStream { Int64($0.lookAhead) * $0.configuration.frameDuration.nanoseconds } ?? 0
  }

  /// Frames or chunks of audio that the device delivered, and that it counted as lost.
  var counts: (captured: Int, lost: Int) { router.counts }
}
