public import CoreMedia
public import Dispatch
public import Foundation

/// The state of an object that shows or plays sample buffers.
///
/// Apple: `AVQueuedSampleBufferRenderingStatus`.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
  /// It has got no sample buffer yet.
  case unknown = 0
  /// It takes sample buffers.
  case rendering = 1
  /// It can take none any more until it is flushed; its error says why.
  case failed = 2
}

/// An object that shows or plays sample buffers, each at its time.
///
/// Apple: `AVQueuedSampleBufferRendering`.
public protocol AVQueuedSampleBufferRendering: NSObjectProtocol {
  /// The timeline of the sample buffers' times.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.timebase`.
  var timebase: CMTimebase { get }
  /// Takes a sample buffer, in the order of decoding.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.enqueue(_:)`.
  func enqueue(_ sampleBuffer: CMSampleBuffer)
  /// Forgets the sample buffers that are not shown yet.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.flush()`.
  func flush()
  /// Whether it has room for more; what comes beyond that is kept all the same.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.isReadyForMoreMediaData`.
  var isReadyForMoreMediaData: Bool { get }
  /// Has `block` called on a queue whenever there is room for more.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.requestMediaDataWhenReady(on:using:)`.
  func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
  /// Ends the calls of ``requestMediaDataWhenReady(on:using:)``.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.stopRequestingMediaData()`.
  func stopRequestingMediaData()
  /// Whether enough is there to begin with.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.hasSufficientMediaDataForReliablePlaybackStart`.
  var hasSufficientMediaDataForReliablePlaybackStart: Bool { get }
}
