internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import Linux
internal import MediaFiles

/// One file that is recorded: takes what devices deliver, in their order, until it is ended.
///
/// All but ``figures`` happens on ``queue``. A frame that was offered is coded and written, however slow that is; what the camera
/// cannot deliver meanwhile, because its buffers wait here, is counted as dropped.
final class Recording: @unchecked Sendable {
  // Safe because only `queue` uses what changes, and `figures` has a lock.

  /// What the client hears of.
  enum Event {
    case started(CMTime)
    case paused
    case resumed
    case willFinish(AVError?)
    case finished(AVError?)
  }

  let plan: RecordingPlan
  private let queue: DispatchQueue
  private let limits: Locked<RecordingLimits>
  private let report: @Sendable (Event) -> Void
  /// What was recorded so far; from any thread.
  let figures = Locked(RecordingFigures())

  private var file: RecordingFile?
  private let video: RecordedVideo?
  private let audio: RecordedAudio?
  private var timeline = RecordingTimeline()
  /// The file that was recorded until this one took its place; it ends where this one begins.
  private var predecessor: Recording?
  private var isPaused = false
  private var isFinished = false
  /// When the recording ends and why, while audio of before that is still to come.
  private var ending: (moment: Int64, error: AVError?)?
  private var lastPicture: Int64?
  private var pictureDuration: Int64
  /// How long audio of before the end may take to come.
  private static let timeoutNanoseconds: Int64 = 500_000_000

  init(
    _ plan: RecordingPlan, limits: Locked<RecordingLimits>, queue: DispatchQueue,
    after predecessor: Recording?,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.plan = plan
    self.limits = limits
    self.queue = queue
    self.report = report
    self.predecessor = predecessor
    video = plan.video.map { RecordedVideo($0) }
    audio = plan.audio.map { _ in RecordedAudio() }
    pictureDuration = plan.video?.usualDuration ?? 0
  }

  // MARK: Orders, from any thread

  /// Makes the file.
  func begin() {
    queue.async { [self] in
      do throws(AVError) {
        if limits.withLock({ $0 }).isDiskFull(for: plan.url.path) { throw Self.diskFull }
        guard let container = MovieContainer(plan.fileType) else {
          throw AVError(.fileFormatNotRecognized)
        }
        file = try RecordingFile(plan, container: container, video: video?.track)
      } catch {
        finish(error)
      }
    }
  }

  /// Takes a sample of a device; on its reader thread.
  func offer(_ sample: MediaSample, over route: MediaRoute) {
    queue.async { [self] in take(sample, over: route) }
  }

  /// Ends the recording with all that was offered until now; `error` says why, `nil` that the client wished it.
  func end(_ error: AVError?) {
    queue.async { [self] in endNow(error) }
  }

  /// Leaves out what is offered from now on.
  func pause() {
    queue.async { [self] in
      guard !isFinished, ending == nil, !isPaused else { return }
      isPaused = true
      timeline.end(at: endOfMedia)
      report(.paused)
    }
  }

  /// Writes what is offered from now on.
  func resume() {
    queue.async { [self] in
      guard !isFinished, ending == nil, isPaused else { return }
      isPaused = false
      report(.resumed)
    }
  }

  // MARK: Samples, on the queue

  private func take(_ sample: MediaSample, over route: MediaRoute) {
    guard !isFinished, file != nil, isWanted(route.connection) else { return }
    switch sample {
    case .frame(let frame): take(frame, over: route)
    case .audio(let chunk): take(chunk, over: route)
    case .lost:
      if route.media == .audio { audio?.noteLoss() } else if timeline.isOpen { noteDrop() }
    case .depth: break
    }
  }

  private func isWanted(_ connection: AVCaptureConnection) -> Bool {
    plan.continuesAcrossSwitches || plan.connections.contains { $0 === connection }
  }

  private func take(_ frame: CapturedFrame, over route: MediaRoute) {
    let time = frame.timestamp.nanoseconds
    if let ending {
      if time >= ending.moment + Self.timeoutNanoseconds { finish(ending.error) }
      return
    }
    guard let video, let file, !isPaused else { return }
    if !timeline.isOpen {
      guard video.canBegin(with: frame) else { return }
      begin(at: time)
    } else if lastPicture.map({ time <= $0 }) ?? false {
      // Another camera's frame that was exposed before the last one of this.
      return noteDrop()
    }
    if isOver(before: time) { return }
    do throws(RecordedVideo.Loss) {
      let sample = try video.sample(
        of: frame, over: route, at: CMTime(nanoseconds: timeline.movieTime(of: time)))
      if let lastPicture, time - lastPicture < 1_000_000_000 { pictureDuration = time - lastPicture }
      lastPicture = time
      write { try file.append(picture: sample) }
      noteFigures(picture: true)
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
    releaseAudio()
  }

  private func take(_ chunk: CapturedAudio, over route: MediaRoute) {
    guard let audio, chunk.frameCount > 0 else { return }
    let start = chunk.timestamp.nanoseconds
    let end = start + chunk.durationNanoseconds
    if plan.video == nil, !isPaused, ending == nil {
      if !timeline.isOpen { begin(at: start) }
      if isOver(before: start) { return }
      (lastPicture, pictureDuration) = (start, end - start)
    }
    audio.hold(chunk, over: route)
    // What is not in a part yet may be in the one that the next picture begins.
    if timeline.isOpen || isPaused || ending != nil { releaseAudio() }
    if plan.video == nil { noteFigures(picture: false) }
    if let ending, end >= ending.moment { finish(ending.error) }
  }

  private func releaseAudio() {
    guard let audio, let file else { return }
    for (chunk, route, followsGap) in audio.release() {
      for sample in audio.samples(of: chunk, over: route, followsGap: followsGap, on: timeline) {
        write { try file.append(audio: sample) }
      }
    }
  }

  private func begin(at time: Int64) {
    let isFirst = timeline.start == nil
    timeline.begin(at: time)
    guard isFirst else { return }
    file?.begin(at: CMTime(nanoseconds: time))
    if let predecessor { predecessor.endSoon(at: time, nil) }
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
    if limits.fileSize > 0, let file, file.expectedSize >= limits.fileSize {
      endSoon(
        at: endOfMedia,
        AVError(
          .maximumFileSizeReached, because: "The recording ended because its largest file size was reached."))
      return true
    }
    if let file, limits.isDiskFull(for: plan.url.path, pending: file.expectedSize - file.writtenSize) {
      endSoon(at: endOfMedia, Self.diskFull)
      return true
    }
    return false
  }

  /// When the last sample of the leading media ends.
  private var endOfMedia: Int64 {
    lastPicture.map { $0 + pictureDuration } ?? timeline.start ?? 0
  }

  private func noteDrop() {
    figures.withLock { $0.dropped += 1 }
  }

  private func noteFigures(picture: Bool) {
    guard let file, let start = timeline.start else { return }
    let duration = timeline.movieTime(of: endOfMedia) - start
    let bytes = file.size
    figures.withLock { figures in
      figures.duration = CMTime(nanoseconds: duration)
      figures.bytes = bytes
      if picture { figures.pictures += 1 }
    }
  }

  // MARK: The end, on the queue

  private static var diskFull: AVError {
    AVError(
      .diskFull,
      because: "The recording ended because the disk has no more free space than minFreeDiskSpaceLimit keeps."
    )
  }

  /// Runs what codes and writes; a failure ends the recording.
  private func write(_ body: () throws -> Void) {
    do { try body() } catch { fail(error) }
  }

  private func fail(_ error: any Error) {
    finish(AVError(recording: error))
  }

  private func endNow(_ error: AVError?) {
    guard !isFinished else { return }
    finish(ending?.error ?? error)
  }

  /// Ends the recording at a moment, when the audio until then has come.
  private func endSoon(at moment: Int64, _ error: AVError?) {
    guard !isFinished, ending == nil else { return }
    timeline.end(at: moment)
    ending = (moment, error)
    let isComplete = audio.map { $0.coverage.map { $0 >= moment } ?? true } ?? true
    if isComplete { return finish(error) }
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(Self.timeoutNanoseconds))) { [weak self] in
      guard let self, let ending = self.ending else { return }
      finish(ending.error)
    }
  }

  private func finish(_ error: AVError?) {
    guard !isFinished else { return }
    isFinished = true
    predecessor?.endNow(nil)
    predecessor = nil
    let hasMedia = timeline.start != nil
    if timeline.isOpen { timeline.end(at: endOfMedia) }
    let cause =
      error
      ?? (hasMedia
        ? nil
        : AVError(.noDataCaptured, because: "The recording ended before anything was captured; try again."))
    report(.willFinish(cause))
    guard let file else {
      return report(.finished(cause?.ending(figures.withLock { $0 }, isPlayable: false)))
    }
    self.file = nil
    guard hasMedia else {
      file.cancel()
      return report(.finished(cause?.ending(RecordingFigures(), isPlayable: false)))
    }
    conclude(file, cause)
  }

  private func conclude(_ file: RecordingFile, _ cause: AVError?) {
    var cause = cause
    var isPlayable = true
    // Of audio alone, the last packet says when it ends.
    let end = plan.video == nil ? nil : timeline.movieTime(of: ending?.moment ?? endOfMedia)
    do {
      try file.finish(at: end.map(CMTime.init(nanoseconds:)))
    } catch {
      // A limit that was kept is no news beside a file that could not be written.
      if cause?.isLimit ?? true { cause = AVError(recording: error) }
      isPlayable = file.isPlayable
      if !isPlayable { file.cancel() }
    }
    let bytes = file.writtenSize
    let figures = figures.withLock { figures in
      figures.bytes = bytes
      // The last picture is shown until the end, also where frames after it were lost.
      if let end, let start = timeline.start { figures.duration = CMTime(nanoseconds: end - start) }
      return figures
    }
    report(.finished(cause?.ending(figures, isPlayable: isPlayable)))
  }
}

extension CMTime {
  init(nanoseconds: Int64) {
    self.init(value: nanoseconds, timescale: 1_000_000_000)
  }
}
