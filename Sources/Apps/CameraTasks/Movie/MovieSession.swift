package import AVFoundation
internal import AVFCapture
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux

/// A session that records one camera, and a microphone, to movies.
package final class MovieSession: Sendable {
  /// A movie that is whole.
  package struct Movie: Sendable {
    /// Where it is.
    package var url: URL
    /// How long it is.
    package let seconds: Double
    /// How many bytes it has.
    package let bytes: Int64
    /// How many frames it has.
    package let frames: Int
    /// How many frames the camera made and it lacks.
    package let dropped: Int
  }

  /// How far a recording is.
  package struct Position: Sendable {
    /// How long all files are.
    package var seconds: Double
    /// How many bytes the present one has.
    package var bytes: Int64
    /// How many frames it lacks.
    package var dropped: Int
  }

  /// How long a camera that streams may take for the first frame.
  private static let timeoutNanoseconds: Int64 = 30_000_000_000
  /// How long a file may take to be finished.
  private static let finishingNanoseconds: Int64 = 120_000_000_000
  /// What stays free on a disk, so that a file can be finished when the disk is full.
  private static let reservedBytes: Int64 = 1 << 20

  private let run: CameraRun
  private let plan: MoviePlan
  private let file: PictureFile
  private let output = AVCaptureMovieFileOutput()
  private let delegate = MovieDelegate()
  /// Seconds of the files before the present one.
  private let former = Locked(0.0)
  /// Why there is no sound although it was wanted; `nil` when there is, or none was wanted.
  package let missingSound: String?

  /// A session with `camera`, set as the plan wants it.
  ///
  /// - Parameter stop: Ends the recording when it is requested.
  /// - Throws: ``CameraTaskError`` when the camera may not be used, or cannot do what the plan asks.
  package init(
    camera: AVCaptureDevice, plan: MoviePlan, file: PictureFile, stop: StopRequest = StopRequest()
  ) throws(CameraTaskError) {
    self.plan = plan
    self.file = file
    run = try CameraRun(camera: camera, stop: stop)
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

  private static func addMicrophone(to session: AVCaptureSession) -> String? {
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
  private static func setFormat(of camera: AVCaptureDevice, _ plan: MoviePlan) throws(CameraTaskError) {
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

  /// The name of the microphone that was lost, so that the rest has no sound; `nil` when none was.
  package var lostMicrophone: String? { run.lostMicrophone }

  /// How far the recording is.
  package var position: Position {
    Position(
      seconds: former.withLock { $0 } + output.recordedDuration.seconds, bytes: output.recordedFileSize,
      dropped: output.droppedFrameCount)
  }

  // MARK: Recording

  /// Records until the plan's end, a requested stop, or trouble; every movie is whole when this returns or throws.
  ///
  /// - Parameter finished: Gets each movie that can be played, in order.
  /// - Throws: ``CameraTaskError``: what ended the recording early, also when there is a movie.
  package func record(finished: (Movie) throws -> Void) throws {
    var (index, reported) = (0, 0)
    try begin(index)
    let start = MonotonicInstant.now
    do {
      while delegate.progress.withLock({ $0.ended.count }) <= index {
        try run.sleep(until: .now.advanced(byNanoseconds: 20_000_000))
        try checkStart(since: start)
        if let segment = plan.segmentSeconds, output.recordedDuration.seconds >= segment, hasMore {
          former.withLock { $0 += output.recordedDuration.seconds }
          index += 1
          try begin(index)
        }
        try report(from: &reported, finished)
      }
    } catch let error as CameraTaskError where error.code == .stopped {
      output.stopRecording()
    } catch {
      output.stopRecording()
      waitForEnds(index + 1)
      try report(from: &reported, finished)
      throw error
    }
    waitForEnds(index + 1)
    try report(from: &reported, finished)
    try throwTrouble()
  }

  private func begin(_ index: Int) throws(CameraTaskError) {
    if let seconds = plan.seconds {
      let left = max(0.001, seconds - former.withLock { $0 })
      output.maxRecordedDuration = CMTime(seconds: left, preferredTimescale: 1_000_000)
    }
    output.startRecording(to: try file.freePlace(index: index, date: Date()), recordingDelegate: delegate)
  }

  /// Whether anything is left to record in another file.
  private var hasMore: Bool {
    guard let seconds = plan.seconds else { return true }
    return seconds - former.withLock { $0 } - output.recordedDuration.seconds > 0.05
  }

  private func checkStart(since start: MonotonicInstant) throws(CameraTaskError) {
    let isLate = MonotonicInstant.now > start.advanced(byNanoseconds: Self.timeoutNanoseconds)
    guard isLate, !delegate.progress.withLock({ $0.hasStarted }) else { return }
    throw CameraTaskError(
      .noFramesInTime,
      run.silentCamera.sentence(
        "runs, but no picture came within 30 s", remedy: "replug it, or try another format."))
  }

  private func waitForEnds(_ count: Int) {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.finishingNanoseconds)
    _ = delegate.progress.wait(until: deadline, for: { $0.ended.count >= count }, then: { _ in })
  }

  /// Hands over the movies that have ended since; each once, also when `finished` throws.
  private func report(from reported: inout Int, _ finished: (Movie) throws -> Void) throws {
    let ended = delegate.progress.withLock { $0.ended }
    for one in ended.dropFirst(reported) {
      reported += 1
      guard one.isPlayable else { continue }
      let summary = output.summary(of: one.url)
      try finished(
        Movie(
          url: one.url, seconds: summary?.duration.seconds ?? 0, bytes: summary?.bytes ?? 0,
          frames: summary?.frames ?? 0, dropped: summary?.dropped ?? 0))
    }
  }

  private func throwTrouble() throws(CameraTaskError) {
    let ended = delegate.progress.withLock { $0.ended }
    for case let error? in ended.map(\.error) {
      switch error.code {
      case .maximumDurationReached: continue
      // A stop that came before the first frame.
      case .noDataCaptured:
        try run.check()
        throw CameraTaskError(.noFramesInTime, "Nothing was recorded, because no frame came before the stop.")
      case .diskFull:
        throw CameraTaskError(
          .diskFull, "The disk is full, so the recording ended; free some space, or record elsewhere.")
      case .deviceWasDisconnected, .mediaServicesWereReset:
        throw CameraTaskError(error, device: run.camera)
      default: throw run.cause ?? CameraTaskError(error, device: run.camera)
      }
    }
  }
}
