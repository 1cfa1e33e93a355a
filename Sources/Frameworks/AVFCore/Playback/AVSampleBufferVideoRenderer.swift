public import CoreMedia
public import CoreVideo
public import Dispatch
public import Foundation

/// Decodes sample buffers and has each shown at its time, on any thread: what stands behind an ``AVSampleBufferDisplayLayer``.
///
/// Thread-safe. Apple: `AVSampleBufferVideoRenderer`.
open class AVSampleBufferVideoRenderer: NSObject, AVQueuedSampleBufferRendering, @unchecked Sendable {
  // Safe because `display` guards itself.

  let display = SampleDisplay()

  /// A renderer of no layer: its picture is had from ``displayedPixelBuffer()``.
  ///
  /// Apple: `AVSampleBufferVideoRenderer.init()`.
  public override init() {
    super.init()
  }

  /// The timeline of the sample buffers' times.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.timebase`.
  open var timebase: CMTimebase { display.timebase }

  /// Takes a sample buffer: a picture, or coded video in the order of decoding.
  ///
  /// A picture is shown from its time on until the next one's; one whose time has passed at once, unless a later one is due, too.
  /// `kCMSampleAttachmentKey_DisplayImmediately` shows it whatever the time is. One that comes after what could not be decoded is left
  /// out until ``flush()``.
  /// Apple: `AVQueuedSampleBufferRendering.enqueue(_:)`.
  open func enqueue(_ sampleBuffer: CMSampleBuffer) { display.enqueue(sampleBuffer) }

  /// Forgets the sample buffers that are not shown yet; the picture on show stays, and decoding begins anew with a key frame.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.flush()`.
  open func flush() { display.flush() }

  /// Forgets the sample buffers that are not shown yet, and the picture on show if that is wanted.
  ///
  /// - Parameter handler: Called on another queue when it is done.
  ///
  /// Apple: `AVSampleBufferVideoRenderer.flush(removingDisplayedImage:completionHandler:)`.
  open func flush(
    removingDisplayedImage: Bool, completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    display.flush(removesPicture: removingDisplayedImage, then: handler)
  }

  /// Whether it has room for more.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.isReadyForMoreMediaData`.
  open var isReadyForMoreMediaData: Bool { display.isReady }

  /// Has `block` called on a queue whenever there is room for more; it replaces an earlier one.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.requestMediaDataWhenReady(on:using:)`.
  open func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    display.request(on: queue, block)
  }

  /// Ends the calls of ``requestMediaDataWhenReady(on:using:)``.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.stopRequestingMediaData()`.
  open func stopRequestingMediaData() { display.stopRequesting() }

  /// Whether a picture is decoded, or on show.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.hasSufficientMediaDataForReliablePlaybackStart`.
  open var hasSufficientMediaDataForReliablePlaybackStart: Bool { display.hasPicture }

  /// How far it is.
  ///
  /// Apple: `AVSampleBufferVideoRenderer.status`.
  open var status: AVQueuedSampleBufferRenderingStatus { display.status }

  /// Why it has failed: `decoderNotFound`, `decodeFailed`; `nil` unless it has.
  ///
  /// Apple: `AVSampleBufferVideoRenderer.error`.
  open var error: (any Error)? { display.error }

  /// Whether it must be flushed, and go on with a key frame, because what it has got could not be decoded.
  ///
  /// Apple: `AVSampleBufferVideoRenderer.requiresFlushToResumeDecoding`.
  open var requiresFlushToResumeDecoding: Bool { display.status == .failed }

  /// The picture on show; `nil` when there is none.
  ///
  /// Apple: `AVSampleBufferVideoRenderer.displayedPixelBuffer()`.
  open func displayedPixelBuffer() -> CVPixelBuffer? { display.frames.takeNewest()?.pixels }
}
