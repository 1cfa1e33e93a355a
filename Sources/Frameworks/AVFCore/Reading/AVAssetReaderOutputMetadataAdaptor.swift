public import Foundation
internal import FoundationExtras

/// Gives the samples of a metadata track as groups.
///
/// Apple: `AVAssetReaderOutputMetadataAdaptor`.
open class AVAssetReaderOutputMetadataAdaptor: NSObject, @unchecked Sendable {
  // Safe because it holds nothing that changes.

  /// The output.
  ///
  /// Apple: `AVAssetReaderOutputMetadataAdaptor.assetReaderTrackOutput`.
  public let assetReaderTrackOutput: AVAssetReaderTrackOutput

  /// An adaptor for an output of a track of media type `metadata`, without settings; else it is a programming mistake.
  ///
  /// Apple: `AVAssetReaderOutputMetadataAdaptor.init(assetReaderTrackOutput:)`.
  public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) {
    assetReaderTrackOutput = trackOutput
    super.init()
    if trackOutput.mediaType != .metadata || trackOutput.outputSettings != nil {
      ProgrammingMistake.report(
        rule: "AVAssetReaderOutputMetadataAdaptor needs an output of a metadata track, without settings.")
    }
  }

  /// The next group; `nil` behind the last one, and when reading has failed: the reader's status says which.
  ///
  /// A time range without metadata is a group without items.
  ///
  /// Apple: `AVAssetReaderOutputMetadataAdaptor.nextTimedMetadataGroup()`.
  open func nextTimedMetadataGroup() -> AVTimedMetadataGroup? {
    while let sample = assetReaderTrackOutput.copyNextSampleBuffer() {
      if let group = AVTimedMetadataGroup(sampleBuffer: sample) { return group }
    }
    return nil
  }
}
