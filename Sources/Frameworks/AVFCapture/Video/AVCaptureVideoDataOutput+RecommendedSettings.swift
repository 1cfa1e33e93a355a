public import AVFCore
internal import CaptureDevice
public import CoreMedia
public import Foundation

extension AVCaptureVideoDataOutput {
  /// Settings with which a writer makes a movie of the output's frames that is worth keeping; `nil` while no enabled
  /// connection brings any, and for files that hold no movies.
  ///
  /// Codec (H.264), width and height as the connection turns the frames and ``videoSettings`` sizes them, bit rate, expected
  /// frame rate, profile, and colours. `AVAssetWriterInput` takes them.
  ///
  /// - Parameter outputFileType: What is written: `.mov`, `.mp4` or `.m4v`.
  ///
  /// Apple: `AVCaptureVideoDataOutput.recommendedVideoSettingsForAssetWriter(writingTo:)`.
  /// - Note: Unlike AVFoundation, file types without movies are answered with `nil` instead of an exception.
  public func recommendedVideoSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
    availableVideoCodecTypesForAssetWriter(writingTo: outputFileType).first.flatMap {
      recommendedVideoSettings(forVideoCodecType: $0, assetWriterOutputFileType: outputFileType)
    }
  }

  /// The same for a codec; `nil` also for one that the file cannot hold.
  ///
  /// Apple: `AVCaptureVideoDataOutput.recommendedVideoSettings(forVideoCodecType:assetWriterOutputFileType:)`.
  public func recommendedVideoSettings(
    forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType
  ) -> [String: Any]? {
    guard RecommendedVideoSettings.codecs(in: outputFileType).contains(videoCodecType),
      let plan = presentConnectionPlan
    else { return nil }
    return RecommendedVideoSettings(
      codec: videoCodecType, size: requestedSize(under: plan) ?? plan.turnedSize,
      rate: plan.stream.frameDuration.rate,
      usesP3: plan.stream.usesP3
    ).dictionary
  }

  /// The same for a file at a place, which makes no difference: no recommended codec needs a quick disk.
  ///
  /// Apple: `AVCaptureVideoDataOutput.recommendedVideoSettings(forVideoCodecType:assetWriterOutputFileType:outputFileURL:)`.
  public func recommendedVideoSettings(
    forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType,
    outputFileURL: URL?
  ) -> [String: Any]? {
    recommendedVideoSettings(
      forVideoCodecType: videoCodecType, assetWriterOutputFileType: outputFileType)
  }

  /// Codecs for which there are recommended settings in files of a type, the usual one first; none for files that hold
  /// no movies.
  ///
  /// Apple: `AVCaptureVideoDataOutput.availableVideoCodecTypesForAssetWriter(writingTo:)`.
  public func availableVideoCodecTypesForAssetWriter(
    writingTo outputFileType: AVFileType
  ) -> [AVVideoCodecType] {
    RecommendedVideoSettings.codecs(in: outputFileType)
  }

  /// What a movie of the output's frames should say of itself: the camera's maker and model, and the program; for
  /// `AVAssetWriter.metadata`.
  ///
  /// - Returns: `nil` while no enabled connection brings frames, and for a codec that the file cannot hold.
  ///
  /// Apple: `AVCaptureVideoDataOutput.recommendedMovieMetadata(forVideoCodecType:assetWriterOutputFileType:)`.
  public func recommendedMovieMetadata(
    forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType
  ) -> [AVMetadataItem]? {
    guard RecommendedVideoSettings.codecs(in: outputFileType).contains(videoCodecType),
      presentConnectionPlan != nil, let camera = connection(with: .video)?.inputPorts.first?.device
    else { return nil }
    let facts: [(AVMetadataIdentifier, String)] = [
      (.quickTimeMetadataMake, camera.manufacturer), (.quickTimeMetadataModel, camera.localizedName),
      (.quickTimeMetadataSoftware, ProcessInfo.processInfo.processName),
    ]
    return facts.filter { !$0.1.isEmpty }.map { identifier, text in
      let item = AVMutableMetadataItem()
      item.identifier = identifier
      item.value = NSString(string: text)
      item.dataType = kCMMetadataBaseDataType_UTF8
      return item
    }
  }

  /// A timescale for a movie's track in which the frames of the active format have whole times; 600 without a camera, and
  /// never less.
  ///
  /// Apple: `AVCaptureVideoDataOutput.recommendedMediaTimeScaleForAssetWriter`.
  public var recommendedMediaTimeScaleForAssetWriter: CMTimeScale {
    presentConnectionPlan.map { RecommendedVideoSettings.timescale(for: $0.stream.frameDuration) } ?? 600
  }
}

extension AVCaptureOutput {
  /// What happens to the media of the first enabled connection as things stand, whether the session runs or not.
  var presentConnectionPlan: ConnectionPlan? {
    guard let plan = membership.owner?.presentPlan else { return nil }
    return connections.firstResult { plan.connections[$0.id] }
  }
}
