public import CoreMedia
public import Foundation
public import FoundationExtras

/// Plays an item.
///
/// Items play on a `CMTimebase` over ``sourceClock``, so that on a clock that is moved by hand a movie plays as fast as a test wants.
/// Observable: ``currentItem``, ``status``, ``rate``, ``timeControlStatus``, ``reasonForWaitingToPlay``, ``actionAtItemEnd``,
/// ``volume``, ``isMuted``, ``automaticallyWaitsToMinimizeStalling``; observers are called on the main queue, before the
/// changing call returns when it is made there. Thread-safe.
///
/// Apple: `AVPlayer`.
/// - Note: Unlike AVFoundation's, it belongs to no actor: it may be used from any thread, also from the main one.
open class AVPlayer: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: on a queue.
  /// The status of a player: whether it can play.
  ///
  /// Apple: `AVPlayer.Status`.
  public enum Status: Int, Sendable {
    /// It has played nothing yet.
    case unknown = 0
    /// It can play.
    case readyToPlay = 1
    /// It cannot play any more.
    case failed = 2
  }

  /// The state of playback: paused, waiting, or playing.
  ///
  /// Apple: `AVPlayer.TimeControlStatus`.
  public enum TimeControlStatus: Int, Sendable {
    /// The player is paused.
    case paused = 0
    /// The player will play, see ``AVPlayer/reasonForWaitingToPlay``.
    case waitingToPlayAtSpecifiedRate = 1
    /// The player plays.
    case playing = 2
  }

  /// The reason for which a player waits.
  ///
  /// Apple: `AVPlayer.WaitingReason`.
  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    /// Apple's name.
    public let rawValue: String

    /// A reason with a name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Pictures are being decoded.
    ///
    /// Apple: `AVPlayer.WaitingReason.toMinimizeStalls`.
    public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    /// The item is being loaded.
    ///
    /// Apple: `AVPlayer.WaitingReason.evaluatingBufferingRate`.
    public static let evaluatingBufferingRate = WaitingReason(
      rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
    /// There is no item.
    ///
    /// Apple: `AVPlayer.WaitingReason.noItemToPlay`.
    public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
  }

  /// The action of a player at an item's end.
  ///
  /// Apple: `AVPlayer.ActionAtItemEnd`.
  public enum ActionAtItemEnd: Int, Sendable {
    /// It plays the next item; of an ``AVQueuePlayer`` alone.
    case advance = 0
    /// It pauses.
    case pause = 1
    /// Nothing: time goes on.
    case none = 2
  }

  /// Posted on the main queue when the rate has changed.
  ///
  /// Apple: `AVPlayer.rateDidChangeNotification`.
  public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")

  /// The observers of the player's properties.
  public let observerTable = ObserverTable()
  let core = PlayerCore()

  /// A player without an item.
  ///
  /// Apple: `AVPlayer.init()`.
  public override init() {
    super.init()
    core.player = self
  }

  /// A player of an item.
  ///
  /// Apple: `AVPlayer.init(playerItem:)`.
  public init(playerItem item: AVPlayerItem?) {
    super.init()
    core.player = self
    replace(with: item.map { [$0] } ?? [])
  }

  /// A player of a file.
  ///
  /// Apple: `AVPlayer.init(url:)`.
  public convenience init(url URL: URL) {
    self.init(playerItem: AVPlayerItem(url: URL))
  }

  deinit {
    core.close()
  }

  // MARK: Item

  /// The item; observable.
  ///
  /// Apple: `AVPlayer.currentItem`.
  open var currentItem: AVPlayerItem? {
    observerTable.access(\AVPlayer.currentItem)
    return core.change { core.current?.item }
  }

  /// Plays another item, or none; the rate stays.
  ///
  /// An item of another player is a programming mistake. Apple: `AVPlayer.replaceCurrentItem(with:)`.
  open func replaceCurrentItem(with item: AVPlayerItem?) {
    replace(with: item.map { [$0] } ?? [])
  }

  func replace(with items: [AVPlayerItem]) {
    for item in items where !item.join(core) {
      ProgrammingMistake.report(
        rule: "An item belongs to one player; make another item of the same asset for a second one.")
      return
    }
    core.change { core.replace(items) }
  }

  /// Whether it can play; observable.
  ///
  /// Apple: `AVPlayer.status`.
  open var status: Status {
    observerTable.access(\AVPlayer.status)
    return core.change { core.visible.status }
  }

  /// Why it cannot play any more; `nil`, for what fails are items.
  ///
  /// Apple: `AVPlayer.error`.
  open var error: (any Error)? {
    observerTable.access(\AVPlayer.error)
    return core.change { core.visible.error }
  }

  // MARK: Playing

  /// Plays at ``defaultRate``.
  ///
  /// Apple: `AVPlayer.play()`.
  open func play() {
    core.change { core.setRate(core.visible.defaultRate) }
  }

  /// Pauses.
  ///
  /// Apple: `AVPlayer.pause()`.
  open func pause() {
    core.change { core.setRate(0) }
  }

  /// How fast it plays, or will once it need not wait: 1 as the item was made, 0 for a pause; observable.
  ///
  /// Below zero it plays backwards, from where time is to the item's `reversePlaybackEndTime`; begin at the end with a seek there.
  /// Pictures are shown in falling order, each as long as forwards. Nothing is heard: Apple does not say what is heard backwards, the
  /// HTML standard demands silence.
  ///
  /// Decoders go forwards only, so that backwards a stretch is decoded from a key frame on before its last picture is shown. At most 64
  /// pictures, or 192 MB of them, are kept. Of movies whose key frames lie farther apart than 32 pictures many are decoded more than
  /// once; pictures that are not decoded in time are left out. Apple: `AVPlayer.rate`.
  open var rate: Float {
    get {
      observerTable.access(\AVPlayer.rate)
      return core.change { core.visible.rate }
    }
    set { core.change { core.setRate(newValue) } }
  }

  /// How fast ``play()`` plays, below zero backwards; 1 at first.
  ///
  /// Apple: `AVPlayer.defaultRate`.
  open var defaultRate: Float {
    get { core.change { core.visible.defaultRate } }
    set { core.change { core.visible.defaultRate = newValue } }
  }

  /// Plays at a rate; what is decoded already is played without waiting for more.
  ///
  /// Apple: `AVPlayer.playImmediately(atRate:)`.
  open func playImmediately(atRate rate: Float) {
    core.change { core.setRate(rate) }
  }

  /// Whether it plays, waits or is paused; observable.
  ///
  /// Apple: `AVPlayer.timeControlStatus`.
  open var timeControlStatus: TimeControlStatus {
    observerTable.access(\AVPlayer.timeControlStatus)
    return core.change { core.visible.control }
  }

  /// Why it waits; `nil` unless it does.
  ///
  /// Observable.
  ///
  /// Apple: `AVPlayer.reasonForWaitingToPlay`.
  open var reasonForWaitingToPlay: WaitingReason? {
    observerTable.access(\AVPlayer.reasonForWaitingToPlay)
    return core.change { core.visible.reason }
  }

  /// The action at the item's end: a pause at first; observable.
  ///
  /// `advance` is a programming mistake unless the player is an ``AVQueuePlayer``. Apple: `AVPlayer.actionAtItemEnd`.
  open var actionAtItemEnd: ActionAtItemEnd {
    get {
      observerTable.access(\AVPlayer.actionAtItemEnd)
      return core.change { core.visible.actionAtEnd }
    }
    set {
      guard newValue != .advance || core.isQueue else {
        ProgrammingMistake.report(rule: "Only an AVQueuePlayer can advance at an item's end.")
        return
      }
      core.change { core.setAction(newValue) }
    }
  }

  /// Whether it waits for pictures rather than play at once; `true` at first.
  ///
  /// Observable.
  ///
  /// `setRate(_:time:atHostTime:)` needs `false`. Apple: `AVPlayer.automaticallyWaitsToMinimizeStalling`.
  open var automaticallyWaitsToMinimizeStalling: Bool {
    get {
      observerTable.access(\AVPlayer.automaticallyWaitsToMinimizeStalling)
      return core.change { core.visible.waitsToMinimizeStalls }
    }
    set { core.change { core.visible.waitsToMinimizeStalls = newValue } }
  }

  /// Whether the display stays on while pictures are played: `false`, for nothing here keeps it on; setting it changes nothing.
  ///
  /// Programs ask their desktop for it, such as GTK's `gtk_application_inhibit`.
  /// Apple: `AVPlayer.preventsDisplaySleepDuringVideoPlayback`.
  open var preventsDisplaySleepDuringVideoPlayback: Bool {
    get { false }
    set {}
  }

  // MARK: Audio

  /// The loudness of all audio, from 0 to 1; observable.
  ///
  /// Apple: `AVPlayer.volume`.
  open var volume: Float {
    get {
      observerTable.access(\AVPlayer.volume)
      return core.change { core.visible.volume }
    }
    set { core.change { core.setVolume(min(max(newValue, 0), 1), isMuted: core.visible.isMuted) } }
  }

  /// Whether audio is silent; observable.
  ///
  /// Apple: `AVPlayer.isMuted`.
  open var isMuted: Bool {
    get {
      observerTable.access(\AVPlayer.isMuted)
      return core.change { core.visible.isMuted }
    }
    set { core.change { core.setVolume(core.visible.volume, isMuted: newValue) } }
  }

  /// Lets audio go elsewhere than to the machine's default output.
  package func setAudioSink(_ sink: any AudioSink) { core.audio.setSink(sink) }

  // MARK: Time

  /// The current item's time; zero without an item.
  ///
  /// Apple: `AVPlayer.currentTime()`.
  open func currentTime() -> CMTime {
    currentItem?.currentTime() ?? .zero
  }

  /// The clock on which items play; `nil` (the default) for the host's.
  ///
  /// Apple: `AVPlayer.sourceClock`.
  open var sourceClock: CMClock? {
    get { core.change { core.clock === CMClock.hostTimeClock ? nil : core.clock } }
    set { core.change { core.setClock(newValue ?? .hostTimeClock) } }
  }

  /// The clock on which items play, by its older name: ``sourceClock``.
  ///
  /// Apple: `AVPlayer.masterClock`.
  open var masterClock: CMClock? {
    get { sourceClock }
    set { sourceClock = newValue }
  }
}
