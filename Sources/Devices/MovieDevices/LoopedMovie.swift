internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles

/// A movie that plays the part of a scene: its tracks, and the time that its camera and its microphone share.
///
/// Thread-safe.
final class LoopedMovie: Sendable {
  let path: String
  let name: String
  let pictures: MovieFile.Track?
  let audio: MovieFile.Track?
  /// From one beginning of the loop to the next.
  let nanoseconds: Int64
  private let running = Locked(Running())

  private struct Running {
    var count = 0
    var epoch = MonotonicInstant(nanoseconds: 0)
  }

  /// - Throws: `invalidScene` when the file cannot be read or has nothing that can be played.
  init(path: String) throws(CaptureDeviceError) {
    let movie: MovieFile
    do throws(MovieFileError) {
      movie = try MovieFile(path: path)
    } catch {
      throw CaptureDeviceError(.invalidScene, error.description)
    }
    self.path = path
    name = URL(fileURLWithPath: path).lastPathComponent
    pictures = movie.tracks.first { $0.mediaType == kCMMediaType_Video && $0.format != nil }
    audio = movie.tracks.first { $0.mediaType == kCMMediaType_Audio && $0.format != nil }
    let duration = movie.duration.isNumeric ? movie.duration.seconds : 0
    guard pictures != nil || audio != nil, duration > 0.01 else {
      throw CaptureDeviceError(
        .invalidScene, "\(path) has neither pictures nor audio to play as a camera; choose another movie.")
    }
    nanoseconds = Int64(duration * 1e9)
  }

  /// Notes that a stream begins: the first one begins with the movie, later ones where the movie is.
  ///
  /// - Parameter now: The moment at which it begins, on the device's clock.
  /// - Returns: The moments at which the movie began and the stream begins.
  func begin(at now: MonotonicInstant) -> (epoch: MonotonicInstant, start: MonotonicInstant) {
    let epoch = running.withLock { running in
      if running.count == 0 { running.epoch = now }
      running.count += 1
      return running.epoch
    }
    return (epoch, now)
  }

  func end() { running.withLock { $0.count -= 1 } }
}
