public import Foundation

/// Gets the segments of a writer, and what they hold.
///
/// Called one after the other, on a queue of the writer's. Apple: `AVAssetWriterDelegate`.
public protocol AVAssetWriterDelegate: AnyObject {
  /// A segment is complete.
  ///
  /// The default calls the method without a report, as the one with a report is the only one that is called where a delegate has both.
  ///
  /// - Parameter segmentReport: What it holds; never `nil` here.
  ///
  /// Apple: `AVAssetWriterDelegate.assetWriter(_:didOutputSegmentData:segmentType:segmentReport:)`.
  func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType,
    segmentReport: AVAssetSegmentReport?)
  /// A segment is complete; for delegates that want no reports.
  ///
  /// Apple: `AVAssetWriterDelegate.assetWriter(_:didOutputSegmentData:segmentType:)`.
  func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType)
}

extension AVAssetWriterDelegate {
  /// Calls the method without a report.
  public func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType,
    segmentReport: AVAssetSegmentReport?
  ) {
    assetWriter(writer, didOutputSegmentData: segmentData, segmentType: segmentType)
  }

  /// Does nothing.
  public func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType
  ) {}
}
