public import CoreMedia
public import Foundation

/// Metadata items that belong together.
///
/// Apple: `AVMetadataGroup`.
open class AVMetadataGroup: NSObject, @unchecked Sendable {  // Safe because subclasses lock what changes.
  override init() {}

  /// The items.
  ///
  /// Apple: `AVMetadataGroup.items`.
  open var items: [AVMetadataItem] { [] }
}

/// Metadata items for a time range of a movie.
///
/// Immutable, unless it is an ``AVMutableTimedMetadataGroup``. Apple: `AVTimedMetadataGroup`.
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {
  // Safe because what changes is under a lock.

  struct Content {
    var items: [AVMetadataItem]
    var timeRange: CMTimeRange
  }

  let content: TimedContent

  /// A group of items for a time.
  ///
  /// - Parameter timeRange: With a duration that is not numeric, until the next group of the track.
  ///
  /// Apple: `AVTimedMetadataGroup.init(items:timeRange:)`.
  public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
    content = TimedContent(Content(items: items, timeRange: timeRange))
    super.init()
  }

  /// The group in a sample of a metadata track; `nil` for other samples, and damaged ones.
  ///
  /// Apple: `AVTimedMetadataGroup.init(sampleBuffer:)`.
  public convenience init?(sampleBuffer: CMSampleBuffer) {
    guard let items = BoxedMetadata.items(of: sampleBuffer) else { return nil }
    self.init(
      items: items,
      timeRange: CMTimeRange(
        start: sampleBuffer.presentationTimeStamp,
        duration: sampleBuffer.duration.isNumeric ? sampleBuffer.duration : .invalid))
  }

  open override var items: [AVMetadataItem] { content.value.items }

  /// The time range that the items describe.
  ///
  /// Apple: `AVTimedMetadataGroup.timeRange`.
  open var timeRange: CMTimeRange { content.value.timeRange }

  /// The format of a track that can hold the group, for a writer's `sourceFormatHint`; `nil` when an item lacks identifier or data type.
  ///
  /// Apple: `AVTimedMetadataGroup.copyFormatDescription()`.
  open func copyFormatDescription() -> CMMetadataFormatDescription? { BoxedMetadata.format(of: items) }
}

/// A timed group that a client changes.
///
/// Apple: `AVMutableTimedMetadataGroup`.
open class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The items.
  ///
  /// Apple: `AVMutableTimedMetadataGroup.items`.
  open override var items: [AVMetadataItem] {
    get { super.items }
    set { content.change { $0.items = newValue } }
  }

  /// The time range that the items describe.
  ///
  /// Apple: `AVMutableTimedMetadataGroup.timeRange`.
  open override var timeRange: CMTimeRange {
    get { super.timeRange }
    set { content.change { $0.timeRange = newValue } }
  }
}
