internal import CFFmpeg
package import CoreMedia
package import GraphicsCore
package import Foundation
internal import FoundationExtras

/// A file of coded media that is read: its tracks, and what it says about itself.
///
/// QuickTime and MP4, fragmented or not, Matroska, AVI, MPEG-TS, WAV, AIFF, CAF, MP3, AAC, FLAC and Ogg. Immutable. Opening
/// reads the tables and no media of QuickTime, MP4 and AVI, and of the others, which have none, up to 16 MB of media.
package struct MovieFile: Sendable {
  /// A track.
  package struct Track: Sendable {
    /// Its place among the tracks, from 0; what ``TrackReader`` takes.
    package let index: Int
    /// The file's own number.
    package let number: Int
    /// The type of media.
    package let mediaType: CMMediaType
    /// The format of the samples; `nil` for codecs that have no name here.
    package let format: CMFormatDescription?
    /// Units of time in a second.
    package let timescale: Int32
    /// When it is shown in the file's time.
    package let timeRange: CMTimeRange
    /// The size in which pictures are shown before they are turned.
    package let size: CGSize
    /// The transform of pictures when they are shown.
    package let transform: CGAffineTransform
    /// Frames or packets in a second, on average; 0 when unknown.
    package let rate: Double
    /// The least time between two samples; invalid when unknown.
    package let minimumSampleDuration: CMTime
    /// Bits in a second.
    package let bitRate: Double
    /// The bytes of all samples; 0 when unknown, as of more media than is read to open the file.
    package let byteCount: Int
    /// By ISO 639-2; `nil` when undetermined.
    package let language: String?
    /// Whether players begin with it.
    package let isEnabled: Bool
    /// Whether samples may be shown in another order than they are decoded.
    package let mayReorder: Bool
    /// The tracks that belong to it, as numbers, by their kind of reference, such as `tmcd`.
    package let references: [String: [Int]]
    /// The parts of the media that ``TrackReader`` shows; `nil` where FFmpeg follows the file's list.
    let edits: EditList?
    /// The mappings of its edit list from media to movie, in the order of time, an empty edit with an invalid source; none without a list.
    package let mappings: [CMTimeMapping]
  }

  /// The path of the file.
  package let path: String
  /// FFmpeg's names of the container.
  package let container: String
  /// The tracks, in the file's order.
  package let tracks: [Track]
  /// From zero to the end of the longest track.
  package let duration: CMTime
  /// When the first sample is decoded that the tables name and the file lacks, because it was cut; `nil` when all are there.
  package let missingFrom: CMTime?
  /// The file's metadata.
  package let metadata: [MovieMetadata]
  /// When the file was made, by its header; `nil` where that does not say.
  package let created: Date?

  /// Opens a file.
  ///
  /// - Throws: ``MovieFileError``: `system`, or `damaged` for what is no file of media.
  package init(path: String) throws(MovieFileError) {
    let movie = try OpenMovie(path: path)
    self.path = path
    container = String(cString: cam_movie_format(movie.pointer))
    let header = MetadataReader(path: path)
    // Before samples are read to count them, which changes what FFmpeg says.
    let whole = cam_movie_duration(movie.pointer)
    let amounts = TrackAmounts.all(of: movie, header.boxes, path: path)
    tracks = amounts.enumerated().compactMap { TrackFacts(movie, $0.offset, header.boxes, $0.element).track }
    missingFrom =
      tracks.compactMap { track in
        let time = cam_movie_first_missing(movie.pointer, Int32(track.index))
        return time == cam_no_time ? nil : CMTime(value: time, timescale: track.timescale)
      }.min()
    let ends = tracks.map(\.timeRange.end).filter(\.isNumeric)
    duration =
      ends.max() ?? (whole == cam_no_time ? .zero : CMTime(value: whole, timescale: 1_000_000))
    metadata = header.items
    created = header.boxes == nil ? movie.created : header.created
  }
}

/// FFmpeg's file, closed with the last reference.
final class OpenMovie {
  let pointer: OpaquePointer

  /// - Parameter ignoresEdits: Whether times are those of the media, and edit lists are left to the caller.
  init(path: String, ignoresEdits: Bool = false) throws(MovieFileError) {
    do throws(FileReadError) {
      _ = try InputFile(path)
    } catch {
      if case .system(let system) = error { throw MovieFileError(system) }
      throw MovieFileError(.damaged, "The file \(path) cannot be read: \(error).")
    }
    var status: Int32 = 0
    let end = Int64(FragmentScan.end(of: path) ?? 0)
    guard let pointer = cam_movie_open(path, end, ignoresEdits, &status) else {
      throw MovieFileError(
        .damaged, "The file \(path) is no movie that can be read: \(Self.text(status)).")
    }
    self.pointer = pointer
  }

  deinit {
    cam_movie_close(pointer)
  }

  /// When the file was made, as Matroska's and AVI's own times say; `nil` where they do not.
  var created: Date? {
    var found: [String: Date] = [:]
    var number: Int32 = 0
    var key: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    while cam_movie_text(pointer, -1, number, &key, &value) {
      number += 1
      guard let key, let value else { continue }
      guard let written = WrittenDate(String(cString: value)), written.saysDay else { continue }
      found[String(cString: key).lowercased()] = written.date()
    }
    return found["creation_time"] ?? found["date"]
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
