internal import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// Appends timed metadata to an input of media type `metadata`.
///
/// Thread-safe. Apple: `AVAssetWriterInputMetadataAdaptor`.
open class AVAssetWriterInputMetadataAdaptor: NSObject, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The input.
  ///
  /// Apple: `AVAssetWriterInputMetadataAdaptor.assetWriterInput`.
  public let assetWriterInput: AVAssetWriterInput
  private struct State {
    var format: CMFormatDescription?
    /// When the newest group ends, where it says so.
    var end: CMTime?
  }
  private let state: Locked<State>

  /// An adaptor for an input whose writer has not started, and that has no adaptor yet; else it is a programming mistake.
  ///
  /// - Parameter input: Of media type `metadata`, else it is a programming mistake, too. Its `sourceFormatHint` says what groups may
  ///   hold; without one, the first group does.
  ///
  /// Apple: `AVAssetWriterInputMetadataAdaptor.init(assetWriterInput:)`.
  public init(assetWriterInput input: AVAssetWriterInput) {
    assetWriterInput = input
    state = Locked(State(format: input.sourceFormatHint))
    super.init()
    if input.mediaType != .metadata {
      ProgrammingMistake.report(
        rule: "AVAssetWriterInputMetadataAdaptor needs an input of media type metadata.")
    }
    input.adopt(self, "AVAssetWriterInputMetadataAdaptor")
  }

  /// Appends a group; one without items ends the group before it.
  ///
  /// - Returns: Whether it was taken, as ``AVAssetWriterInput/append(_:)``; not when it holds what the track's format does not
  ///   describe, which is a programming mistake.
  ///
  /// Apple: `AVAssetWriterInputMetadataAdaptor.append(_:)`.
  @discardableResult
  open func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
    let (items, range) = (timedMetadataGroup.items, timedMetadataGroup.timeRange)
    guard assetWriterInput.mediaType == .metadata, range.start.isNumeric else {
      ProgrammingMistake.report(
        rule: "AVAssetWriterInputMetadataAdaptor.append takes groups that begin at a time, for metadata.")
      return false
    }
    let own = items.isEmpty ? nil : BoxedMetadata.format(of: items)
    let (format, gap) = state.withLock { state in
      state.format = state.format ?? own
      defer { state.end = range.duration.isNumeric ? range.end : nil }
      return (state.format, state.end.flatMap { !items.isEmpty && $0 < range.start ? $0 : nil })
    }
    // Without a group before it there is nothing to end.
    guard let format else { return items.isEmpty }
    do throws(MetadataRefusal) {
      let data = try BoxedMetadata.data(of: items, in: format)
      if let gap {
        let nothing = try BoxedMetadata.data(of: [], in: format)
        guard append(nothing, format, gap, range.start - gap) else { return false }
      }
      return append(
        data, format, range.start, range.duration.isNumeric ? range.duration : .invalid, withLast: gap != nil)
    } catch {
      ProgrammingMistake.report(rule: "AVAssetWriterInputMetadataAdaptor.append: \(error.text)")
      return false
    }
  }

  private func append(
    _ data: Data, _ format: CMFormatDescription, _ time: CMTime, _ duration: CMTime,
    withLast isWithLast: Bool = false
  ) -> Bool {
    assetWriterInput.take(
      CMSampleBuffer(
        data: data.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: format, sampleCount: 1,
        sampleSize: data.count,
        timing: CMSampleTimingInfo(
          duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)),
      withLast: isWithLast)
  }
}
