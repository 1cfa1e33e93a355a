public import AVFCore
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureMovieFileOutput {
  /// Codecs for ``setOutputSettings(_:for:)``, the one that is used by itself first; none before a camera is connected.
  ///
  /// H.264, HEVC and, in QuickTime movies, JPEG.
  ///
  /// Apple: `AVCaptureMovieFileOutput.availableVideoCodecTypes`.
  public var availableVideoCodecTypes: [AVVideoCodecType] {
    connection(with: .video) == nil ? [] : RecommendedVideoSettings.codecs(in: recordedFileType)
  }

  /// The keys that ``setOutputSettings(_:for:)`` takes; none for timed metadata, nor for a connection to another output, which is a
  /// programming mistake.
  ///
  /// Apple: `AVCaptureMovieFileOutput.supportedOutputSettingsKeys(for:)`.
  public func supportedOutputSettingsKeys(for connection: AVCaptureConnection) -> [String] {
    guard isOwn(connection, "supportedOutputSettingsKeys") else { return [] }
    return switch connection.media {
    case .audio: MovieSettings.audioKeys
    case nil: []
    default: MovieSettings.videoKeys
    }
  }

  /// How a connection's media is coded, with the values that the client left out.
  ///
  /// Empty for media that is written as it comes, and before there is any.
  ///
  /// Apple: `AVCaptureMovieFileOutput.outputSettings(for:)`.
  public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
    guard isOwn(connection, "outputSettings"), let plan = plan(of: connection) else { return [:] }
    let settings = wishes.withLock { $0.settings[connection.id] }
    return connection.media == .audio
      ? MovieSettings.audioDictionary(settings, plan, recordedFileType)
      : MovieSettings.videoDictionary(settings, plan, recordedFileType, hasEffect: connection.hasEffect)
  }

  /// Sets how a connection's media is coded, from the next file on.
  ///
  /// - Parameters:
  ///   - outputSettings: `nil`, as at first, leaves all to the session's preset: H.264 at some 17 million bits a second for 1080p,
  ///     a key frame each second, and AAC. Values that are left out are those. An empty dictionary writes what the camera has coded
  ///     (motion JPEG, H.264) and the microphone's uncompressed samples as they come; motion JPEG also with nothing but the codec
  ///     `jpeg`, and H.264 wherever nothing but that codec is asked for, since capture does not decode it.
  ///   - connection: One that leads here. What cannot be honoured is a programming mistake without effect.
  ///
  /// Apple: `AVCaptureMovieFileOutput.setOutputSettings(_:for:)`.
  public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
    guard isOwn(connection, "setOutputSettings") else { return }
    guard connection.media != nil else {
      return ProgrammingMistake.report(
        rule: "setOutputSettings(_:for:): timed metadata is written as it comes, and has no settings.")
    }
    let isVideo = connection.media != .audio
    if let outputSettings,
      let reason = MovieSettings.refusal(outputSettings, isVideo: isVideo, codecs: availableVideoCodecTypes)
        ?? refusal(outputSettings, connection)
    {
      return ProgrammingMistake.report(rule: "setOutputSettings(_:for:): \(reason)")
    }
    let boxed = outputSettings.map { BoxedNumbers.boxed($0) }
    wishes.withLock { $0.settings[connection.id] = boxed }
    if isVideo { requirementsDidChange() }
  }

  /// Why encoders cannot take settings, as far as the session's plan lets them be known.
  private func refusal(_ settings: [String: Any], _ connection: AVCaptureConnection) -> String? {
    guard let plan = plan(of: connection) else { return nil }
    let isVideo = connection.media != .audio
    let whole =
      isVideo
      ? MovieSettings.videoDictionary(settings, plan, recordedFileType, hasEffect: connection.hasEffect)
      : MovieSettings.audioDictionary(settings, plan, recordedFileType)
    if whole.isEmpty { return nil }
    return AVCaptureMovieFileOutput.writerRefusal(whole, isVideo ? .video : .audio, recordedFileType)
  }

  func isOwn(_ connection: AVCaptureConnection, _ method: String) -> Bool {
    let isOwn = connections.contains { $0 === connection }
    if !isOwn {
      ProgrammingMistake.report(
        rule: "\(method)(…for:) of a movie file output takes a connection that leads to it.")
    }
    return isOwn
  }
}
