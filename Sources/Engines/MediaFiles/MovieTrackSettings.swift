package import CoreMedia
package import GraphicsCore
package import Foundation
internal import FoundationExtras

/// What a track of a movie that is written is.
package struct MovieTrackSettings: Sendable {
  /// What kind of media, such as ``kCMMediaType_Video``.
  package var mediaType: CMMediaType
  /// What the samples are; `nil` when the first sample says it.
  package var format: CMFormatDescription?
  /// Units of time in a second; 0 chooses one in which the first sample's times are whole.
  package var timescale: Int32 = 0
  /// How pictures are turned when they are shown.
  package var transform = CGAffineTransform.identity
  /// The size in which pictures are shown before they are turned; `nil` is that of the pictures.
  package var size: CGSize?
  /// A language by ISO 639-2, such as `eng`; `nil` is undetermined.
  package var language: String?
  /// Whether players begin with the track.
  package var isEnabled = true
  /// From 0 to 1.
  package var volume: Float = 1
  /// What the track says about itself.
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
