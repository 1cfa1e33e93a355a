internal import CoreMedia
internal import Foundation
internal import MediaFiles
internal import VideoCodecs

/// The audio of a movie from its first to its last sample, over and over, as 16-bit integers.
///
/// Where the movie is silent there are zeros, so that each loop is as long as the movie. Not thread-safe.
final class LoopedAudio {
  private let film: LoopedMovie
  private let track: MovieFile.Track
  private let rate: Int
  private let channels: Int
  private var reader: TrackReader?
  private var decoder: AudioDecoder?
  private var samples: [Int16] = []
  /// The moments of this loop that are made, and those that it has.
  private var made = 0
  private let count: Int

  init(_ film: LoopedMovie, _ track: MovieFile.Track, rate: Int, channels: Int) {
    self.film = film
    self.track = track
    self.rate = rate
    self.channels = channels
    count = max(1, Int(Double(film.nanoseconds) / 1e9 * Double(rate)))
  }

  /// The next moments; silence once the file cannot be read any more.
  func next(_ frames: Int) -> [Int16] {
    while samples.count < frames * channels {
      do {
        try more()
      } catch {
        (reader, decoder) = (nil, nil)
        pad(to: count)
        made = 0
      }
    }
    defer { samples.removeFirst(frames * channels) }
    return Array(samples.prefix(frames * channels))
  }

  private func more() throws {
    if reader == nil {
      guard let format = track.format else { return pad(to: made + rate) }
      reader = try TrackReader(path: film.path, track: track)
      decoder = try AudioDecoder(format, rate: Double(rate), channels: channels)
      made = 0
    }
    if let sample = try reader?.next(), made < count {
      for buffer in try decoder?.decode(sample) ?? [] { take(buffer) }
    } else {
      if made < count { for buffer in try decoder?.finish() ?? [] { take(buffer) } }
      pad(to: count)
      (reader, decoder) = (nil, nil)
    }
  }

  private func take(_ buffer: CMSampleBuffer) {
    guard let bytes = try? buffer.dataBuffer?.dataBytes() else { return }
    let place = Int(
      buffer.presentationTimeStamp.convertScale(CMTimeScale(rate), method: .roundHalfAwayFromZero).value)
    pad(to: min(place, count))
    var values = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    if place < made { values.removeFirst(min(values.count, (made - place) * channels)) }
    values = Array(values.prefix(max(0, count - made) * channels))
    samples += values
    made += values.count / channels
  }

  private func pad(to place: Int) {
    guard place > made else { return }
    samples += [Int16](repeating: 0, count: (place - made) * channels)
    made = place
  }
}
