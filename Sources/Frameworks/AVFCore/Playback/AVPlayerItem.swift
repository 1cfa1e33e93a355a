public import CoreMedia
public import Foundation
public import FoundationExtras
internal import GraphicsCore
internal import Linux

/// An asset as it is played: its time, its state, and what it is shown by.
///
/// Loads when it becomes an item of a player. Observable: ``status``, ``error``, ``duration``, ``presentationSize``, ``tracks``,
/// ``loadedTimeRanges``, ``seekableTimeRanges``, ``isPlaybackLikelyToKeepUp``, ``isPlaybackBufferFull``,
/// ``isPlaybackBufferEmpty``; observers are called on the main queue. Thread-safe.
///
/// Apple: `AVPlayerItem`.
/// - Note: Unlike AVFoundation's, it belongs to no actor: it may be used from any thread, also from the main one.
open class AVPlayerItem: NSObject, NSCopying, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The status of an item: whether it can be played.
  ///
  /// Apple: `AVPlayerItem.Status`.
  public enum Status: Int, Sendable {
    /// It is not loaded.
    case unknown = 0
    /// It can be played.
    case readyToPlay = 1
    /// It cannot be played any more; ``AVPlayerItem/error`` says why.
    case failed = 2
  }

  /// The facts of an item that loading has found.
  struct Facts: Sendable {
    var duration: CMTime
    var pictures: AVAssetTrack?
    /// The audio tracks that can be decoded; those that are switched on are heard together.
    var audio: [AVAssetTrack]
    var tracks: [AVPlayerItemTrack]
    var size: CGSize
  }

  struct State {
    var status = Status.unknown
    var error: NSError?
    var facts: Facts?
    var keepsUp = false
    var isBufferFull = false
    var forwardEnd = CMTime.invalid
    var reverseEnd = CMTime.invalid
    var outputs: [AVPlayerItemOutput] = []
    var feed: PictureFeed?
    var audioFeed: AudioFeed?
    weak var core: PlayerCore?
    var wasInPlayer = false
    var pitch = AVAudioTimePitchAlgorithm.timeDomain
    var forwardBuffer = 0.0
    var peakBitRate = 0.0
    /// As they were when the client set them: later changes of the client's own objects change nothing.
    var composition: AVVideoComposition?
    var mix: AVAudioMix?

    /// How pictures are turned when they are shown: those of a composition are upright.
    var transform: CGAffineTransform {
      composition == nil ? facts?.pictures?.preferredTransform ?? .identity : .identity
    }
    /// The size in which they are shown.
    var size: CGSize { facts == nil ? .zero : composition?.renderSize ?? facts?.size ?? .zero }

    /// The time at which playing ends in a direction: the client's, or the item's own where that comes first or the client has none.
    func end(backward isBackward: Bool) -> CMTime {
      if isBackward { return reverseEnd.isNumeric ? max(reverseEnd, .zero) : .zero }
      let duration = facts?.duration ?? .indefinite
      guard forwardEnd.isNumeric else { return duration }
      return duration.isNumeric ? min(duration, forwardEnd) : forwardEnd
    }
  }

  /// The observers of the item's properties.
  public let observerTable = ObserverTable()
  /// The asset to play.
  ///
  /// Apple: `AVPlayerItem.asset`.
  public let asset: AVAsset
  /// The properties of the asset that the client wants loaded; with the file, all are.
  ///
  /// Apple: `AVPlayerItem.automaticallyLoadedAssetKeys`.
  public let automaticallyLoadedAssetKeys: [String]
  let ownTimebase: CMTimebase
  let state = Locked(State())

  /// An item of an asset.
  ///
  /// Apple: `AVPlayerItem.init(asset:automaticallyLoadedAssetKeys:)`.
  public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
    self.asset = asset
    self.automaticallyLoadedAssetKeys = automaticallyLoadedAssetKeys ?? []
    ownTimebase = CMTimebase.onHostClock()
    super.init()
  }

  /// An item of an asset.
  ///
  /// Apple: `AVPlayerItem.init(asset:)`.
  public convenience init(asset: AVAsset) {
    self.init(asset: asset, automaticallyLoadedAssetKeys: nil)
  }

  /// An item of a file.
  ///
  /// Apple: `AVPlayerItem.init(url:)`.
  public convenience init(url URL: URL) {
    self.init(asset: AVURLAsset(url: URL))
  }

  /// An item of the same asset, with the same end times, video composition and audio mix, that begins anew.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: automaticallyLoadedAssetKeys)
    let old = state.withLock { ($0.forwardEnd, $0.reverseEnd, $0.pitch, $0.composition, $0.mix) }
    copy.state.withLock { ($0.forwardEnd, $0.reverseEnd, $0.pitch, $0.composition, $0.mix) = old }
    return copy
  }

  // MARK: State

  /// Whether it can be played; observable.
  ///
  /// Apple: `AVPlayerItem.status`.
  open var status: Status {
    observerTable.access(\AVPlayerItem.status)
    return state.withLock { $0.status }
  }

  /// Why it cannot be played: an ``AVError``, or an error of `NSURLErrorDomain`, -1100, when there is no such file; `nil` unless
  /// ``status`` is failed.
  ///
  /// Observable.
  ///
  /// Apple: `AVPlayerItem.error`.
  open var error: (any Error)? {
    observerTable.access(\AVPlayerItem.error)
    return state.withLock { $0.error }
  }

  /// How long it takes; indefinite until it is loaded.
  ///
  /// Observable.
  ///
  /// Apple: `AVPlayerItem.duration`.
  open var duration: CMTime {
    observerTable.access(\AVPlayerItem.duration)
    return state.withLock { $0.facts?.duration } ?? .indefinite
  }

  /// The size in which pictures are shown, turned as the file says, or that of the video composition; zero without pictures and until it is loaded.
  ///
  /// Observable.
  ///
  /// Apple: `AVPlayerItem.presentationSize`.
  open var presentationSize: CGSize {
    observerTable.access(\AVPlayerItem.presentationSize)
    return state.withLock { $0.size }
  }

  /// The tracks; none until it is loaded.
  ///
  /// Observable.
  ///
  /// Apple: `AVPlayerItem.tracks`.
  open var tracks: [AVPlayerItemTrack] {
    observerTable.access(\AVPlayerItem.tracks)
    return state.withLock { $0.facts?.tracks } ?? []
  }

  /// Which times could be played without waiting, each a `CMTimeRange`: of a file that is loaded, all.
  ///
  /// Observable.
  ///
  /// Apple: `AVPlayerItem.loadedTimeRanges`.
  open var loadedTimeRanges: [NSValue] {
    observerTable.access(\AVPlayerItem.loadedTimeRanges)
    return wholeRange
  }

  /// Which times can be sought, each a `CMTimeRange`: of a file that is loaded, all.
  ///
  /// Observable.
  ///
  /// Apple: `AVPlayerItem.seekableTimeRanges`.
  open var seekableTimeRanges: [NSValue] {
    observerTable.access(\AVPlayerItem.seekableTimeRanges)
    return wholeRange
  }

  private var wholeRange: [NSValue] {
    guard let duration = state.withLock({ $0.facts?.duration }), duration.isNumeric, duration > .zero else {
      return []
    }
    return [NSValue(timeRange: CMTimeRange(start: .zero, duration: duration))]
  }

  /// Whether playing would go on without a stall; observable.
  ///
  /// Apple: `AVPlayerItem.isPlaybackLikelyToKeepUp`.
  open var isPlaybackLikelyToKeepUp: Bool {
    observerTable.access(\AVPlayerItem.isPlaybackLikelyToKeepUp)
    return state.withLock { $0.keepsUp }
  }

  /// Whether as many pictures are decoded ahead as are kept; observable.
  ///
  /// Apple: `AVPlayerItem.isPlaybackBufferFull`.
  open var isPlaybackBufferFull: Bool {
    observerTable.access(\AVPlayerItem.isPlaybackBufferFull)
    return state.withLock { $0.isBufferFull }
  }

  /// Whether nothing is decoded that could be shown; observable.
  ///
  /// Apple: `AVPlayerItem.isPlaybackBufferEmpty`.
  open var isPlaybackBufferEmpty: Bool {
    observerTable.access(\AVPlayerItem.isPlaybackBufferEmpty)
    return !state.withLock { $0.keepsUp }
  }

  // MARK: Time

  /// The item's timeline; `nil` until it is ready.
  ///
  /// A player sets it, clients read it.
  ///
  /// Apple: `AVPlayerItem.timebase`.
  open var timebase: CMTimebase? { status == .readyToPlay ? ownTimebase : nil }

  /// The time now.
  ///
  /// Apple: `AVPlayerItem.currentTime()`.
  open func currentTime() -> CMTime {
    let (time, rate) = ownTimebase.timeAndRate
    let (end, core) = state.withLock { ($0.end(backward: rate < 0), $0.core) }
    // Between the end and the moment at which the player notices it, time stands still.
    guard rate != 0, end.isNumeric, rate < 0 ? time < end : time > end, core?.keepsEnd ?? true else {
      return time
    }
    return end
  }

  /// The most bits a second that it may take from a network; 0 (the default) is no bound.
  ///
  /// It is kept and changes nothing: files of this machine come in one rate.
  /// Apple: `AVPlayerItem.preferredPeakBitRate`.
  open var preferredPeakBitRate: Double {
    get { state.withLock { $0.peakBitRate } }
    set { state.withLock { $0.peakBitRate = max(0, newValue) } }
  }

  /// The time at which playing forwards ends before the item does; invalid (the default) for its own end.
  ///
  /// There the item posts ``didPlayToEndTimeNotification``, and the player does what its `actionAtItemEnd` says.
  ///
  /// Apple: `AVPlayerItem.forwardPlaybackEndTime`.
  open var forwardPlaybackEndTime: CMTime {
    get { state.withLock { $0.forwardEnd } }
    set {
      let core = state.withLock { state in
        state.forwardEnd = newValue
        return state.core
      }
      core?.change { core?.endChanged(self, backward: false) }
    }
  }
}
