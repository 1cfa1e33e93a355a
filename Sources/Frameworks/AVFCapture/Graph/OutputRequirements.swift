internal import AVFCore
package import CaptureDevice
package import FoundationExtras

/// The requirements of an output for the frames that come to it; a plain value, so that planning is a pure function.
package struct OutputRequirements: Sendable, Hashable {
  /// The choice of preview-sized buffers for a video data output.
  package enum PreviewSizing: Sendable, Hashable {
    /// Preview-sized under the photo preset, full otherwise.
    case automatic
    /// Always preview-sized.
    case on
    /// Always as the stream is.
    case off
  }

  /// The role of an output: the use that it makes of its frames.
  package enum Role: Sendable, Hashable {
    /// Hands every frame on; `pixelFormat` and `size` are what it converts to, `nil` for the stream's own.
    case videoData(pixelFormat: OSType?, size: FrameSize?, previewSizing: PreviewSizing)
    /// Takes full-size pictures.
    case photo
    /// Shows the newest frame on a screen; needs no more pixels than that has.
    case preview
    /// Hands all audio on.
    case audioData
    /// Hands all depth maps on.
    case depthData
    /// Looks for codes, faces and people in the frames that it finds time for; previews' pixels are enough.
    case metadata
    /// Writes every frame, and all audio, to a movie.
    case movie
    /// Writes all audio to a file.
    case audioFile
  }

  /// The type of an output, whatever it asks for.
  enum Kind: String {
    case videoData = "a video data output"
    case photo = "a photo output"
    case preview = "a preview"
    case audioData = "an audio data output"
    case depthData = "a depth data output"
    case metadata = "a metadata output"
    case movie = "a movie file output"
    case audioFile = "an audio file output"
  }

  /// The role of the output; the planner asks what follows from it.
  package var role: Role
  /// The media that it takes, one connection for each.
  package var media: Set<MediaKind>
  /// Whether a photo output wants the newest frames kept, so that photos can be of the past.
  package var keepsHistory = false
  /// The forms in which it takes frames.
  package var accepts: Set<FrameForm> = [.pictures]
  /// Whether a recording is under way that is written as the camera codes it, which no change of the pictures ends.
  package var writesAsItComes = false
  /// Whether a photo output wants depth measured for its photos.
  package var takesDepth = false
  /// Whether a photo output codes every frame, for movies of Live Photos.
  package var makesFilms = false
  /// How many more maps than usual a stream has then: those that photos may be of, or be on their way with.
  package static let photoDepthBuffers = 8
  /// How many more maps than usual a stream has while Portrait goes by them.
  package static let effectDepthBuffers = 6
  /// How many more buffers than usual a stream has whose frames wait to be decoded.
  package static let decodingBuffers = 12
  /// How large its photos shall be; `nil` is the format's smallest.
  package var historySize: FrameSize?

  /// Asks for `media` in the given role.
  package init(role: Role, media: Set<MediaKind>) {
    self.role = role
    self.media = media
  }

  /// Whether photos are made here.
  var takesPhotos: Bool { role == .photo }

  /// The pixel format in which every frame is delivered; `nil` for the stream's own, and where frames are not handed on.
  var pixelFormat: OSType? {
    if case .videoData(let format, _, _) = role { format } else { nil }
  }

  /// The size in which every frame is delivered; `nil` for the stream's own, and where frames are not handed on.
  var pictureSize: FrameSize? {
    if case .videoData(_, let size, _) = role { size } else { nil }
  }

  /// Whether every frame is handed on.
  var deliversFrames: Bool {
    if case .videoData = role { true } else { role == .movie }
  }

  /// Whether the output hands a sample to a client, or shows one, as often as its device makes one.
  var isStreaming: Bool {
    switch role {
    case .videoData, .audioData, .depthData, .preview: true
    case .photo, .metadata, .movie, .audioFile: false
    }
  }

  /// Whether the output needs the camera's frames for a press that comes while its start is deferred.
  var awaitsPress: Bool { role == .photo || role == .movie }

  /// How many buffers more than usual a stream needs, so that frames can wait for a slow disk,
  /// or for the encoder of Live Photos, at which three may wait.
  var waitingBuffers: Int { role == .movie ? 8 : makesFilms ? 3 : 0 }

  /// Whether frames come preview-sized while `preset` is in force.
  func wantsPreviewSize(under preset: AVCaptureSessionPreset) -> Bool {
    switch role {
    case .videoData(_, _, .automatic), .preview, .metadata: preset == .photo
    case .videoData(_, _, .on): true
    case .videoData(_, _, .off), .photo, .audioData, .depthData, .movie, .audioFile: false
    }
  }

  /// Whether the output has connections with ports of `type`.
  ///
  /// A movie takes the timed metadata that clients bring. Things found in pictures come through a port of their own, and are made of the stream that feeds the video port.
  func takes(_ type: AVMediaType) -> Bool {
    if role == .metadata { return type == .metadataObject }
    if type == .metadata { return role == .movie }
    return MediaKind(type).map(media.contains) ?? false
  }
}

extension OutputRequirements.Role {
  /// The type of output that has this role.
  var kind: OutputRequirements.Kind {
    switch self {
    case .videoData: .videoData
    case .photo: .photo
    case .preview: .preview
    case .audioData: .audioData
    case .depthData: .depthData
    case .metadata: .metadata
    case .movie: .movie
    case .audioFile: .audioFile
    }
  }
}
