internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles

/// The end of a recording, on its queue.
extension Recording {
  /// How much longer than its device should need media is waited for, on the devices' clock.
  private static let timeoutNanoseconds: Int64 = 500_000_000
  /// How long a clock that is moved by hand may stand in real time before what is still to come is given up.
  private static let standingNanoseconds: Int64 = 5_000_000_000

  static var diskFull: AVError {
    AVError(
      .diskFull,
      because: "The recording ended because the disk has no more free space than minFreeDiskSpaceLimit keeps."
    )
  }

  static var full: AVError {
    AVError(
      .maximumFileSizeReached, because: "The recording ended because its largest file size was reached.")
  }

  /// Ends the recording with what has come: the devices bring no more.
  func endNow(_ error: AVError?) {
    guard !isFinished else { return }
    adoptOrders()
    // Without a picture of its own it ends nothing of the recording before it that has come until now.
    timeline.close(at: timeline.start == nil ? plan.now : endOfMedia)
    // A stop that came first is why it ends.
    finish(ending.map(\.error) ?? error)
  }

  /// Ends the recording at a moment, when what was captured until then has come.
  func endSoon(at moment: Int64, _ error: AVError?) {
    guard !isFinished else { return }
    timeline.close(at: moment)
    endSoon(error)
  }

  /// Ends the recording where its last span ends, when what was captured until then has come.
  func endSoon(_ error: AVError?) {
    guard !isFinished, ending == nil else { return }
    adoptOrders()
    ending = (error, nil)
    if isComplete { return finish(error) }
    ending?.alarm = makeAlarm()
    // A test that stops a recording need not move the clock after that.
    if plan.clock.movesByHand { giveUpWhenClockStands() }
  }

  private func giveUpWhenClockStands() {
    let moment = plan.now
    WorldTime.machine.perform(afterNanoseconds: Self.standingNanoseconds, on: queue) { [weak self] in
      guard let self, ending != nil else { return }
      if plan.now > moment { giveUpWhenClockStands() } else { giveUpWaiting() }
    }
  }

  private func makeAlarm() -> TimebaseAlarm? {
    let late = max(lateness(.video) ?? 0, lateness(.audio) ?? 0) + 2 * gaps.usualInterval
    let deadline = max(timeline.end ?? 0, plan.now) + late + Self.timeoutNanoseconds
    guard let timebase = try? CMTimebase(sourceClock: plan.clock) else { return nil }
    let alarm = TimebaseAlarm(on: timebase, queue: queue) { [weak self] in self?.giveUpWaiting() }
    try? timebase.setRateAndAnchorTime(
      rate: 1, anchorTime: plan.clock.time, referenceTime: plan.clock.time)
    alarm.set(CMTime(nanoseconds: deadline))
    return alarm
  }

  private func giveUpWaiting() {
    guard let ending else { return }
    finish(ending.error)
  }

  /// Whether all that was captured before the end has come.
  var isComplete: Bool {
    guard let end = timeline.end else { return false }
    return timeline.isEmpty || (arePicturesComplete(until: end) && isAudioComplete(until: end))
  }

  private func arePicturesComplete(until end: Int64) -> Bool {
    guard plan.video != nil, !hasForeignStamps, lateness(.video) != nil else { return true }
    // The one after the newest cannot be earlier.
    let interval = gaps.usualInterval
    return newestPicture.map { $0 + interval > end - interval / 20 - RecordingTimeline.tolerance } ?? false
  }

  private func isAudioComplete(until end: Int64) -> Bool {
    guard let audio, lateness(.audio) != nil else { return true }
    // A clock that is moved by hand may stand: what is under way of a chunk then ends with it.
    let slack = plan.clock.movesByHand ? audio.chunkDuration : 0
    return audio.coverage.map { $0 + slack >= end - RecordingTimeline.tolerance } ?? false
  }

  func finish(_ error: AVError?) {
    guard !isFinished else { return }
    isFinished = true
    ending = nil
    adoptOrders()
    let wanted = timeline.end
    // A file that never began takes the one before it along, which goes on until then.
    predecessor?.endSoon(at: wanted ?? plan.now, nil)
    predecessor = nil
    timeline.close(at: wanted ?? endOfMedia)
    releaseMetadata(until: nil)
    let hasMedia = timeline.start != nil
    let cause =
      error
      ?? (hasMedia
        ? nil
        : AVError(.noDataCaptured, because: "The recording ended before anything was captured; try again."))
    tell(.willFinish(cause))
    guard let file else {
      return tell(.finished(cause?.ending(figures.withLock { $0 }, isPlayable: false)))
    }
    self.file = nil
    guard hasMedia else {
      file.cancel()
      return tell(.finished(cause?.ending(RecordingFigures(), isPlayable: false)))
    }
    conclude(file, cause)
  }

  private func conclude(_ file: RecordingFile, _ cause: AVError?) {
    var cause = cause
    var isPlayable = true
    // Of audio alone, the last packet says when it ends.
    let last = plan.video == nil ? nil : endOfPart
    if let last { gaps.end(at: last) }
    let end = last.map { timeline.movieTime(of: $0) }
    do {
      try file.finish(at: end.map(CMTime.init(nanoseconds:)))
    } catch {
      // A limit that was kept is no news beside a file that could not be written or was taken away.
      let isDisplaced = (error as? MovieFileError)?.reason == .displaced
      if isDisplaced || cause?.isLimit ?? true { cause = AVError(recording: error) }
      isPlayable = file.isPlayable
      if !isPlayable, !file.isWorthKeeping { file.cancel() }
    }
    // What encoders held may have been too much.
    let cut = file.cut
    if cut != nil, cause == nil { cause = Self.full }
    let (bytes, pictures) = (file.writtenSize, file.pictureCount)
    let missing = gaps.missing
    let shownEnd = [end.map(CMTime.init(nanoseconds:)), cut].compactMap { $0 }.min()
    let figures = figures.withLock { figures in
      figures.bytes = bytes
      figures.missing = missing
      if cut != nil, plan.video != nil { figures.pictures = pictures }
      // The last picture is shown until the end, also where frames after it were lost.
      if let shownEnd, let start = timeline.start { figures.duration = shownEnd - CMTime(nanoseconds: start) }
      return figures
    }
    tell(.finished(cause?.ending(figures, isPlayable: isPlayable)))
  }
}
