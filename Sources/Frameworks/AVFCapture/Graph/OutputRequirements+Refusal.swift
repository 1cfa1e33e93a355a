internal import CaptureDevice

extension OutputRequirements {
  /// Why frames of `format` cannot come here through a connection so set: what is missing, and what to do; `nil` when they can.
  func refusal(of format: StreamFormat, through settings: ConnectionSettings) -> String? {
    guard format.encoding == .h264 else {
      guard codedVideo == .only else { return nil }
      return
        "the video data output's videoSettings ask for H.264, which nothing here encodes; choose a format with "
        + "the media subtype avc1 as activeFormat, or other videoSettings"
    }
    let need: String
    switch role {
    case .preview: need = "the preview layer needs pictures"
    case .photo: need = "the photo output needs pictures"
    case .metadata: need = "the metadata output needs pictures"
    case .audioData, .depthData: return nil
    case .videoData(_, _, let sizing):
      guard codedVideo == .never else {
        if settings.rotation != 0 || settings.isMirrored {
          return "H.264 is not decoded here, so it cannot be turned or mirrored; set the connection's "
            + "videoRotationAngle to 0 and isVideoMirrored to false"
        }
        let isTooLarge = FormatChoice.fitted(format.size, into: FormatChoice.previewBounds) != format.size
        if sizing == .on, isTooLarge {
          return "H.264 is not decoded here, so it cannot be made smaller; set "
            + "deliversPreviewSizedOutputBuffers to false"
        }
        return nil
      }
      return "the video data output's videoSettings ask for pixels, and nothing here decodes H.264; set them "
        + "to [:] to get it as it is, or choose another activeFormat"
    }
    return "\(need), and nothing here decodes H.264; choose another activeFormat, or a sessionPreset, "
      + "which takes one"
  }
}
