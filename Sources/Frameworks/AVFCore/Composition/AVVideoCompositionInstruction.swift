public import CoreMedia
public import Foundation
public import GraphicsCore
internal import Linux

/// An instruction of a video composition: which tracks make its frames in a range of time.
///
/// Apple: `AVVideoCompositionInstructionProtocol`.
public protocol AVVideoCompositionInstructionProtocol: AnyObject, Sendable {
  /// The range of time.
  var timeRange: CMTimeRange { get }
  /// Whether something is drawn over it afterwards.
  var enablePostProcessing: Bool { get }
  /// Whether frames of the same sources may differ.
  var containsTweening: Bool { get }
  /// The numbers of the tracks that are needed, each an `NSNumber`.
  var requiredSourceTrackIDs: [NSValue]? { get }
  /// The track whose frames are shown as they are; `kCMPersistentTrackID_Invalid` for none.
  var passthroughTrackID: CMPersistentTrackID { get }
}

/// Tracks in layers, the first one on top.
///
/// Thread-safe. Apple: `AVVideoCompositionInstruction`.
open class AVVideoCompositionInstruction: NSObject, AVVideoCompositionInstructionProtocol, @unchecked Sendable
{
  // Safe because what changes is under a lock.

  struct State: Sendable {
    var timeRange = CMTimeRange.invalid
    var background: CGColor?
    var layers: [AVVideoCompositionLayerInstruction] = []
    var enablesPostProcessing = true
  }

  let state: Locked<State>

  init(_ state: State) {
    self.state = Locked(state)
  }

  /// When.
  ///
  /// Apple: `AVVideoCompositionInstruction.timeRange`.
  open var timeRange: CMTimeRange { state.withLock { $0.timeRange } }
  /// The colour where no layer is; `nil` is black.
  ///
  /// Apple: `AVVideoCompositionInstruction.backgroundColor`.
  open var backgroundColor: CGColor? { state.withLock { $0.background } }
  /// The layers, the first one on top.
  ///
  /// Apple: `AVVideoCompositionInstruction.layerInstructions`.
  open var layerInstructions: [AVVideoCompositionLayerInstruction] { state.withLock { $0.layers } }
  /// Whether something is drawn over it afterwards.
  ///
  /// Apple: `AVVideoCompositionInstruction.enablePostProcessing`.
  open var enablePostProcessing: Bool { state.withLock { $0.enablesPostProcessing } }
  /// Whether frames of the same sources may differ: they may, for a layer may have ramps.
  ///
  /// Apple: `AVVideoCompositionInstruction.containsTweening`.
  open var containsTweening: Bool { true }
  /// The layers' tracks.
  ///
  /// Apple: `AVVideoCompositionInstruction.requiredSourceTrackIDs`.
  open var requiredSourceTrackIDs: [NSValue]? { layerInstructions.map { NSNumber(value: $0.trackID) } }
  /// None: all frames are rendered.
  ///
  /// Apple: `AVVideoCompositionInstruction.passthroughTrackID`.
  open var passthroughTrackID: CMPersistentTrackID { kCMPersistentTrackID_Invalid }
}

/// Tracks in layers, to be set.
///
/// Apple: `AVMutableVideoCompositionInstruction`.
open class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// An instruction without layers or time.
  ///
  /// Apple: `AVMutableVideoCompositionInstruction.init()`.
  public init() {
    super.init(State())
  }

  /// When.
  ///
  /// Apple: `AVMutableVideoCompositionInstruction.timeRange`.
  open override var timeRange: CMTimeRange {
    get { super.timeRange }
    set { state.withLock { $0.timeRange = newValue } }
  }
  /// The colour where no layer is; `nil` is black.
  ///
  /// Apple: `AVMutableVideoCompositionInstruction.backgroundColor`.
  open override var backgroundColor: CGColor? {
    get { super.backgroundColor }
    set { state.withLock { $0.background = newValue } }
  }
  /// The layers, the first one on top.
  ///
  /// Apple: `AVMutableVideoCompositionInstruction.layerInstructions`.
  open override var layerInstructions: [AVVideoCompositionLayerInstruction] {
    get { super.layerInstructions }
    set {
      let old = state.withLock { state in
        defer { state.layers = newValue }
        return state.layers
      }
      withExtendedLifetime(old) {}
    }
  }
  /// Whether something is drawn over it afterwards.
  ///
  /// Apple: `AVMutableVideoCompositionInstruction.enablePostProcessing`.
  open override var enablePostProcessing: Bool {
    get { super.enablePostProcessing }
    set { state.withLock { $0.enablesPostProcessing = newValue } }
  }
}
