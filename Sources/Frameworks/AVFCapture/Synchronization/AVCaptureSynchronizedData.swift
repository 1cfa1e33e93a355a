public import CoreMedia
public import Foundation

/// The data of one output for a moment; made through its subclasses.
///
/// Immutable and thread-safe.
///
/// Source: [AVCaptureSynchronizedData](https://developer.apple.com/documentation/avfoundation/avcapturesynchronizeddata).
open class AVCaptureSynchronizedData: NSObject, @unchecked Sendable {  // Safe: all is constant.
  /// When it was captured, on the session's `synchronizationClock`.
  ///
  /// Apple: `AVCaptureSynchronizedData.timestamp`.
  public let timestamp: CMTime

  init(timestamp: CMTime) {
    self.timestamp = timestamp
    super.init()
  }
}

/// A frame, or a chunk of audio.
///
/// Source:
/// [AVCaptureSynchronizedSampleBufferData](https://developer.apple.com/documentation/avfoundation/avcapturesynchronizedsamplebufferdata).
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData, @unchecked Sendable {
  // Safe because all is constant.

  /// The sample as its output delivers it; without a picture if it was dropped.
  ///
  /// Apple: `AVCaptureSynchronizedSampleBufferData.sampleBuffer`.
  public let sampleBuffer: CMSampleBuffer
  /// Whether the sample was lost.
  ///
  /// Apple: `AVCaptureSynchronizedSampleBufferData.sampleBufferWasDropped`.
  public var sampleBufferWasDropped: Bool { droppedReason != .none }
  /// Why it was lost; `.none` if it was not.
  ///
  /// Apple: `AVCaptureSynchronizedSampleBufferData.droppedReason`.
  public let droppedReason: AVCaptureOutput.DataDroppedReason

  init(_ sampleBuffer: CMSampleBuffer, droppedReason: AVCaptureOutput.DataDroppedReason = .none) {
    self.sampleBuffer = sampleBuffer
    self.droppedReason = droppedReason
    super.init(timestamp: CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
  }
}

/// A depth map.
///
/// Source:
/// [AVCaptureSynchronizedDepthData](https://developer.apple.com/documentation/avfoundation/avcapturesynchronizeddepthdata).
public final class AVCaptureSynchronizedDepthData: AVCaptureSynchronizedData, @unchecked Sendable {
  // Safe because all is constant.

  /// The map as its output delivers it; without any distance if it was dropped.
  ///
  /// Apple: `AVCaptureSynchronizedDepthData.depthData`.
  public let depthData: AVDepthData
  /// Whether the map was lost.
  ///
  /// Apple: `AVCaptureSynchronizedDepthData.depthDataWasDropped`.
  public var depthDataWasDropped: Bool { droppedReason != .none }
  /// Why it was lost; `.none` if it was not.
  ///
  /// Apple: `AVCaptureSynchronizedDepthData.droppedReason`.
  public let droppedReason: AVCaptureOutput.DataDroppedReason

  init(
    _ depthData: AVDepthData, timestamp: CMTime, droppedReason: AVCaptureOutput.DataDroppedReason = .none
  ) {
    self.depthData = depthData
    self.droppedReason = droppedReason
    super.init(timestamp: timestamp)
  }
}

/// The metadata objects of one frame.
///
/// Source:
/// [AVCaptureSynchronizedMetadataObjectData](https://developer.apple.com/documentation/avfoundation/avcapturesynchronizedmetadataobjectdata).
public final class AVCaptureSynchronizedMetadataObjectData: AVCaptureSynchronizedData, @unchecked Sendable {
  // Safe because all is constant.

  /// The objects, as their output delivers them.
  ///
  /// Apple: `AVCaptureSynchronizedMetadataObjectData.metadataObjects`.
  public let metadataObjects: [AVMetadataObject]

  init(_ metadataObjects: [AVMetadataObject], timestamp: CMTime) {
    self.metadataObjects = metadataObjects
    super.init(timestamp: timestamp)
  }
}
