public import CoreMedia
public import CoreVideo
public import Dispatch
public import Foundation
internal import FoundationExtras
internal import Linux
internal import PixelTransforms

/// Gets news of an output that is asked for its media.
///
/// Apple: `AVPlayerItemOutputPullDelegate`.
public protocol AVPlayerItemOutputPullDelegate: FlushedOutputDelegate {
  /// There is media again, after `requestNotificationOfMediaDataChange(withAdvanceInterval:)`.
  ///
  /// Apple: `AVPlayerItemOutputPullDelegate.outputMediaDataWillChange(_:)`.
  func outputMediaDataWillChange(_ sender: AVPlayerItemOutput)
  /// The item's time has jumped: what was taken is out of date.
  ///
  /// Apple: `AVPlayerItemOutputPullDelegate.outputSequenceWasFlushed(_:)`.
  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPullDelegate {
  /// Does nothing.
  public func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) {}
}

/// Gives the pictures of an item as pixel buffers, by time.
///
/// Pictures are unturned, as the track has them. Thread-safe. Apple: `AVPlayerItemVideoOutput`.
open class AVPlayerItemVideoOutput: AVPlayerItemOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  private struct State {
    var copied = CMTime.invalid
    weak var delegate: (any AVPlayerItemOutputPullDelegate)?
    var queue: DispatchQueue?
    var isAsked = false
  }

  private let pixelFormat: OSType?
  private let size: PixelSize?
  private let state = Locked(State())
  private let transformer = PixelTransformer(bufferLimit: 16)

  /// An output of pictures.
  ///
  /// - Parameter pixelBufferAttributes: `kCVPixelBufferPixelFormatTypeKey`, `kCVPixelBufferWidthKey` and
  ///   `kCVPixelBufferHeightKey` say how pictures come; `nil` for pictures as they are decoded.
  ///
  /// Apple: `AVPlayerItemVideoOutput.init(pixelBufferAttributes:)`.
  public init(pixelBufferAttributes: [String: any Sendable]? = nil) {
    pixelFormat = PixelFormatChoice.codes(pixelBufferAttributes?[kCVPixelBufferPixelFormatTypeKey]).first
    let width = LooseNumber.integer(pixelBufferAttributes?[kCVPixelBufferWidthKey])
    let height = LooseNumber.integer(pixelBufferAttributes?[kCVPixelBufferHeightKey])
    if let width, let height, width > 0, height > 0 {
      size = PixelSize(width: width, height: height)
    } else {
      size = nil
    }
    super.init()
  }

  /// Whether another picture is on show at a time than was copied last.
  ///
  /// Apple: `AVPlayerItemVideoOutput.hasNewPixelBuffer(forItemTime:)`.
  open func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
    guard let frame = frame(at: itemTime) else { return false }
    return state.withLock { $0.copied } != frame.time
  }

  /// The picture on show at a time; `nil` when it is the one that was copied last, or there is none yet.
  ///
  /// - Parameter outItemTimeForDisplay: Gets the picture's own time.
  ///
  /// Apple: `AVPlayerItemVideoOutput.copyPixelBuffer(forItemTime:itemTimeForDisplay:)`.
  open func copyPixelBuffer(
    forItemTime itemTime: CMTime, itemTimeForDisplay outItemTimeForDisplay: UnsafeMutablePointer<CMTime>?
  ) -> CVPixelBuffer? {
    guard let frame = frame(at: itemTime) else { return nil }
    let isNew = state.withLock { state in
      defer { state.copied = frame.time }
      return state.copied != frame.time
    }
    guard isNew else { return nil }
    outItemTimeForDisplay?.pointee = frame.time
    let present = CVPixelBufferGetPixelFormatType(frame.pixels)
    guard size != nil || (pixelFormat ?? present) != present else { return frame.pixels }
    let change = FrameTransform(size: size, pixelFormat: pixelFormat ?? present)
    return try? transformer.apply(change, to: frame.pixels)
  }

  private func frame(at time: CMTime) -> PlayedFrame? {
    guard time.isNumeric, let item, let core = item.core else { return nil }
    return core.change { core.frame(of: item, at: time) }
  }

  // MARK: Delegate

  /// Sets who gets news, on which queue.
  ///
  /// Apple: `AVPlayerItemVideoOutput.setDelegate(_:queue:)`.
  open func setDelegate(
    _ delegate: (any AVPlayerItemOutputPullDelegate)?, queue delegateQueue: DispatchQueue?
  ) {
    let old = state.withLock { state in
      let old = state.queue
      state.delegate = delegate
      state.queue = delegateQueue
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Who gets news; not retained.
  ///
  /// Apple: `AVPlayerItemVideoOutput.delegate`.
  open var delegate: (any AVPlayerItemOutputPullDelegate)? { state.withLock { $0.delegate } }

  /// The queue on which the delegate is called.
  ///
  /// Apple: `AVPlayerItemVideoOutput.delegateQueue`.
  open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

  /// Asks for one call of `outputMediaDataWillChange(_:)` when pictures have come.
  ///
  /// - Parameter interval: How long before they are shown; pictures come as early as they are decoded.
  ///
  /// Apple: `AVPlayerItemVideoOutput.requestNotificationOfMediaDataChange(withAdvanceInterval:)`.
  open func requestNotificationOfMediaDataChange(withAdvanceInterval interval: TimeInterval) {
    state.withLock { $0.isAsked = true }
    if item?.feed?.first != nil { noteMedia() }
  }

  override func noteMedia() {
    let isAsked = state.withLock { state in
      defer { state.isAsked = false }
      return state.isAsked
    }
    guard isAsked else { return }
    delegateQueue?.async { self.delegate?.outputMediaDataWillChange(self) }
  }

  override func noteFlush() {
    state.withLock { $0.copied = .invalid }
    delegateQueue?.async { self.delegate?.outputSequenceWasFlushed(self) }
  }
}
