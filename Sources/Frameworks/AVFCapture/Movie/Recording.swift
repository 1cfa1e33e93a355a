internal import CameraFrames
internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles

/// The recording of one file: takes what devices deliver, in their order, until it is ended.
///
/// A sample counts by when it was captured: what was captured between the press and the stop is in the file, pictures and sound from
/// the same instant, whenever it comes. All but ``figures`` and the orders happens on ``queue``. A frame that was offered is coded and
/// written, however slow that is; what the camera cannot deliver meanwhile, because its buffers wait here, is counted as dropped.
final class Recording: @unchecked Sendable {
  // Safe because only `queue` uses what changes; `figures` and `orders` have locks.

  /// A report of a recording to its client.
  enum Event {
    case started(CMTime)
    case paused
    case resumed
    case willFinish(AVError?)
    case finished(AVError?)
  }

  /// The longest delay of a device that brings a kind of media, in nanoseconds after the capture; `nil` while none streams.
  typealias Lateness = @Sendable (MediaKind) -> Int64?

  let plan: RecordingPlan
  let queue: DispatchQueue
  let lateness: Lateness
  private let limits: Locked<RecordingLimits>
  private let report: @Sendable (Event) -> Void
  /// The figures of the recording so far; from any thread.
  let figures = Locked(RecordingFigures())
  /// The client's orders.
  private let orders = Locked(RecordingCommands())

  var file: RecordingFile?
  private var isFileMade = false
  private let video: RecordedVideo?
  let audio: RecordedAudio?
  /// What clients bring of metadata, as ``RecordingPlan/timed`` has it.
  var timed: [RecordedMetadata]
  var timeline = RecordingTimeline()
  /// Pictures that the camera did not bring.
  var gaps: PictureGaps
  /// The newest picture's stream: another one has another rhythm.
  private var processor: FrameProcessor?
  /// The file that was recorded until this one took its place; it ends where this one begins.
  var predecessor: Recording?
  var isFinished = false
  /// Why the recording ends, while media of before its end is still to come; the end is the timeline's.
  var ending: (error: AVError?, alarm: TimebaseAlarm?)?
  /// The newest picture in the file.
  var lastPicture: Int64?
  /// The newest picture that has come, whether or not it is in the file.
  var newestPicture: Int64?
  /// Whether the camera's stamps are not of the clock at all: then its pictures count by their arrival.
  var hasForeignStamps = false
  /// No camera is later, but for one whose frames take longer: a frame has the time at which its exposure began.
  private static let longestLateness: Int64 = 10_000_000_000
  /// How late the camera's frames may be, as far as is known.
  private var frameLateness: Int64

  init(
    _ plan: RecordingPlan, limits: Locked<RecordingLimits>, queue: DispatchQueue,
    lateness: @escaping Lateness, report: @escaping @Sendable (Event) -> Void
  ) {
    self.plan = plan
    self.limits = limits
    self.queue = queue
    self.lateness = lateness
    self.report = report
    video = plan.video.map { RecordedVideo($0) }
    audio = plan.audio.map { _ in RecordedAudio() }
    timed = plan.timed.map { _ in RecordedMetadata() }
    gaps = PictureGaps(granted: plan.video?.usualDuration ?? 0)
    frameLateness = max(Self.longestLateness, 2 * (plan.video?.usualDuration ?? 0))
  }

  func tell(_ event: Event) { report(event) }

  // MARK: Orders, from any thread

  /// Notes the press; called once, before the recording is offered anything.
  func press(after predecessor: Recording?) {
    self.predecessor = predecessor
    orders.withLock { $0.start(at: plan.start ?? plan.now) }
  }

  /// Makes the file.
  func begin() {
    queue.carry { [self] in makeFile() }
  }

  /// Takes a sample of a device; on its reader thread.
  func offer(_ sample: MediaSample, over route: MediaRoute) {
    let arrival = plan.now
    queue.carry(holding: sample.inFlight) { [self] in take(sample, over: route, arrival) }
  }

  /// Ends the recording with all that was captured until now, when that has come.
  func stop() {
    let now = plan.now
    orders.withLock { $0.stop(at: now) }
    queue.carry { [self] in
      // One that was to begin later takes nothing more of the one before it, either.
      if let start = plan.start, now < start { timeline.close(at: now) }
      endSoon(nil)
    }
  }

  /// Ends the recording with all that has come until now: no more does.
  ///
  /// - Parameter error: Says why.
  func end(_ error: AVError?) {
    queue.carry { [self] in endNow(error) }
  }

  /// Notes that what is captured from now on is left out, or wanted again; ``announce(isPaused:)`` follows.
  func order(isPaused: Bool) {
    orders.withLock { isPaused ? $0.pause(at: plan.now) : $0.start(at: plan.now) }
  }

  /// Reports a pause or its end.
  func announce(isPaused: Bool) {
    queue.carry { [self] in
      guard !isFinished, ending == nil else { return }
      report(isPaused ? .paused : .resumed)
    }
  }

  // MARK: Samples, on the queue

  /// Made by the first that needs it: samples may be offered before ``begin()``.
  func makeFile() {
    guard !isFileMade, !isFinished else { return }
    isFileMade = true
    do throws(AVError) {
      if limits.withLock({ $0 }).isDiskFull(for: plan.url.path) { throw Self.diskFull }
      guard let container = MovieContainer(plan.fileType) else { throw AVError(.fileFormatNotRecognized) }
      file = try RecordingFile(plan, container: container, video: video?.track, on: queue) { [weak self] in
        self?.finish(AVError(recording: $0))
      }
    } catch {
      finish(error)
    }
  }

  /// Learns what the client wants now.
  func adoptOrders() {
    timeline.adopt(orders.withLock { $0.spans })
  }

  private func take(_ sample: MediaSample, over route: MediaRoute, _ arrival: Int64) {
    makeFile()
    guard !isFinished, file != nil, isWanted(route.connection) else { return }
    adoptOrders()
    switch sample {
    case .frame(let frame): take(frame, over: route, arrival)
    case .audio(let chunk): take(chunk, over: route)
    case .lost(let drop):
      if route.media == .audio { audio?.noteLoss() } else { note(drop) }
    case .depth: break
    }
    if ending != nil, isComplete { finish(ending?.error) }
  }

  private func isWanted(_ connection: AVCaptureConnection) -> Bool {
    plan.continuesAcrossSwitches || plan.connections.contains { $0 === connection }
  }

  private func take(_ frame: CapturedFrame, over route: MediaRoute, _ arrival: Int64) {
    guard let video else { return }
    let time = frame.timestamp.nanoseconds
    let duration = max(route.plan.stream.frameDuration.nanoseconds, frame.exposure.durationNanoseconds ?? 0)
    frameLateness = max(Self.longestLateness, 2 * duration)
    hasForeignStamps = abs(arrival - time) > frameLateness
    newestPicture = max(newestPicture ?? time, time)
    if processor?.isOfStream(route.processor) != true { gaps.interrupt() }
    processor = route.processor
    switch timeline.place(of: hasForeignStamps ? arrival : time) {
    case .outside: break
    case .beginning:
      guard video.canBegin(with: frame) else { break }
      if let end = endOfPart { gaps.end(at: end) }
      begin(at: time)
      write(frame, over: route, video)
    case .inside:
      // Another camera's frame that was exposed before the last one of this.
      if lastPicture.map({ time <= $0 }) ?? false { return noteDrop() }
      write(frame, over: route, video)
    }
    releaseAudio()
    releaseMetadata(until: newestPicture)
  }

  private func write(_ frame: CapturedFrame, over route: MediaRoute, _ video: RecordedVideo) {
    let time = frame.timestamp.nanoseconds
    guard let file, !isOver(before: time) else { return }
    do throws(RecordedVideo.Loss) {
      let sample = try video.sample(
        of: frame, over: route, at: CMTime(nanoseconds: timeline.movieTime(of: time)))
      gaps.note(
        time, granted: route.plan.stream.frameDuration.nanoseconds,
        exposure: frame.exposure.durationNanoseconds)
      lastPicture = time
      file.limit = limits.withLock { $0.fileSize }
      write { try file.append(picture: sample) }
      noteFigures(picture: true)
      endIfFull()
    } catch {
      switch error {
      case .broken: noteDrop()
      case .changed:
        endSoon(
          at: endOfMedia,
          AVError(
            .mediaChanged,
            because:
              "The recording ended because the camera's format changed; record again, or with settings that encode."
          ))
      }
    }
  }

  private func note(_ drop: DroppedFrame) {
    let time = drop.timestamp.nanoseconds
    if timeline.isInside(time) { noteDrop() }
  }

  private func take(_ chunk: CapturedAudio, over route: MediaRoute) {
    guard let audio, chunk.frameCount > 0 else { return }
    let start = chunk.timestamp.nanoseconds
    let end = start + chunk.durationNanoseconds
    if plan.video == nil { lead(from: start, to: end) }
    audio.hold(chunk, over: route, for: frameLateness)
    releaseAudio()
    guard plan.video == nil else { return }
    releaseMetadata(until: newestPicture)
    noteFigures(picture: false)
  }

  /// Audio alone leads: a part begins with the first sample that is wanted of it.
  private func lead(from start: Int64, to end: Int64) {
    for span in timeline.spans where span.start < end && (span.end ?? .max) > start {
      let first = max(start, span.start)
      switch timeline.place(of: first) {
      case .outside: continue
      case .beginning: begin(at: first)
      case .inside: break
      }
      if isOver(before: first) { return }
      lastPicture = first
    }
    newestPicture = end
  }

  private func releaseAudio() {
    guard let audio, let file else { return }
    file.limit = limits.withLock { $0.fileSize }
    for (chunk, route, followsGap) in audio.release(where: timeline.isDecided(from:to:)) {
      for sample in audio.samples(of: chunk, over: route, followsGap: followsGap, on: timeline) {
        write { try file.append(audio: sample) }
      }
    }
    endIfFull()
  }

  private func begin(at time: Int64) {
    let isFirst = timeline.start == nil
    timeline.begin(at: time, after: endOfPart)
    guard isFirst else { return }
    file?.begin(at: CMTime(nanoseconds: time))
    predecessor?.endSoon(at: time, nil)
    predecessor = nil
    report(.started(CMTime(nanoseconds: time)))
  }

  /// Whether a limit ends the recording before the sample of that time.
  private func isOver(before time: Int64) -> Bool {
    let limits = limits.withLock { $0 }
    if let start = timeline.start, let longest = limits.longest {
      let end = start + longest
      if timeline.movieTime(of: time) >= end {
        endSoon(
          at: end + time - timeline.movieTime(of: time),
          AVError(
            .maximumDurationReached, because: "The recording ended because its longest duration was reached.")
        )
        return true
      }
    }
    if let file, limits.isDiskFull(for: plan.url.path, pending: file.expectedSize - file.writtenSize) {
      endSoon(at: endOfMedia, Self.diskFull)
      return true
    }
    return false
  }

  /// Ends the recording when a sample has had no room: all that has room is in the file.
  private func endIfFull() {
    if file?.cut != nil { finish(Self.full) }
  }

  /// When the newest part ends; `nil` while it is recorded.
  var endOfPart: Int64? {
    timeline.parts.last?.end.map { hasForeignStamps ? endOfMedia : $0 }
  }

  /// When the last sample of the leading media ends, as far as it is in the recording.
  var endOfMedia: Int64 {
    guard let lastPicture else { return timeline.start ?? 0 }
    let end = plan.video == nil ? newestPicture ?? lastPicture : lastPicture + gaps.usualInterval
    return min(end, timeline.parts.last?.end ?? end)
  }

  private func noteDrop() {
    gaps.noteLoss()
    figures.withLock { $0.dropped += 1 }
  }

  private func noteFigures(picture: Bool) {
    guard let file, let start = timeline.start else { return }
    let duration = timeline.movieTime(of: endOfMedia) - start
    let bytes = file.size
    let missing = gaps.missing
    figures.withLock { figures in
      figures.duration = CMTime(nanoseconds: duration)
      figures.bytes = bytes
      figures.missing = missing
      if picture { figures.pictures += 1 }
    }
  }

  /// Runs what codes and writes; a failure ends the recording.
  func write(_ body: () throws -> Void) {
    do { try body() } catch { finish(AVError(recording: error)) }
  }
}

extension CMTime {
  init(nanoseconds: Int64) {
    self.init(value: nanoseconds, timescale: 1_000_000_000)
  }
}
