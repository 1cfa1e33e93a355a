public import CoreMedia
public import Foundation
public import GraphicsCore
internal import Linux

/// The placing of a track's pictures: transform, opacity and crop, which may change with time.
///
/// Thread-safe. Apple: `AVVideoCompositionLayerInstruction`.
open class AVVideoCompositionLayerInstruction: NSObject, @unchecked Sendable {
  // Safe because what changes is under a lock.

  struct State: Sendable {
    var trackID = kCMPersistentTrackID_Invalid
    var transforms = RampList<CGAffineTransform>()
    var opacities = RampList<Float>()
    var crops = RampList<CGRect>()
  }

  let state: Locked<State>

  init(_ state: State) {
    self.state = Locked(state)
  }

  /// The track.
  ///
  /// Apple: `AVVideoCompositionLayerInstruction.trackID`.
  open var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

  /// The transform at a time, and what it changes to.
  ///
  /// - Returns: Whether there is one.
  ///
  /// Apple: `AVVideoCompositionLayerInstruction.getTransformRamp(for:start:end:timeRange:)`.
  open func getTransformRamp(
    for time: CMTime, start startTransform: UnsafeMutablePointer<CGAffineTransform>?,
    end endTransform: UnsafeMutablePointer<CGAffineTransform>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    Self.give(state.withLock { $0.transforms.ramp(at: time) }, startTransform, endTransform, timeRange)
  }

  /// The opacity at a time, and what it changes to.
  ///
  /// - Returns: Whether there is one.
  ///
  /// Apple: `AVVideoCompositionLayerInstruction.getOpacityRamp(for:startOpacity:endOpacity:timeRange:)`.
  open func getOpacityRamp(
    for time: CMTime, startOpacity: UnsafeMutablePointer<Float>?, endOpacity: UnsafeMutablePointer<Float>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    Self.give(state.withLock { $0.opacities.ramp(at: time) }, startOpacity, endOpacity, timeRange)
  }

  /// The crop at a time, and what it changes to.
  ///
  /// - Returns: Whether there is one.
  ///
  /// Apple: `AVVideoCompositionLayerInstruction.getCropRectangleRamp(for:startCropRectangle:endCropRectangle:timeRange:)`.
  open func getCropRectangleRamp(
    for time: CMTime, startCropRectangle: UnsafeMutablePointer<CGRect>?,
    endCropRectangle: UnsafeMutablePointer<CGRect>?, timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    Self.give(state.withLock { $0.crops.ramp(at: time) }, startCropRectangle, endCropRectangle, timeRange)
  }

  private static func give<Value>(
    _ ramp: RampList<Value>.Ramp?, _ start: UnsafeMutablePointer<Value>?, _ end: UnsafeMutablePointer<Value>?,
    _ range: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    guard let ramp else { return false }
    start?.pointee = ramp.start
    end?.pointee = ramp.end
    range?.pointee = ramp.range
    return true
  }

  /// The placing of the track's pictures at a time.
  func placement(at time: CMTime) -> (transform: CGAffineTransform, opacity: Float, crop: CGRect?) {
    let state = state.withLock { $0 }
    return (
      state.transforms.value(at: time) ?? .identity, state.opacities.value(at: time) ?? 1,
      state.crops.value(at: time)
    )
  }
}

/// The placing of a track's pictures that can be changed.
///
/// Apple: `AVMutableVideoCompositionLayerInstruction`.
open class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction, @unchecked Sendable
{
  // Safe because what changes is under a lock.

  /// An instruction of no track yet.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.init()`.
  public init() {
    super.init(State())
  }

  /// An instruction of a track.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.init(assetTrack:)`.
  public convenience init(assetTrack track: AVAssetTrack) {
    self.init()
    trackID = track.trackID
  }

  /// The track.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.trackID`.
  open override var trackID: CMPersistentTrackID {
    get { super.trackID }
    set { state.withLock { $0.trackID = newValue } }
  }

  /// Sets the transform from a time on: from the track's natural size, from the top left corner, to the frame that is rendered.
  ///
  /// It replaces the track's own, which clients put into it where they want it.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.setTransform(_:at:)`.
  open func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
    state.withLock { $0.transforms.set(transform, at: time) }
  }

  /// Changes the transform steadily in a range of time.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.setTransformRamp(fromStart:toEnd:timeRange:)`.
  open func setTransformRamp(
    fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform, timeRange: CMTimeRange
  ) {
    state.withLock {
      $0.transforms.add(RampList.Ramp(start: startTransform, end: endTransform, range: timeRange))
    }
  }

  /// Sets the opacity from a time on, from 0 to 1.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.setOpacity(_:at:)`.
  open func setOpacity(_ opacity: Float, at time: CMTime) {
    state.withLock { $0.opacities.set(opacity, at: time) }
  }

  /// Changes the opacity steadily in a range of time.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.setOpacityRamp(fromStartOpacity:toEndOpacity:timeRange:)`.
  open func setOpacityRamp(
    fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange
  ) {
    state.withLock { $0.opacities.add(RampList.Ramp(start: startOpacity, end: endOpacity, range: timeRange)) }
  }

  /// Shows a part of the pictures only from a time on, in the track's natural size, from the top left corner.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.setCropRectangle(_:at:)`.
  open func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
    state.withLock { $0.crops.set(cropRectangle, at: time) }
  }

  /// Changes the crop steadily in a range of time.
  ///
  /// Apple: `AVMutableVideoCompositionLayerInstruction.setCropRectangleRamp(fromStartCropRectangle:toEndCropRectangle:timeRange:)`.
  open func setCropRectangleRamp(
    fromStartCropRectangle startCropRectangle: CGRect, toEndCropRectangle endCropRectangle: CGRect,
    timeRange: CMTimeRange
  ) {
    state.withLock {
      $0.crops.add(RampList.Ramp(start: startCropRectangle, end: endCropRectangle, range: timeRange))
    }
  }
}
