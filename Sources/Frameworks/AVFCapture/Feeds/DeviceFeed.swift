internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
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
  private let bufferCount: Int
  private let router: FrameRouter
  /// What is done once to every frame, for all sinks.
  private let stage = FrameStage()
  private let opened: Locked<Opened>
  private let quiet = Locked(FeedSilence())

  private struct Opened {
    /// The stream; `nil` once it was closed.
    var stream: (any CaptureStream)?
    /// How many threads use it, under no lock; the last one lets go of the device.
    var users = 0
  }

  /// Opens the device; nothing streams yet.
  init(
    device: AVCaptureDevice, configuration: StreamConfiguration, clientQueue: DispatchQueue
  ) throws(CaptureDeviceError) {
    self.device = device
    facts = device.facts
    asked = Locked(configuration)
    let stream = try device.driver.openStream(configuration)
    bufferCount = stream.configuration.bufferCount
    opened = Locked(Opened(stream: stream))
    router = FrameRouter(device: device, clientQueue: clientQueue)
  }

  /// Starts the stream; `news` is called on the device's reader thread.
  func start(_ news: @escaping @Sendable (StreamNews) -> Void) throws(CaptureDeviceError) {
    router.refresh()
    try withStream { (stream) throws(CaptureDeviceError) in
      // The router, not the feed: a stream that holds its own feed would never be closed.
      try stream.start { [router] event in router.take(event, news: news) }
    }
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
  func connect(_ ways: [Way]) {
    let (old, history) = (router.routes, history)
    let routes = ways.compactMap { way -> MediaRoute? in
      guard let sink = way.connection.sink else { return nil }
      let former = old.first { $0.connection === way.connection }
      let route = MediaRoute(
        sink: sink, connection: way.connection, plan: way.plan, stage: stage, shownFrames: history,
        continuing: former)
      if let former, former.isEqual(to: route) { return former }
      sink.attach(route)
      return route
    }
    for way in ways { way.connection.route(self, plan: way.plan) }
    router.setRoutes(routes)
  }

  /// Lets no sample that is under way reach a client any more.
  func endRoutes() { router.setRoutes([]) }

  /// The newest frames, for photos of the past; `nil` when none are kept.
  var history: FrameHistory? { router.history?.frames }

  /// Keeps the newest frames as `plan` says from now on; `nil` is none.
  ///
  /// What is kept already stays where the plan is the same.
  func keepHistory(_ plan: HistoryPlan?) {
    guard router.history?.plan != plan else { return }
    let isCompressed = asked.withLock { $0.format.encoding.needsDecoding }
    router.setHistory(
      plan.flatMap { plan in
        FrameHistory(plan, granted: bufferCount, isCompressed: isCompressed) { [device] in device.now }
          .map { (plan, $0) }
      })
  }

  /// Changes the rate of the running stream without a gap; `false` when it must be opened anew for that.
  func setFrameDuration(_ configuration: StreamConfiguration) -> Bool {
    let isChanged = withStream { (try? $0.setFrameDuration(configuration.frameDuration)) != nil } ?? false
    if isChanged { asked.withLock { $0 = configuration } }
    return isChanged
  }

  /// Stops and closes the device.
  ///
  /// Closing twice is harmless. A thread that is asking the stream for something closes the device when it is done; until
  /// then the device counts as held.
  func close() {
    HeldLocks.assertNone(in: "DeviceFeed.close()")
    endRoutes()
    withStream { stream in
      let kept = opened.withLock { $0.stream.take() }
      stream.stop()
      withExtendedLifetime(kept) {}
    }
    router.setHistory(nil)
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
    let asked: Void? = withStream { $0.captureStill(request, completion: completion) }
    if asked == nil {
      completion(
        .failure(
          CaptureDeviceError(
            .noFrames, "\(facts.name) takes no photo because it has stopped; start the session.")))
    }
  }

  /// Nanoseconds on the device's clock since it last delivered something, or was started.
  func silence() -> Int64 {
    device.now.nanoseconds - router.lastNews
  }

  func refresh() {
    router.refresh()
  }

  /// Looks whether the device is silent for too long, `elapsed` nanoseconds after the look before, which was to come after
  /// `asked`.
  func lookForSilence(elapsed: Int64, asked: Int64) -> FeedSilence.Finding {
    // A clock that is moved by hand does not pass while this process is stopped.
    guard device.clock === CMClock.hostTimeClock else {
      return silence() > FeedSilence.timeoutNanoseconds ? .timedOut : .nothing
    }
    let counts = counts
    let isBehind = isBehind
    return quiet.withLock {
      $0.look(count: counts.captured + counts.lost, isBehind: isBehind, elapsed: elapsed, asked: asked)
    }
  }

  var deliveredFrames: Int { counts.captured }
  var isBehind: Bool { withStream(\.isBehind) ?? false }

  /// Frames or chunks of audio that the device delivered, and that it counted as lost.
  var counts: (captured: Int, lost: Int) { router.counts }
}
