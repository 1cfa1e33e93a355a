internal import AVFCore
internal import CoreMedia
internal import Foundation
internal import MediaFiles

/// The file of a recording, with a track for pictures and one for audio; on the queue of the recording.
final class RecordingFile {
  private let file: MovieWriter
  private let video: WriterTrack?
  private let audio: WriterTrack?
  /// Bytes of media, and entries in the tables.
  private var bytes = 0
  private var entries = 0
  /// Pictures that were handed to an encoder, and samples of them that came out.
  private var picturesIn = 0
  private var picturesOut = 0
  private var largestAmount = 0

  /// Makes the file, which must not be there.
  ///
  /// - Throws: ``AVError``.
  init(_ plan: RecordingPlan, container: MovieContainer, video track: MovieTrackSettings?) throws(AVError) {
    var settings = MovieWriter.Settings(container: container)
    let interval = plan.fragmentInterval
    settings.fragmentInterval =
      interval.isNumeric && interval > .zero ? interval : CMTime(value: 10, timescale: 1)
    settings.metadata = plan.metadata
    settings.appearsWithHeader = true
    var tracks: [WriterTrack] = []
    func made(_ type: AVMediaType, _ settings: [String: Any]?) -> WriterTrack {
      let track = WriterTrack(type, settings, nil)
      tracks.append(track)
      return track
    }
    video = plan.video.map { made(.video, $0.settings) }
    audio = plan.audio.map { made(.audio, $0.settings) }
    if let track { video?.description = { track } }
    do throws(MovieFileError) {
      file = try MovieWriter(path: plan.url.path, settings: settings)
      for track in tracks { try track.addTrack(to: file) }
    } catch {
      throw AVError(writing: error)
    }
  }

  /// Bytes of the whole file, with the tables that its end will need.
  var size: Int64 { Int64(bytes + 32 * entries + 4096) }

  /// The same, with what encoders still hold and one large picture more.
  var expectedSize: Int64 {
    let average = picturesOut > 0 ? bytes / picturesOut : 0
    return size + Int64((picturesIn - picturesOut) * average + largestAmount)
  }

  /// Whether what was written so far can be played.
  var isPlayable: Bool { file.hasFragments }

  /// Says which time of the samples is the movie's beginning.
  func begin(at time: CMTime) { file.begin(at: time) }

  /// Codes and writes a picture.
  func append(picture sample: CMSampleBuffer) throws {
    guard let video else { return }
    picturesIn += 1
    let amount = try video.append(sample, to: file)
    picturesOut += amount.samples
    note(amount)
  }

  /// Codes and writes audio.
  func append(audio sample: CMSampleBuffer) throws {
    guard let audio else { return }
    note(try audio.append(sample, to: file))
  }

  private func note(_ amount: WrittenAmount) {
    bytes += amount.bytes
    entries += amount.samples
    largestAmount = max(largestAmount, amount.bytes)
  }

  /// Writes what is left and makes the file a plain movie.
  func finish(at end: CMTime?) throws {
    var failure: (any Error)?
    for track in [video, audio] {
      do { try track?.finish(into: file) } catch { failure = failure ?? error }
    }
    do { try file.finish(at: end) } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  /// Bytes on the disk.
  var writtenSize: Int64 { Int64(file.fileSize) }

  /// Removes the file.
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
