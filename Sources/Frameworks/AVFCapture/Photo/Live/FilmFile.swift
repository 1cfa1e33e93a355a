internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import GraphicsCore
internal import MediaFiles

/// The file of a Live Photo's movie, on the queue of these files: pictures, sound, and the moment of the photo.
final class FilmFile {
  /// A movie with what is to be in it.
  struct Content: Sendable {
    var request: LivePhotoRequest
    /// From a key frame on; what lies before ``start`` is only decoded.
    var pictures: [FilmPicture]
    var sounds: [FilmSound]
    /// When the first picture that is shown was captured, and when the last one ends.
    var start: Int64
    var end: Int64
    /// When the first picture was captured, on the calendar.
    var date: Date
  }

  private let start: Int64
  private let end: Int64
  /// When the last picture was captured.
  private let last: Int64
  private let file: MovieWriter
  private let video: Int
  private let still: Int
  private let stillFormat: CMFormatDescription
  private let sound: WriterTrack?

  /// Writes pictures and sound to a new file.
  ///
  /// - Throws: ``AVError``: the file is gone then.
  init(_ content: Content) throws(AVError) {
    (start, end) = (content.start, content.end)
    last = content.pictures.last { $0.time < content.end }?.time ?? content.start
    guard let format = content.pictures.first?.sample.formatDescription,
      let stillFormat = StillImageTime.format
    else {
      throw AVError(
        .noDataCaptured, because: "The Live Photo has no movie because no picture came in its time.")
    }
    self.stillFormat = stillFormat
    var settings = MovieWriter.Settings(container: .quickTime)
    settings.metadata = Self.metadata(content)
    settings.appearsWithHeader = true
    let request = content.request
    let first = content.sounds.first
    sound = first.map { WriterTrack(.audio, MovieSettings.audio([:], $0.route.plan, .mov), nil) }
    do throws(MovieFileError) {
      file = try MovieWriter(path: request.url.path, settings: settings)
      var track = MovieTrackSettings(mediaType: kCMMediaType_Video, format: format)
      let size = CGSize(width: Double(request.size.width), height: Double(request.size.height))
      track.transform = OrientationTable.change(
        rotation: request.rotation, isMirrored: request.isMirrored
      ).movieMatrix(for: size)
      video = try file.addTrack(track)
      try sound?.addTrack(to: file)
      var timed = MovieTrackSettings(mediaType: kCMMediaType_Metadata, format: stillFormat)
      timed.timescale = 1_000_000
      still = try file.addTrack(timed)
      file.associate(video, with: still, as: StillImageTime.reference)
    } catch {
      throw AVError(writing: error)
    }
    do {
      try write(content)
    } catch {
      file.cancel()
      throw AVError(recording: error)
    }
  }

  /// The name comes first: it is what other programs look for.
  private static func metadata(_ content: Content) -> [MovieMetadata] {
    func item(_ key: String, _ text: String) -> MovieMetadata {
      MovieMetadata(keySpace: .quickTimeMetadata, key: key, value: .text(text))
    }
    let given = Set(content.request.metadata.filter { $0.keySpace == .quickTimeMetadata }.map(\.key))
    let own = [item("com.apple.quicktime.creationdate", WrittenDate.text(of: content.date))]
    return [item(StillImageTime.identifierKey, content.request.identifier)]
      + own.filter { !given.contains($0.key) } + content.request.metadata
  }

  /// Nothing of it is kept: the photo may be a while in the making.
  private func write(_ content: Content) throws {
    file.begin(at: CMTime(nanoseconds: content.start))
    // Both by time, so that the file can be read from its beginning to its end.
    var sounds = content.sounds[...]
    let recorded = RecordedAudio()
    var timeline = RecordingTimeline()
    timeline.adopt([RecordingTimeline.Span(start: content.start, end: content.end)])
    if timeline.place(of: content.start) == .beginning { timeline.begin(at: content.start, after: nil) }
    func writeSound(until moment: Int64) throws {
      while let next = sounds.first, next.start < moment {
        sounds.removeFirst()
        for sample in recorded.samples(
          of: next.audio, over: next.route, followsGap: next.followsGap, on: timeline)
        {
          try sound?.append(sample, to: file)
        }
      }
    }
    for picture in content.pictures where picture.time < content.end {
      try file.append(picture.sample, to: video)
      try writeSound(until: picture.time)
    }
    try writeSound(until: content.end)
    try sound?.finish(into: file)
  }

  /// Notes when the photo was taken and makes a plain movie of the file.
  ///
  /// - Parameter photo: When the photo's frame was captured; the nearest moment of the movie counts.
  /// - Returns: How long the movie is, and when in it the photo was taken.
  /// - Throws: ``AVError``: the file is gone then.
  func finish(photo: Int64) throws(AVError) -> (duration: CMTime, photo: CMTime) {
    let moment = min(max(photo, start), last)
    do {
      try file.append(StillImageTime.sample(at: CMTime(nanoseconds: moment), stillFormat), to: still)
      try file.finish(at: CMTime(nanoseconds: end))
    } catch {
      file.cancel()
      throw AVError(recording: error)
    }
    let begin = CMTime(nanoseconds: start)
    return (CMTime(nanoseconds: end) - begin, CMTime(nanoseconds: moment) - begin)
  }

  /// Removes the file, and no other that has its name.
  func cancel() { file.cancel() }
}
