internal import CFFmpeg
package import CoreMedia
package import GraphicsCore
package import Foundation
internal import FoundationExtras

/// A file of coded media that is read: its tracks, and what it says about itself.
///
/// QuickTime and MP4, fragmented or not, Matroska, AVI, MPEG-TS, WAV, AIFF, CAF, MP3, AAC, FLAC and Ogg. Immutable. Opening
/// reads the tables and no media.
package struct MovieFile: Sendable {
  /// A track.
  package struct Track: Sendable {
    /// Its place among the tracks, from 0; what ``TrackReader`` takes.
    package let index: Int
    /// The file's own number.
    package let number: Int
    /// What kind of media.
    package let mediaType: CMMediaType
    /// What the samples are; `nil` for codecs that have no name here.
    package let format: CMFormatDescription?
    /// Units of time in a second.
    package let timescale: Int32
    /// When it is shown in the file's time.
    package let timeRange: CMTimeRange
    /// The size in which pictures are shown before they are turned.
    package let size: CGSize
    /// How pictures are turned when they are shown.
    package let transform: CGAffineTransform
    /// Frames or packets in a second, on average; 0 when unknown.
    package let rate: Double
    /// The least time between two samples; invalid when unknown.
    package let minimumSampleDuration: CMTime
    /// Bits in a second.
    package let bitRate: Double
    /// How many bytes the samples have.
    package let byteCount: Int
    /// By ISO 639-2; `nil` when undetermined.
    package let language: String?
    /// Whether players begin with it.
    package let isEnabled: Bool
    /// Whether samples may be shown in another order than they are decoded.
    package let mayReorder: Bool
    /// Which tracks belong to it, by their numbers, and what they are to it, such as `tmcd`.
    package let references: [String: [Int]]
  }

  /// Where it lies.
  package let path: String
  /// FFmpeg's names of the container.
  package let container: String
  /// The tracks, in the file's order.
  package let tracks: [Track]
  /// From zero to the end of the longest track.
  package let duration: CMTime
  /// What it says about itself.
  package let metadata: [MovieMetadata]

  /// Opens a file.
  ///
  /// - Throws: ``MovieFileError``: `system`, or `damaged` for what is no file of media.
  package init(path: String) throws(MovieFileError) {
    let movie = try OpenMovie(path: path)
    self.path = path
    container = String(cString: cam_movie_format(movie.pointer))
    let header = MetadataReader(path: path)
    tracks = (0..<Int(cam_movie_stream_count(movie.pointer))).compactMap {
      TrackFacts(movie, $0, header.boxes).track
    }
    let ends = tracks.map(\.timeRange.end).filter(\.isNumeric)
    let whole = cam_movie_duration(movie.pointer)
    duration =
      ends.max() ?? (whole == cam_no_time ? .zero : CMTime(value: whole, timescale: 1_000_000))
    metadata = header.items
  }
}

/// FFmpeg's file, closed with the last reference.
final class OpenMovie {
  let pointer: OpaquePointer

  init(path: String) throws(MovieFileError) {
    do throws(FileReadError) {
      _ = try InputFile(path)
    } catch {
      if case .system(let system) = error { throw MovieFileError(system) }
      throw MovieFileError(.damaged, "The file \(path) cannot be read: \(error).")
    }
    var status: Int32 = 0
    guard let pointer = cam_movie_open(path, Int64(FragmentScan.end(of: path) ?? 0), &status) else {
      throw MovieFileError(
        .damaged, "The file \(path) is no movie that can be read: \(Self.text(status)).")
    }
    self.pointer = pointer
  }

  deinit {
    cam_movie_close(pointer)
  }

  static func text(_ status: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
      room.initialize(repeating: 0)
      guard let base = room.baseAddress else { return "" }
      cam_describe(status, base, 256)
      return String(cString: base)
    }
  }
}
