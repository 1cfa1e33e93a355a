internal import AVFCore
internal import CoreMedia
internal import FoundationExtras
internal import Linux

/// The movie of one Live Photo on its way; on the queue of the recorder.
final class LiveFilm: @unchecked Sendable {  // Safe because only the recorder's queue uses what changes.
  /// A report of a movie to its photo.
  enum Event: Sendable {
    /// No more is recorded.
    case recorded
    /// The file is whole: how long, and when in it the photo was taken.
    case finished(duration: CMTime, photo: CMTime)
    /// There is no file.
    case failed(AVError)
  }

  /// What has become of the photo.
  enum Photo {
    /// Its frame was captured then; `nil` where that is not known, and the press counts.
    case taken(Int64?)
    case failed(AVError)
  }

  /// How long a movie is before and after its press, in nanoseconds.
  static let lead: Int64 = 1_500_000_000
  static let tail: Int64 = 1_500_000_000
  /// What is not trimmed away on either side.
  static let least: Int64 = 500_000_000
  /// How long sound is waited for that is later than the pictures.
  private static let longestWait: Int64 = 500_000_000
  /// A third of a second is no whole number of nanoseconds.
  private static let tolerance: Int64 = 1_000

  let request: LivePhotoRequest
  /// The press, on the device's clock.
  let press: Int64
  private let report: @Sendable (Event, (any AnyObject & Sendable)?) -> Void
  private var pictures: [FilmPicture] = []
  private var sounds: [FilmSound] = []
  /// Nothing from before is shown.
  private var begin: Int64
  /// Nothing from then on is recorded.
  private(set) var end: Int64
  /// Whether a picture has come that is not in the movie any more.
  private var hasPassed = false
  private(set) var isRecorded = false
  var photo: Photo?
  /// By how much the camera's stamps are behind the clock, as ``LiveRecorder`` found.
  var offset: Int64 = 0
  /// Whether it was reported that there is no file.
  var hasFailed = false
  /// The place of its file; set and used on the queue of files.
  var file: FilmFile?

  /// A movie of a press, with what the ring holds of the time before it.
  ///
  /// - Parameters:
  ///   - opened: Nothing from before that moment is wanted.
  ///   - report: Called on any thread; what is handed over keeps a manual clock waiting.
  init(
    _ request: LivePhotoRequest, press: Int64, ring: FilmRing, opened: Int64,
    report: @escaping @Sendable (Event, (any AnyObject & Sendable)?) -> Void
  ) {
    self.request = request
    self.press = press
    self.report = report
    begin = max(opened, ring.begin(before: press, isTrimmed: request.isTrimmed))
    end = press + Self.tail
    for picture in ring.pictures(from: begin - Self.tolerance) { take(picture) }
    sounds = ring.sounds.filter { $0.end > begin }
  }

  func tell(_ event: Event, holding token: (any AnyObject & Sendable)?) { report(event, token) }

  /// Takes the next picture.
  func take(_ picture: FilmPicture) {
    guard !isRecorded, !hasPassed else { return }
    if request.isTrimmed, picture.isSwung, picture.time >= press + Self.least {
      end = min(end, picture.time)
    }
    guard picture.time < end - Self.tolerance else {
      hasPassed = true
      return
    }
    if !pictures.isEmpty || picture.isKey { pictures.append(picture) }
  }

  /// Takes the next sound.
  func take(_ sound: FilmSound) {
    guard !isRecorded, sound.start < end else { return }
    sounds.append(sound)
  }

  /// Whether all has come that belongs to the movie, where the newest picture and the newest sound are of these moments.
  func isComplete(newest: Int64, soundEnd: Int64?) -> Bool {
    guard hasPassed else { return false }
    guard let soundEnd, !sounds.isEmpty else { return true }
    return soundEnd >= end - Self.tolerance || newest >= end + Self.longestWait
  }

  /// Ends the recording with what has come.
  ///
  /// - Returns: What the file is made of; `nil` when nothing has come.
  func close() -> FilmFile.Content? {
    guard !isRecorded else { return nil }
    isRecorded = true
    let (pictures, sounds) = (pictures, sounds)
    (self.pictures, self.sounds) = ([], [])
    guard let start = pictures.first(where: { $0.time >= begin - Self.tolerance })?.time,
      let last = pictures.last
    else { return nil }
    let usual = pictures.count > 1 ? last.time - pictures[pictures.count - 2].time : 33_333_333
    return FilmFile.Content(
      request: request, pictures: pictures, sounds: sounds, start: start,
      end: min(end, last.time + usual), date: WorldTime.current.date(of: MonotonicInstant(nanoseconds: start))
    )
  }
}
