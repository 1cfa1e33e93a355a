package import CoreMedia
package import Foundation

/// A piece of a movie that is handed over in pieces: its header, or the samples of a while.
package struct MovieSegment: Sendable {
  /// The part that a track has in a segment.
  package struct Track: Sendable {
    /// As files number it, from 1 on.
    package let number: Int
    package let mediaType: CMMediaType
    /// When its first sample is shown, and how long its samples last; invalid in a header.
    package let earliest, duration: CMTime
    /// The first sample in the order of decoding, and where its bytes lie in the segment; `nil` in a header.
    package let first: Sample?
  }

  /// A sample in a segment.
  package struct Sample: Sendable {
    package let time: CMTime
    /// In bytes.
    package let offset, length: Int
    package let isKey: Bool
  }

  /// Whether it is the header, without which no other segment can be played.
  package let isHeader: Bool
  package let data: Data
  package let tracks: [Track]
}
