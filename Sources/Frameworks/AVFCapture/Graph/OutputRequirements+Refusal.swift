internal import CaptureDevice

extension CaptureGraph {
  /// Why connections bring nothing under the preset, whatever the devices can do, by connection.
  ///
  /// Movies are not recorded under the preset `photo`: Apple's sample takes the movie file output away there. Its audio does not
  /// flow then either, for a movie of a camera has pictures.
  var refusedByPreset: [NodeID: String] {
    guard preset == .photo else { return [:] }
    let movies = Set(outputs.filter { $0.requirements.role == .movie }.map(\.id))
    let filming = Set(connections.filter { movies.contains($0.output) && $0.media == .video }.map(\.output))
    let refused = connections.filter { filming.contains($0.output) }
    return Dictionary(uniqueKeysWithValues: refused.map { ($0.id, Self.noMoviesHere) })
  }

  private static let noMoviesHere =
    "movies are not recorded under the session preset photo; set sessionPreset to high, or to another one"
}

extension OutputRequirements {
  /// Why frames of `format` cannot come here through a connection so set: what is missing, and what to do; `nil` when they can.
  func refusal(of format: StreamFormat, through settings: ConnectionSettings) -> String? {
    guard media.contains(.video) else { return nil }
    switch format.encoding.form {
    case .pictures:
      guard !accepts.contains(.pictures) else { return nil }
      return
        "the video data output's videoSettings ask for H.264, which nothing here encodes; choose a format with "
        + "the media subtype avc1 as activeFormat, or other videoSettings"
    case .coded: return accepts.contains(.coded) ? change(of: format, settings) : needOfPictures
    }
  }

  /// What is asked of coded pictures that takes pixels, which they are not decoded to.
  private func change(of format: StreamFormat, _ settings: ConnectionSettings) -> String? {
    // A movie's matrix turns what is not decoded.
    if role == .movie { return nil }
    if settings.rotation != 0 || settings.isMirrored {
      return "H.264 is not decoded here, so it cannot be turned or mirrored; set the connection's "
        + "videoRotationAngle to 0 and isVideoMirrored to false"
    }
    let isTooLarge = FormatChoice.fitted(format.size, into: FormatChoice.previewBounds) != format.size
    if wantsPreviewSize(under: .inputPriority), isTooLarge {
      return "H.264 is not decoded here, so it cannot be made smaller; set "
        + "deliversPreviewSizedOutputBuffers to false"
    }
    return nil
  }

  private var needOfPictures: String {
    let sink: String
    switch role {
    case .videoData:
      return "the video data output's videoSettings ask for pixels, and nothing here decodes H.264; set them "
        + "to [:] to get it as it is, or choose another activeFormat"
    case .preview: sink = "preview layer"
    case .photo: sink = "photo output"
    case .metadata: sink = "metadata output"
    case .movie:
      return "the movie file output's settings ask for another coding than the camera's H.264, which nothing "
        + "here decodes; set nil settings for the connection, or choose another activeFormat"
    case .audioData, .depthData, .audioFile: sink = "output"
    }
    return "the \(sink) needs pictures, and nothing here decodes H.264; choose another activeFormat, or a "
      + "sessionPreset, which takes one"
  }
}
