package import CoreMedia
package import GraphicsCore
package import Foundation
internal import FoundationExtras

/// The settings of a track of a movie that is written.
package struct MovieTrackSettings: Sendable {
  /// The type of media, such as ``kCMMediaType_Video``.
  package var mediaType: CMMediaType
  /// The format of the samples; `nil` takes the first sample's.
  package var format: CMFormatDescription?
  /// Units of time in a second; 0 chooses one in which the first sample's times are whole.
  package var timescale: Int32 = 0
  /// The transform of pictures when they are shown.
  package var transform = CGAffineTransform.identity
  /// The size in which pictures are shown before they are turned; `nil` is that of the pictures.
  package var size: CGSize?
  /// A language by ISO 639-2, such as `eng`; `nil` is undetermined.
  package var language: String?
  /// Whether players begin with the track.
  package var isEnabled = true
  /// From 0 to 1.
  package var volume: Float = 1
  /// The track's metadata.
  package var metadata: [MovieMetadata] = []

  /// A track of a kind.
  package init(mediaType: CMMediaType, format: CMFormatDescription? = nil) {
    self.mediaType = mediaType
    self.format = format
  }

  /// A timescale in which a time is whole, or as good as: a movie's durations have 32 bits.
  package static func timescale(for time: CMTime) -> Int32 {
    guard time.timescale > 0 else { return 600 }
    if time.timescale > 1_000_000 { return 1_000_000 }
    return time.timescale >= 600 ? time.timescale : time.timescale * ((599 / time.timescale) + 1)
  }
}
