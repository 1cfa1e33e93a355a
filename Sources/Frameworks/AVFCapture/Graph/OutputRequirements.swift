package import CaptureDevice
package import FoundationExtras

/// What an output asks of the frames that come to it; a plain value, so that planning is a pure function.
package struct OutputRequirements: Sendable, Hashable {
  /// Whether a video data output's buffers are preview-sized.
  package enum PreviewSizing: Sendable, Hashable {
    /// Preview-sized under the photo preset, full otherwise.
    case automatic
    /// Always preview-sized.
    case on
    /// Always as the stream is.
    case off
  }

  /// What the output does with its frames.
  package enum Role: Sendable, Hashable {
    /// Hands every frame on; `pixelFormat` and `size` are what it converts to, `nil` for the stream's own.
    case videoData(pixelFormat: OSType?, size: FrameSize?, previewSizing: PreviewSizing)
    /// Takes full-size pictures of at most `maximumSize`; `nil` for the largest the format has.
    case photo(maximumSize: FrameSize?)
    /// Shows the newest frame on a screen; needs no more pixels than that has.
    case preview
    /// Hands all sound on.
    case audioData
  }

  /// What the output does with its frames.
  package var role: Role
  /// What it takes, one connection for each.
  package var media: Set<MediaKind>

  /// Asks for `media` in the given role.
  package init(role: Role, media: Set<MediaKind>) {
    self.role = role
    self.media = media
  }
}
