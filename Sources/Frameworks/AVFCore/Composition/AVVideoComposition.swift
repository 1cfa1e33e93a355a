public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import Linux

/// A composition of an asset's video tracks, which become one picture in each range of time.
///
/// Thread-safe. Apple: `AVVideoComposition`.
open class AVVideoComposition: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  struct State: Sendable {
    var frameDuration = CMTime.zero
    var timingTrackID = kCMPersistentTrackID_Invalid
    var size = CGSize.zero
    var scale: Float = 1
    var instructions: [any AVVideoCompositionInstructionProtocol] = []
    var primaries: String?
    var matrix: String?
    var transfer: String?
    var filter: FrameFilter?
    var compositor: (any AVVideoCompositing.Type)?
    var tool: AVVideoCompositionCoreAnimationTool?
  }

  let state: Locked<State>

  init(_ state: State) {
    self.state = Locked(state)
  }

  /// A composition that shows the first video track of an asset as players do: turned, whole, at its own rate.
  ///
  /// Reads the asset's file. Apple: `AVVideoComposition.init(propertiesOf:)`.
  public convenience init(propertiesOf asset: AVAsset) {
    self.init(Self.properties(of: asset))
  }

  /// As ``init(propertiesOf:)``, without blocking.
  ///
  /// - Throws: ``AVError`` when the asset cannot be read.
  ///
  /// Apple: `AVVideoComposition.videoComposition(withPropertiesOf:)`.
  open class func videoComposition(withPropertiesOf asset: AVAsset) async throws -> AVMutableVideoComposition
  {
    _ = try await asset.load(.tracks)
    return AVMutableVideoComposition(propertiesOf: asset)
  }

  static func properties(of asset: AVAsset) -> State {
    var state = State()
    state.frameDuration = CMTime(value: 1, timescale: 30)
    let tracks = asset.tracks(withMediaType: .video)
    guard let first = tracks.first else { return state }
    if first.nominalFrameRate > 0 {
      let shortest = tracks.map(\.minFrameDuration).filter { $0.isNumeric && $0 > .zero }.min()
      state.frameDuration =
        shortest
        ?? CMTime(value: 1000, timescale: CMTimeScale(min(first.nominalFrameRate * 1000, 1e6).rounded()))
    }
    let layers = tracks.map { track -> AVVideoCompositionLayerInstruction in
      let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
      let shown = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform)
      layer.setTransform(
        track.preferredTransform.concatenating(CGAffineTransform(translationX: -shown.minX, y: -shown.minY)),
        at: .zero)
      return layer
    }
    let sizes = tracks.map {
      CGRect(origin: .zero, size: $0.naturalSize).applying($0.preferredTransform).size
    }
    state.size = CGSize(
      width: sizes.map(\.width).max() ?? 0, height: sizes.map(\.height).max() ?? 0)
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
    instruction.layerInstructions = layers
    state.instructions = [instruction]
    return state
  }

  /// From one frame to the next.
  ///
  /// Apple: `AVVideoComposition.frameDuration`.
  open var frameDuration: CMTime { state.withLock { $0.frameDuration } }
  /// The track whose frames' times the composition's frames have; `kCMPersistentTrackID_Invalid` for ``frameDuration``.
  ///
  /// Apple: `AVVideoComposition.sourceTrackIDForFrameTiming`.
  open var sourceTrackIDForFrameTiming: CMPersistentTrackID { state.withLock { $0.timingTrackID } }
  /// The size of the frames.
  ///
  /// Apple: `AVVideoComposition.renderSize`.
  open var renderSize: CGSize { state.withLock { $0.size } }
  /// By what the size is multiplied; 1 unless a preview is wanted.
  ///
  /// Apple: `AVVideoComposition.renderScale`.
  open var renderScale: Float { state.withLock { $0.scale } }
  /// The instructions, in the order of time and without gaps.
  ///
  /// Apple: `AVVideoComposition.instructions`.
  open var instructions: [any AVVideoCompositionInstructionProtocol] { state.withLock { $0.instructions } }
  /// The colour primaries of the frames: an `AVVideoColorPrimaries_…`; `nil` for the first source's.
  ///
  /// Apple: `AVVideoComposition.colorPrimaries`.
  open var colorPrimaries: String? { state.withLock { $0.primaries } }
  /// The matrix of the frames: an `AVVideoYCbCrMatrix_…`; `nil` for the first source's.
  ///
  /// Apple: `AVVideoComposition.colorYCbCrMatrix`.
  open var colorYCbCrMatrix: String? { state.withLock { $0.matrix } }
  /// The transfer function of the frames: an `AVVideoTransferFunction_…`; `nil` for the first source's.
  ///
  /// Apple: `AVVideoComposition.colorTransferFunction`.
  open var colorTransferFunction: String? { state.withLock { $0.transfer } }

  /// The class that makes the frames instead of layers; `nil` for layers.
  ///
  /// Apple: `AVVideoComposition.customVideoCompositorClass`.
  open var customVideoCompositorClass: (any AVVideoCompositing.Type)? { state.withLock { $0.compositor } }

  /// What draws layers into the frames; `nil` for nothing.
  ///
  /// Apple: `AVVideoComposition.animationTool`.
  open var animationTool: AVVideoCompositionCoreAnimationTool? { state.withLock { $0.tool } }

  /// Whether the composition can be rendered with an asset: size, rate, and instructions that cover the time with tracks
  /// that there are.
  ///
  /// - Parameters:
  ///   - asset: `nil` leaves tracks unchecked.
  ///   - timeRange: What must be covered.
  ///   - validationDelegate: Not asked; the first fault counts.
  ///
  /// Apple: `AVVideoComposition.isValid(for:timeRange:validationDelegate:)`.
  open func isValid(
    for asset: AVAsset?, timeRange: CMTimeRange, validationDelegate: (any AnyObject)?
  ) -> Bool {
    let numbers = asset.map { Set($0.tracks.map(\.trackID)) }
    return fault(covering: timeRange, tracks: numbers) == nil
  }

  /// Whether the composition can be set at all, which AVFoundation answers with an exception.
  ///
  /// - Parameters:
  ///   - name: The property that is set, for the report.
  ///   - takesTool: Whether frames are made for later, and not to be shown.
  func isAcceptable(for name: String, takesTool: Bool = false) -> Bool {
    let state = state.withLock { $0 }
    let rule: String
    if !(state.frameDuration.isNumeric && state.frameDuration > .zero) {
      rule = "a video composition needs a frameDuration above zero"
    } else if !(state.size.width > 0 && state.size.height > 0) {
      rule = "a video composition needs a renderSize above zero"
    } else if state.instructions.isEmpty {
      rule = "a video composition needs instructions"
    } else if state.tool != nil, !takesTool {
      rule = "a video composition with an animationTool is for exports and readers"
    } else {
      return true
    }
    ProgrammingMistake.report(rule: "\(name): \(rule).")
    return false
  }

  /// Why the composition cannot be rendered; `nil` when it can.
  func fault(covering range: CMTimeRange, tracks: Set<CMPersistentTrackID>?) -> String? {
    let state = state.withLock { $0 }
    guard state.size.width >= 1, state.size.height >= 1, state.scale > 0 else {
      return "its renderSize is empty"
    }
    let scale = CGFloat(state.scale)
    guard state.size.width * scale <= 16384, state.size.height * scale <= 16384 else {
      return "its renderSize is above 16384"
    }
    guard state.frameDuration.isNumeric, state.frameDuration > .zero else {
      return "its frameDuration is not above zero"
    }
    guard state.tool == nil || (state.compositor == nil && state.filter == nil) else {
      return "it has an animationTool beside a compositor or filters of the client's"
    }
    let tracks = tracks.map { $0.union(state.tool?.trackID.map { [$0] } ?? []) }
    var end = range.start
    for instruction in state.instructions {
      let time = instruction.timeRange
      guard time.isValid, time.duration > .zero else { return "an instruction has no timeRange" }
      guard time.end > range.start, !range.end.isNumeric || time.start < range.end else { continue }
      if time.start > end { return "no instruction covers \(end.seconds) s" }
      end = max(end, time.end)
      for number in instruction.requiredSourceTrackIDs ?? [] {
        guard let number = (number as? NSNumber)?.int32Value, tracks?.contains(number) ?? true else {
          return "an instruction names a track that is not read"
        }
      }
    }
    if range.end.isNumeric, end < range.end { return "no instruction covers \(end.seconds) s" }
    return nil
  }
}

/// A video composition that can be changed.
///
/// Apple: `AVMutableVideoComposition`.
open class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// A composition without size, rate and instructions.
  ///
  /// Apple: `AVMutableVideoComposition.init()`.
  public init() {
    super.init(State())
  }

  override init(_ state: State) {
    super.init(state)
  }

  /// From one frame to the next.
  ///
  /// Apple: `AVMutableVideoComposition.frameDuration`.
  open override var frameDuration: CMTime {
    get { super.frameDuration }
    set { state.withLock { $0.frameDuration = newValue } }
  }
  /// The track whose frames' times the composition's frames have; `kCMPersistentTrackID_Invalid` for ``frameDuration``.
  ///
  /// Apple: `AVMutableVideoComposition.sourceTrackIDForFrameTiming`.
  open override var sourceTrackIDForFrameTiming: CMPersistentTrackID {
    get { super.sourceTrackIDForFrameTiming }
    set { state.withLock { $0.timingTrackID = newValue } }
  }
  /// The size of the frames.
  ///
  /// Apple: `AVMutableVideoComposition.renderSize`.
  open override var renderSize: CGSize {
    get { super.renderSize }
    set { state.withLock { $0.size = newValue } }
  }
  /// By what the size is multiplied.
  ///
  /// Apple: `AVMutableVideoComposition.renderScale`.
  open override var renderScale: Float {
    get { super.renderScale }
    set { state.withLock { $0.scale = newValue } }
  }
  /// The instructions, in the order of time and without gaps.
  ///
  /// Apple: `AVMutableVideoComposition.instructions`.
  open override var instructions: [any AVVideoCompositionInstructionProtocol] {
    get { super.instructions }
    set {
      let old = state.withLock { state in
        defer { state.instructions = newValue }
        return state.instructions
      }
      withExtendedLifetime(old) {}
    }
  }
  /// The class that makes the frames instead of layers; `nil` for layers.
  ///
  /// Each reader, export, player item and image generator makes an object of it. A composition of filters keeps its filters.
  ///
  /// Apple: `AVMutableVideoComposition.customVideoCompositorClass`.
  open override var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
    get { super.customVideoCompositorClass }
    set { state.withLock { $0.compositor = newValue } }
  }
  /// What draws layers into the frames; `nil` for nothing.
  ///
  /// A composition of filters, or with a ``customVideoCompositorClass``, cannot be rendered with one.
  ///
  /// Apple: `AVMutableVideoComposition.animationTool`.
  open override var animationTool: AVVideoCompositionCoreAnimationTool? {
    get { super.animationTool }
    set {
      let old = state.withLock { state in
        defer { state.tool = newValue }
        return state.tool
      }
      withExtendedLifetime(old) {}
    }
  }
  /// The colour primaries of the frames.
  ///
  /// Apple: `AVMutableVideoComposition.colorPrimaries`.
  open override var colorPrimaries: String? {
    get { super.colorPrimaries }
    set { state.withLock { $0.primaries = newValue } }
  }
  /// The matrix of the frames.
  ///
  /// Apple: `AVMutableVideoComposition.colorYCbCrMatrix`.
  open override var colorYCbCrMatrix: String? {
    get { super.colorYCbCrMatrix }
    set { state.withLock { $0.matrix = newValue } }
  }
  /// The transfer function of the frames.
  ///
  /// Apple: `AVMutableVideoComposition.colorTransferFunction`.
  open override var colorTransferFunction: String? {
    get { super.colorTransferFunction }
    set { state.withLock { $0.transfer = newValue } }
  }
}
