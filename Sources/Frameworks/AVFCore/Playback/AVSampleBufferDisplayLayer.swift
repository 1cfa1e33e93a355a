public import CoreMedia
public import CoreVideo
public import Dispatch
public import Foundation
public import FoundationExtras
internal import GraphicsCore
internal import Linux
internal import PixelTransforms
public import QuartzCore

/// A layer that shows sample buffers: pictures, or coded video, each at its time.
///
/// Times count on ``timebase``: the client's ``controlTimebase``, or the host's clock. Nothing is drawn here: a host (`LayerView` of
/// GTKLayers) takes pictures from ``frames``, or asks for the layer's picture with ``makePicture()``. Thread-bound as every `CALayer`;
/// what takes sample buffers may be called on any thread through ``sampleBufferRenderer``.
/// Observable: ``status``, ``error``, ``requiresFlushToResumeDecoding``; observers are called on the main queue.
///
/// Apple: `AVSampleBufferDisplayLayer`.
open class AVSampleBufferDisplayLayer: CALayer, AVQueuedSampleBufferRendering, KeyValueObservable {
  /// Who observes the layer's properties.
  public let observerTable = ObserverTable()
  /// The object that takes the sample buffers.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.sampleBufferRenderer`.
  public let sampleBufferRenderer = AVSampleBufferVideoRenderer()
  private let painter = PixelTransformer(bufferLimit: 4)
  private var gravity = AVLayerVideoGravity.resizeAspect
  private var display: SampleDisplay { sampleBufferRenderer.display }

  /// A layer that shows nothing until it gets sample buffers.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.init()`.
  public override init() {
    super.init()
    begin()
  }

  /// A layer with the geometry, appearance and gravity of `layer`; it shows nothing.
  ///
  /// Apple: `CALayer.init(layer:)`.
  public override init(layer: Any) {
    super.init(layer: layer)
    if let layer = layer as? AVSampleBufferDisplayLayer { gravity = layer.gravity }
    begin()
  }

  private func begin() {
    let reference = Reference(self)
    display.statusChanged.set { old, new in
      guard let layer = reference.layer else { return }
      layer.observerTable.changed(\AVSampleBufferDisplayLayer.status, of: layer, from: old, to: new)
      let (wasFailed, isFailed) = (old == .failed, new == .failed)
      guard wasFailed != isFailed else { return }
      layer.observerTable.changed(
        \AVSampleBufferDisplayLayer.requiresFlushToResumeDecoding, of: layer, from: wasFailed,
        to: isFailed)
      let center = NotificationCenter.default
      center.post(
        name: .AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange, object: layer)
      guard isFailed, let error = layer.error else { return }
      center.post(
        name: .AVSampleBufferDisplayLayerFailedToDecode, object: layer,
        userInfo: [AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey: error])
    }
  }

  private final class Reference: @unchecked Sendable {  // Safe because it is followed on the main thread.
    weak let layer: AVSampleBufferDisplayLayer?

    init(_ layer: AVSampleBufferDisplayLayer) {
      self.layer = layer
    }
  }

  /// What the layer's picture is drawn from.
  public var frames: PlayerFrames { display.frames }

  // MARK: Time

  /// The timeline of the sample buffers' times that the client controls; `nil` (the default) for the host's clock.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.controlTimebase`.
  open var controlTimebase: CMTimebase? {
    get { display.controlTimebase }
    set { display.controlTimebase = newValue }
  }

  /// The timeline of the sample buffers' times.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.timebase`.
  open var timebase: CMTimebase { display.timebase }

  // MARK: State

  /// How far it is; observable.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.status`.
  open var status: AVQueuedSampleBufferRenderingStatus {
    observerTable.access(\AVSampleBufferDisplayLayer.status)
    return display.status
  }

  /// Why it has failed: `decoderNotFound`, `decodeFailed`; `nil` unless it has.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.error`.
  open var error: (any Error)? { display.error }

  /// Whether it must be flushed, and go on with a key frame, because what it has got could not be decoded; observable.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.requiresFlushToResumeDecoding`.
  open var requiresFlushToResumeDecoding: Bool {
    observerTable.access(\AVSampleBufferDisplayLayer.requiresFlushToResumeDecoding)
    return display.status == .failed
  }

  /// Whether there is a picture to show.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.isReadyForDisplay`.
  open var isReadyForDisplay: Bool { frames.takeNewest() != nil }

  // MARK: Sample buffers

  /// Takes a sample buffer: a picture, or coded video in the order of decoding.
  ///
  /// As ``AVSampleBufferVideoRenderer/enqueue(_:)``. Apple: `AVSampleBufferDisplayLayer.enqueue(_:)`.
  open func enqueue(_ sampleBuffer: CMSampleBuffer) { display.enqueue(sampleBuffer) }

  /// Forgets the sample buffers that are not shown yet; the picture on show stays, and decoding begins anew with a key frame.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.flush()`.
  open func flush() { display.flush() }

  /// Forgets the sample buffers that are not shown yet and the picture on show.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.flushAndRemoveImage()`.
  open func flushAndRemoveImage() { display.flush(removesPicture: true) }

  /// Whether it has room for more; what comes beyond that is kept all the same.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.isReadyForMoreMediaData`.
  open var isReadyForMoreMediaData: Bool { display.isReady }

  /// Has `block` called on a queue whenever there is room for more; it replaces an earlier one.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.requestMediaDataWhenReady(on:using:)`.
  open func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    display.request(on: queue, block)
  }

  /// Ends the calls of ``requestMediaDataWhenReady(on:using:)``.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.stopRequestingMediaData()`.
  open func stopRequestingMediaData() { display.stopRequesting() }

  /// Whether a picture is decoded, or on show.
  ///
  /// Apple: `AVQueuedSampleBufferRendering.hasSufficientMediaDataForReliablePlaybackStart`.
  open var hasSufficientMediaDataForReliablePlaybackStart: Bool { display.hasPicture }

  /// Blocks until all that was enqueued is decoded as far as there is room; for tests.
  package func settle() { display.settle() }

  // MARK: Pictures

  /// How the picture fills the bounds; `resizeAspect` at first.
  ///
  /// Apple: `AVSampleBufferDisplayLayer.videoGravity`.
  open var videoGravity: AVLayerVideoGravity {
    get { gravity }
    set {
      gravity = newValue
      noteChange()
    }
  }

  /// The layer's picture as it would look on a screen, in BGRA, of the bounds' size times `contentsScale`.
  ///
  /// Black where the picture does not reach.
  /// - Returns: `nil` before the first picture, and while the bounds have no size.
  /// - Throws: `PixelTransformError`, when too many pictures are held.
  public func makePicture() throws -> CVPixelBuffer? {
    try LayerPainting(frames: frames, gravity: gravity, painter: painter).picture(of: self)
  }
}

extension Notification.Name {
  /// A layer has got what it cannot decode; posted on the main queue.
  public static let AVSampleBufferDisplayLayerFailedToDecode = Notification.Name(
    "AVSampleBufferDisplayLayerFailedToDecodeNotification")
  /// A layer has to be flushed, or no longer; posted on the main queue.
  public static let AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange =
    Notification.Name(
      "AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChangeNotification")
}

/// The error of a ``Foundation/NSNotification/Name/AVSampleBufferDisplayLayerFailedToDecode``.
///
/// Apple: `AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey`.
public let AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey =
  "AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey"
