package import AVFoundation
internal import AVFCapture
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A session that records one camera, and a microphone, to movies.
package final class MovieSession: Sendable {
  /// A movie that is whole.
  package struct Movie: Sendable {
    /// The URL of the file.
    package var url: URL
    /// The duration in seconds.
    package let seconds: Double
    /// The number of bytes.
    package let bytes: Int64
    /// The number of frames.
    package let frames: Int
    /// The number of missing frames, those included that the camera did not deliver.
    package let dropped: Int
    /// The number of those that the camera did not deliver.
    package let missing: Int
  }

  /// The progress of a recording.
  package struct Position: Sendable {
    /// The duration of all files in seconds.
    package var seconds: Double
    /// The bytes of the present file.
    package var bytes: Int64
    /// The frames that it lacks.
    package var dropped: Int
  }

  /// How a run goes on from file to file, on the thread that records.
  private struct Course {
    /// The files that were begun, and those of which the caller has heard.
    var begun = 0
    var reported = 0
    /// The files whose first frame has come.
    var started = 0
    /// The first frame of the present file.
    var present: Int64?
    /// The seconds of the files before it.
    var before = 0.0
    /// When files end.
    var segments: SegmentTimes?
    /// The newest file, and whether it is to begin where the present one ends.
    var newest: URL?
    var isPlanned = false
  }

  /// The durations of a run's files in seconds.
  private struct Lengths {
    /// All files that have ended.
    var ended = 0.0
    /// Each of the others, as far as it was when it was looked at last.
    var open: [URL: Double] = [:]

    var all: Double { open.values.reduce(ended, +) }
  }

  /// How long before a new file begins it is made.
  private static let leadNanoseconds: Int64 = 300_000_000
  /// The timeout of the first frame of a camera that streams, unless five of its frames take longer.
  private static let leastTimeout: Int64 = 30_000_000_000
  /// The timeout of finishing a file.
  private static let finishingNanoseconds: Int64 = 120_000_000_000
  /// The bytes that stay free on a disk, so that a file can be finished when the disk is full.
  private static let reservedBytes: Int64 = 1 << 20

  private let run: CameraRun
  private let plan: MoviePlan
  private let file: PictureFile
  private let output = AVCaptureMovieFileOutput()
  private let delegate = MovieDelegate()
  private let lengths = Locked(Lengths())
  /// The places of files that are still to appear.
  private let places = Locked<[TakenPlace]>([])
  /// The reason why there is no audio although it was wanted; `nil` when there is, or none was wanted.
  package let missingSound: String?

  /// A session with `camera`, set as the plan wants it.
  ///
  /// - Parameters:
  ///   - stop: Ends the recording when it is requested.
  ///   - waiting: Whether recording goes on, in a new file, when the camera was away and is back; `nil` ends it.
  /// - Throws: ``CameraTaskError`` when the camera may not be used, or cannot do what the plan asks.
  package init(
    camera: AVCaptureDevice, plan: MoviePlan, file: PictureFile, stop: StopRequest = StopRequest(),
    waiting: CameraWaiting? = nil
  ) throws(CameraTaskError) {
    self.plan = plan
    self.file = file
    run = try CameraRun(camera: camera, stop: stop, waiting: waiting)
    missingSound = plan.hasAudio ? Self.addMicrophone(to: run.session) : nil
    run.session.addOutput(output)
    try Self.setFormat(of: camera, plan)
    output.recordedFileType = plan.format.fileType
    output.movieFragmentInterval = CMTime(value: 1, timescale: 1)
    output.minFreeDiskSpaceLimit = Self.reservedBytes
    output.continuesRecordingAcrossDeviceSwitches = true
    if let connection = output.connection(with: .video) {
      var settings: [String: Any] = [AVVideoCodecKey: plan.codec.type]
      if let rate = plan.bitRate {
        settings[AVVideoCompressionPropertiesKey] = [AVVideoAverageBitRateKey: rate]
      }
      output.setOutputSettings(settings, for: connection)
    }
  }

  static func addMicrophone(to session: AVCaptureSession) -> String? {
    guard let microphone = AVCaptureDevice.default(for: .audio) else {
      return "There is no microphone, so the movie has no sound."
    }
    guard AVCaptureDevice.authorizationStatus(for: .audio) != .denied,
      let input = try? AVCaptureDeviceInput(device: microphone), session.canAddInput(input)
    else { return "\(microphone.localizedName) cannot be used, so the movie has no sound." }
    session.addInput(input)
    return nil
  }

  /// Chooses the format and rate that were asked for.
  static func setFormat(of camera: AVCaptureDevice, _ plan: MoviePlan) throws(CameraTaskError) {
    guard plan.size != nil || plan.frameRate != nil else { return }
    func serves(_ format: AVCaptureDevice.Format) -> Bool {
      let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
      if let wanted = plan.size, Int(size.width) != wanted.width || Int(size.height) != wanted.height {
        return false
      }
      guard let rate = plan.frameRate else { return true }
      return format.videoSupportedFrameRateRanges.contains {
        $0.minFrameRate <= rate + 0.01 && rate <= $0.maxFrameRate + 0.01
      }
    }
    let isRight = serves(camera.activeFormat)
    guard let format = isRight ? camera.activeFormat : camera.formats.first(where: serves) else {
      let size = plan.size.map { "\($0.width)×\($0.height)" }
      let rate = plan.frameRate.map { "\(Figures.text($0)) frames a second" }
      throw CameraTaskError(
        .formatNotSupported,
        "\(camera.localizedName) has no format with \([size, rate].compactMap { $0 }.joined(separator: " at ")); "
          + "'obscura devices' lists its formats.")
    }
    do {
      try camera.lockForConfiguration()
    } catch {
      throw CameraTaskError(error, device: camera)
    }
    defer { camera.unlockForConfiguration() }
    if !isRight || plan.size != nil { camera.activeFormat = format }
    guard let rate = plan.frameRate else { return }
    let duration = CMTime(seconds: 1 / rate, preferredTimescale: 1_000_000)
    let whole = rate == rate.rounded() ? CMTime(value: 1, timescale: Int32(rate)) : duration
    camera.activeVideoMinFrameDuration = whole
    camera.activeVideoMaxFrameDuration = whole
  }

  /// Starts the camera.
  /// - Throws: ``CameraTaskError`` when the camera refuses: busy, gone, forbidden.
  package func start() throws(CameraTaskError) { try run.start() }

  /// Stops the camera.
  package func stop() { run.stop() }

  /// Whether the session waits for its camera at present.
  package var isWaiting: Bool { run.isWaiting }

  /// The name of the microphone that was lost, so that the rest has no sound; `nil` when none was.
  package var lostMicrophone: String? { run.lostMicrophone }

  /// The progress of the recording.
  package var position: Position {
    Position(
      seconds: lengths.withLock { $0.all }, bytes: output.recordedFileSize, dropped: output.droppedFrameCount)
  }

  // MARK: Recording

  /// Records until the plan's end, a requested stop, or trouble; every movie is whole when this returns or throws.
  ///
  /// - Parameter finished: Gets each movie that can be played, in order.
  /// - Throws: ``CameraTaskError``: what ended the recording early, also when there is a movie.
  package func record(finished: (Movie) throws -> Void) throws {
    var course = Course()
    // So many movies ended because the camera was away, in a run that waits for it.
    var excused = 0
    defer { places.withLock { $0 = [] } }
    let start = WorldTime.current.now
    do {
      repeat {
        try run.waitForReturn()
        if !plan.isImmediate { try run.settle() }
        let absences = run.absences
        try begin(&course)
        while delegate.progress.withLock({ $0.ended.count }) < course.begun {
          try run.sleep(until: WorldTime.current.now.advanced(byNanoseconds: 20_000_000))
          try checkStart(since: start)
          notePresentLength()
          noteStarts(&course)
          try planNext(&course)
          releasePlaces()
          try report(from: &course.reported, finished)
          // A limit is the output's: before the former file has ended it would cut that, too.
          if !course.isPlanned, course.reported + 1 == course.begun { limitLength(course) }
        }
        try report(from: &course.reported, finished)
        // What has ended without a file needs none any more.
        places.withLock { $0 = [] }
        guard wasAway(since: absences), hasMore else { break }
        excused = course.begun
      } while true
    } catch let error as CameraTaskError where error.code == .stopped {
      output.stopRecording()
      if course.begun == 0 { throw error }
    } catch {
      output.stopRecording()
      waitForEnds(course.begun)
      try report(from: &course.reported, finished)
      let isAbsence = (error as? CameraTaskError)?.isAbsence == true
      throw isAbsence ? run.interruption ?? error : error
    }
    waitForEnds(course.begun)
    try report(from: &course.reported, finished)
    try throwTrouble(but: excused)
  }

  /// Whether the newest movie ended because the camera went away, in a run that waits for it.
  private func wasAway(since absences: Int) -> Bool {
    guard run.waitsForReturn, let error = delegate.progress.withLock({ $0.ended.last?.error }),
      error.code != .maximumDurationReached
    else { return false }
    // The session's notification may come a moment after the movie's end.
    return run.absences > absences || run.cause?.isAbsence == true
  }

  /// Begins a file with the next frame.
  private func begin(_ course: inout Course) throws(CameraTaskError) {
    (course.before, course.isPlanned) = (lengths.withLock { $0.all }, false)
    limitLength(course)
    let place = try takePlace(in: 0)
    output.startRecording(to: place.url, recordingDelegate: delegate)
    course.newest = place.url
    course.begun += 1
  }

  /// Lets the present file last as long as is left.
  private func limitLength(_ course: Course) {
    guard let seconds = plan.seconds else { return }
    output.maxRecordedDuration = CMTime(
      seconds: max(0.001, seconds - course.before), preferredTimescale: 1_000_000)
  }

  /// The place of a file that begins in so many seconds.
  private func takePlace(in seconds: Double) throws(CameraTaskError) -> TakenPlace {
    let place = try file.takePlace(date: WorldTime.current.date.addingTimeInterval(seconds))
    places.withLock { $0.append(place) }
    output.replacesFiles = place.replaces
    return place
  }

  /// The present moment on the clock of the camera's frames.
  private var cameraNow: Int64 {
    (output.connection(with: .video)?.inputPorts.first?.clock ?? CMClock.hostTimeClock).time
      .convertScale(1_000_000_000, method: .default).value
  }

  /// Looks which files have begun since.
  private func noteStarts(_ course: inout Course) {
    let started = delegate.progress.withLock { $0.started }
    guard started.count > course.started, let newest = started.last else { return }
    course.started = started.count
    var time = newest.time.convertScale(1_000_000_000, method: .default).value
    // Stamps of another clock: such frames count by their arrival. Those of a slow camera are of when their exposure began.
    if abs(cameraNow - time) > run.timeout(atLeast: 10_000_000_000) { time = cameraNow }
    if course.isPlanned, let present = course.present { course.before += Double(time - present) / 1e9 }
    (course.present, course.isPlanned) = (time, false)
    if course.segments == nil {
      course.segments = plan.segmentSeconds.map { SegmentTimes(start: time, seconds: $0) }
    }
  }

  /// Makes the next file shortly before the present one ends: at the first boundary that is still to come.
  private func planNext(_ course: inout Course) throws(CameraTaskError) {
    let hasStarted = delegate.progress.withLock { progress in
      progress.started.last?.url == course.newest && progress.ended.count < course.begun
    }
    guard let segments = course.segments, let present = course.present, hasStarted else { return }
    let now = cameraNow
    let boundary = segments.next(begin: present, now: now)
    let lead = boundary - now
    guard lead <= Self.leadNanoseconds else { return }
    let recorded = course.before + Double(boundary - present) / 1e9
    if let seconds = plan.seconds, seconds - recorded <= 0.05 { return }
    let place = try takePlace(in: Double(lead) / 1e9)
    output.startRecording(
      to: place.url, at: CMTime(value: boundary, timescale: 1_000_000_000), recordingDelegate: delegate)
    (course.newest, course.isPlanned) = (place.url, true)
    course.begun += 1
  }

  /// Lets go of the places whose files are there.
  private func releasePlaces() {
    places.withLock { $0.removeAll { $0.hasFile } }
  }

  /// Whether anything is left to record in another file.
  private var hasMore: Bool {
    guard let seconds = plan.seconds else { return true }
    return seconds - lengths.withLock { $0.all } > 0.05
  }

  /// Notes how long the file is that is recorded, if one is.
  private func notePresentLength() {
    guard let url = output.outputFileURL else { return }
    let seconds = output.recordedDuration.seconds
    // Between the two another file may have become the present one.
    guard output.outputFileURL == url else { return }
    lengths.withLock { $0.open[url] = seconds }
  }

  private func checkStart(since start: MonotonicInstant) throws(CameraTaskError) {
    let timeout = run.timeout(atLeast: Self.leastTimeout)
    let isLate = WorldTime.current.now > start.advanced(byNanoseconds: timeout)
    guard isLate, !run.waitsForReturn, delegate.progress.withLock({ $0.started.isEmpty }) else { return }
    throw CameraTaskError(
      .noFramesInTime,
      run.silentCamera.sentence(
        "runs, but no picture came within \(timeout / 1_000_000_000) s",
        remedy: "replug it, or try another format."))
  }

  private func waitForEnds(_ count: Int) {
    let deadline = WorldTime.current.now.advanced(byNanoseconds: Self.finishingNanoseconds)
    _ = delegate.progress.wait(
      until: deadline, on: .current, for: { $0.ended.count >= count }, then: { _ in })
  }

  /// Hands over the movies that have ended since; each once, also when `finished` throws.
  private func report(from reported: inout Int, _ finished: (Movie) throws -> Void) throws {
    let ended = delegate.progress.withLock { $0.ended }
    for one in ended.dropFirst(reported) {
      reported += 1
      let summary = output.summary(of: one.url)
      lengths.withLock { lengths in
        lengths.open[one.url] = nil
        lengths.ended += summary?.duration.seconds ?? 0
      }
      guard one.isPlayable else { continue }
      try finished(
        Movie(
          url: one.url, seconds: summary?.duration.seconds ?? 0, bytes: summary?.bytes ?? 0,
          frames: summary?.frames ?? 0, dropped: (summary?.dropped ?? 0) + (summary?.missing ?? 0),
          missing: summary?.missing ?? 0))
    }
  }

  private func throwTrouble(but excused: Int) throws(CameraTaskError) {
    let ended = delegate.progress.withLock { $0.ended }
    for one in ended.dropFirst(excused) {
      guard let error = one.error else { continue }
      switch error.code {
      case .maximumDurationReached: continue
      // A stop that came before the first frame; of a file that was to follow another one, it is none.
      case .noDataCaptured where ended.contains { $0.isPlayable }: continue
      case .noDataCaptured:
        try run.check()
        throw CameraTaskError(.noFramesInTime, "Nothing was recorded, because no frame came before the stop.")
      case .diskFull:
        throw CameraTaskError(
          .diskFull, "The disk is full, so the recording ended; free some space, or record elsewhere.")
      case .deviceWasDisconnected, .mediaServicesWereReset:
        throw CameraTaskError(error, device: run.camera)
      case .unknown where error.localizedDescription.contains(one.url.path):
        // It is about the file and not about the camera.
        throw CameraTaskError(.failed, error.localizedDescription)
      default: throw run.interruption ?? run.cause ?? CameraTaskError(error, device: run.camera)
      }
    }
  }
}
