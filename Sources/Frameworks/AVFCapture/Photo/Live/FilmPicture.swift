internal import CaptureDevice
internal import CoreMedia
internal import Linux

/// A coded picture of Live Photos' movies; several movies share it.
struct FilmPicture: Sendable {
  let sample: CMSampleBuffer
  /// When its frame was captured, in nanoseconds on the device's clock.
  let time: Int64
  /// Whether decoding can begin with it.
  let isKey: Bool
  /// Whether the camera was being swung.
  var isSwung = false
}

/// A chunk of sound of Live Photos' movies, in memory of its own.
struct FilmSound: Sendable {
  let audio: CapturedAudio
  let route: MediaRoute
  /// Whether a chunk before it was lost.
  let followsGap: Bool

  /// In nanoseconds on the device's clock.
  var start: Int64 { audio.timestamp.nanoseconds }
  var end: Int64 { start + audio.durationNanoseconds }
}

/// The newest coded pictures and the newest sound, for the movies of presses to come; a plain value.
///
/// It begins with a key frame and holds the time that a movie shows before its press, what a user's event may be late, and up to a
/// group of pictures before that: two and a half seconds at most.
struct FilmRing {
  /// How far back a press may reach, in nanoseconds.
  static let reach = LiveFilm.lead + 250_000_000
  /// Sound has stamps of its own, and may be ahead of the pictures of a stabilization.
  private static let mostSound: Int64 = 4_000_000_000

  private(set) var pictures: [FilmPicture] = []
  private(set) var sounds: [FilmSound] = []

  /// Until when there is sound, in nanoseconds; `nil` without any.
  var soundEnd: Int64? { sounds.last?.end }

  mutating func add(_ picture: FilmPicture) {
    if pictures.isEmpty, !picture.isKey { return }
    pictures.append(picture)
    let limit = picture.time - Self.reach
    if let first = pictures.lastIndex(where: { $0.isKey && $0.time <= limit }), first > 0 {
      pictures.removeFirst(first)
    }
    dropSound()
  }

  mutating func add(_ sound: FilmSound) {
    sounds.append(sound)
    dropSound()
  }

  private mutating func dropSound() {
    guard let newest = sounds.last?.end else { return }
    let limit = max(newest - Self.mostSound, pictures.first.map(\.time) ?? .min)
    if let first = sounds.firstIndex(where: { $0.end > limit }), first > 0 { sounds.removeFirst(first) }
  }

  /// The pictures from the last key frame on that is not later than the first one at `moment` or after.
  func pictures(from moment: Int64) -> ArraySlice<FilmPicture> {
    let first = pictures.firstIndex { $0.time >= moment } ?? max(pictures.count - 1, 0)
    guard let key = pictures.prefix(first + 1).lastIndex(where: \.isKey) else { return [] }
    return pictures[key...]
  }

  /// When a movie of a press begins: not before the camera was last swung, so long as the movie begins half a second before the press.
  func begin(before press: Int64, isTrimmed: Bool) -> Int64 {
    let begin = press - LiveFilm.lead
    guard isTrimmed else { return begin }
    let latest = press - LiveFilm.least
    guard let swung = pictures.last(where: { $0.isSwung && $0.time >= begin && $0.time < latest }) else {
      return begin
    }
    // The next one is steady.
    return swung.time + 1
  }
}
