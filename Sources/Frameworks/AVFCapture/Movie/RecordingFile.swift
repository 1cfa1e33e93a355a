internal import AVFCore
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import MediaFiles

/// The file of a recording, with a track for pictures, one for audio, and those of timed metadata; on the queue of the recording.
final class RecordingFile {
  private let file: MovieWriter
  private let video: WriterTrack?
  private let audio: WriterTrack?
  private let timed: [WriterTrack]
  /// Pictures that were handed to an encoder, and when those of them are shown that came out last.
  private var picturesIn = 0
  private var picturesOut = 0
  private var newestTimes: [CMTime] = []
  private var largestPicture = 0
  private var pictureBytes = 0
  private var isEmpty = true
  /// When the first picture ends, which is written in any case.
  private var firstEnd: CMTime?
  private var wait: SampleWait?
  /// How many bytes the file may get; 0 is no limit.
  ///
  /// One picture is written in any case.
  var limit: Int64 = 0

  /// Makes the file, which must not be there unless the plan replaces it, and opens its encoder.
  ///
  /// - Parameter failed: Called on the queue when writing fails without anything being appended.
  /// - Throws: ``AVError``.
  init(
    _ plan: RecordingPlan, container: MovieContainer, video track: MovieTrackSettings?,
    on queue: DispatchQueue,
    failed: @escaping @Sendable (any Error) -> Void
  ) throws(AVError) {
    var settings = MovieWriter.Settings(container: container)
    settings.fragmentInterval = plan.fragmentInterval
    settings.metadata = plan.metadata
    settings.appearsWithHeader = true
    settings.holdsLastSample = true
    settings.diskFailed = { error in queue.async { failed(error) } }
    settings.replacesFile = plan.replacesFile
    var tracks: [WriterTrack] = []
    func made(
      _ type: AVMediaType, _ settings: [String: Any]?, _ format: CMFormatDescription? = nil
    ) -> WriterTrack {
      let track = WriterTrack(type, settings, format)
      tracks.append(track)
      return track
    }
    video = plan.video.map { made(.video, $0.settings) }
    audio = plan.audio.map { made(.audio, $0.settings) }
    timed = plan.timed.map { made(.metadata, nil, $0.format) }
    for track in timed { track.description = { Self.timedSettings } }
    if let track { video?.description = { track } }
    do throws(MovieFileError) {
      file = try MovieWriter(path: plan.url.path, settings: settings)
      for track in tracks { try track.addTrack(to: file) }
      for track in timed { track.describe(video, in: file) }
    } catch {
      throw AVError(writing: error)
    }
    if let picture = plan.video { video?.warmUp(isFullRange: picture.isFullRange, units: 1_000_000_000) }
    wait = SampleWait(on: queue) { [weak self] in
      do { try self?.writeAll() } catch { failed(error) }
    }
    for (track, isPicture) in [(video, true), (audio, false)] {
      track?.hasRoom = { [unowned self] sample in take(sample, isPicture: isPicture) }
    }
    for track in timed { track.hasRoom = { [unowned self] sample in hasRoom(for: sample) } }
  }

  /// Writes what encoders hold and what waits for the next sample, which may be long in coming.
  private func writeAll() throws {
    try video?.drain(into: file)
    try file.flush()
  }

  /// Bytes of the whole file, with the tables that its end will need.
  var size: Int64 { Int64(file.finishedSize) }

  /// The same, with what encoders still hold and one large picture more.
  var expectedSize: Int64 {
    // The largest is a key frame, which says nothing of the many that wait.
    let average = picturesOut > 1 ? (pictureBytes - largestPicture) / (picturesOut - 1) : 0
    return size + Int64((picturesIn - picturesOut) * average + largestPicture)
  }

  /// How many of the pictures that were written are shown.
  var pictureCount: Int {
    guard let cut else { return picturesOut }
    return picturesOut - newestTimes.count { $0 >= cut }
  }

  /// Where the movie ends because what comes then had no room below ``limit``; final once the file is finished.
  var cut: CMTime? {
    let first = [video?.firstLeftOut, audio?.firstLeftOut].compactMap { $0 }.min()
    return first.map { max($0, firstEnd ?? $0) }
  }

  /// Whether what was written so far can be played.
  var isPlayable: Bool { file.isPlayable }

  /// Whether the file holds media even though it may not play, as after a failure of the disk.
  var isWorthKeeping: Bool { file.hasMedia }

  /// Says which time of the samples is the movie's beginning.
  func begin(at time: CMTime) { file.begin(at: time) }

  /// Codes and writes a picture.
  func append(picture sample: CMSampleBuffer) throws {
    guard let video else { return }
    picturesIn += 1
    wait?.note()
    try video.append(sample, to: file)
    // Coding may take longer than the next sample.
    wait?.note()
  }

  /// Codes and writes audio.
  func append(audio sample: CMSampleBuffer) throws {
    guard let audio else { return }
    wait?.note()
    try audio.append(sample, to: file)
  }

  /// Writes a sample of a track of timed metadata, by its place in the plan.
  func append(metadata sample: CMSampleBuffer, to index: Int) throws {
    wait?.note()
    try timed[index].append(sample, to: file)
  }

  /// Millionths of a second, as the times of pictures.
  private static let timedSettings = {
    var settings = MovieTrackSettings(mediaType: kCMMediaType_Metadata)
    settings.timescale = 1_000_000
    return settings
  }()

  private func hasRoom(for sample: CMSampleBuffer) -> Bool {
    let needed = (sample.dataBuffer?.dataLength ?? 0) + MovieWriter.sampleSize
    return limit <= 0 || size + Int64(needed) <= limit
  }

  /// Counts a coded sample, where there is room for it.
  private func take(_ sample: CMSampleBuffer, isPicture: Bool) -> Bool {
    let amount = sample.dataBuffer?.dataLength ?? 0
    let isFirst = isPicture ? picturesOut == 0 : video == nil && isEmpty
    let needed = amount + sample.numSamples * MovieWriter.sampleSize
    guard limit <= 0 || isFirst || (cut == nil && size + Int64(needed) <= limit) else { return false }
    isEmpty = false
    guard isPicture else { return true }
    if isFirst {
      let duration = sample.duration
      firstEnd =
        sample.presentationTimeStamp
        + (duration.isNumeric && duration > .zero ? duration : CMTime(value: 1, timescale: 30))
    }
    picturesOut += 1
    pictureBytes += amount
    largestPicture = max(largestPicture, amount)
    newestTimes.append(sample.presentationTimeStamp)
    if newestTimes.count > Self.mostReordered { newestTimes.removeFirst() }
    return true
  }

  /// No encoder brings more pictures before one that is shown earlier.
  private static let mostReordered = 64

  /// Writes what is left and makes the file a plain movie.
  ///
  /// - Parameter end: When the movie ends, unless ``cut`` is earlier.
  func finish(at end: CMTime?) throws {
    wait = nil
    var failure: (any Error)?
    for track in [video, audio] + timed {
      do { try track?.finish(into: file) } catch { failure = failure ?? error }
    }
    do {
      try file.finish(at: [end, cut].compactMap { $0 }.min())
    } catch {
      // What became of a file that another program took away is known at its end only.
      failure = error.reason == .displaced ? error : failure ?? error
    }
    if let failure { throw failure }
  }

  /// Bytes on the disk.
  var writtenSize: Int64 { Int64(file.fileSize) }

  /// Removes the file, and no other that has its name.
  func cancel() { file.cancel() }
}

extension AVError {
  /// What went wrong while a recording was coded or written.
  convenience init(recording error: any Error) {
    switch error {
    case let error as AVError: self.init(error.code, userInfo: error.userInfo)
    case let error as MovieFileError: self.init(writing: error)
    default: self.init(.unknown, because: "The recording failed: \(error)", underlying: error)
    }
  }
}
