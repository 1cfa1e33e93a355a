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
    guard media.contains(.video), !accepts.contains(.pictures) else { return nil }
    let form = format.encoding.form
    if accepts.contains(form) { return change(of: format, settings) }
    let asked = accepts.compactMap(\.codecName).first ?? "coded pictures"
    return
      "the video data output's videoSettings ask for \(asked), which nothing here encodes for them; choose a format with "
      + "that media subtype as activeFormat, or other videoSettings"
  }

  /// The form in which frames of `format` come here through a connection so set: as the camera codes them where the output takes
  /// that and nothing about them is changed, else as pictures.
  ///
  /// - Parameter isChanged: Whether the camera's pictures are changed: a movie that begins is made of these then.
  func form(
    of format: StreamFormat, through settings: ConnectionSettings, changed isChanged: Bool = false
  ) -> FrameForm {
    let form = format.encoding.form
    if role == .movie, isChanged, !writesAsItComes { return .pictures }
    return accepts.contains(form) && change(of: format, settings) == nil ? form : .pictures
  }

  /// What is asked of coded pictures that takes pixels, and how it is not asked; `nil` for nothing.
  private func change(of format: StreamFormat, _ settings: ConnectionSettings) -> String? {
    // A movie's matrix turns what is not decoded.
    guard role != .movie, let name = format.encoding.form.codecName else { return nil }
    if settings.rotation != 0 || settings.isMirrored {
      return
        "the camera's own \(name), which videoSettings name, cannot be turned or mirrored; set the connection's "
        + "videoRotationAngle to 0 and isVideoMirrored to false, or videoSettings that ask for pixels"
    }
    let isTooLarge = FormatChoice.fitted(format.size, into: FormatChoice.previewBounds) != format.size
    if wantsPreviewSize(under: .inputPriority), isTooLarge {
      return "the camera's own \(name), which videoSettings name, cannot be made smaller; set "
        + "deliversPreviewSizedOutputBuffers to false, or videoSettings that ask for pixels"
    }
    return nil
  }
}
