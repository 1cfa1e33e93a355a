internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The workings of a player: all of its state, on one queue.
///
/// The queue never waits for the disk or a decoder, except on a clock that moves by hand, where each picture is waited for so that
/// what is shown does not depend on how fast the machine is.
final class PlayerCore: @unchecked Sendable {  // Safe because what changes is reached on `queue` alone.
  /// The state of the player that clients see.
  struct Visible {
    var rate: Float = 0
    var status = AVPlayer.Status.unknown
    var control = AVPlayer.TimeControlStatus.paused
    var reason: AVPlayer.WaitingReason?
    var item: AVPlayerItem?
    var error: AVError?
    var volume: Float = 1
    var isMuted = false
    var actionAtEnd = AVPlayer.ActionAtItemEnd.pause
    var waitsToMinimizeStalls = true
    var defaultRate: Float = 1
  }

  let queue = DispatchQueue(label: "obscura.player", qos: .userInteractive)
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  let effects = PlayerEffects()
  let takers = WeakObjects<PlayerFrames>()
  weak var player: AVPlayer?
  /// Of a queue player: whether the next item follows at the end.
  var isQueue = false

  var clock = CMClock.hostTimeClock
  var visible = Visible()
  var entries: [ItemPlayback] = []
  var observers: [TimeObserver] = []
  var loops: [PlayerLoop] = []
  var alarm: (timebase: CMTimebase, alarm: TimebaseAlarm)?
  /// The place and the moment at which playing shall begin; of `setRate(_:time:atHostTime:)`.
  var appointment: (time: CMTime, host: CMTime)?
  private var pending: [@Sendable () -> Void] = []
  let audio = PlayerAudio()

  init() {
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  var current: ItemPlayback? { entries.first }

  // MARK: Changes

  /// Reads or changes the state; clients are notified afterwards.
  func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    // A client that is called on the queue, by a notification of a timebase, may change the player.
    if DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) { return try body() }
    let (result, waiting) = try queue.sync {
      let result = try track(body)
      return (result, take())
    }
    effects.add(waiting)
    return result
  }

  /// Changes the state from another queue, soon.
  func later(_ body: @escaping @Sendable (PlayerCore) -> Void) {
    queue.async { [weak self] in self?.now(body) }
  }

  private func now(_ body: (PlayerCore) -> Void) {
    track { body(self) }
    effects.add(take())
  }

  /// Has clients notified after the present change.
  func notify(_ effect: @escaping @Sendable () -> Void) {
    pending.append(effect)
  }

  private func take() -> [@Sendable () -> Void] {
    defer { pending = [] }
    return pending
  }

  /// Runs a change, and notes which observable properties it has changed.
  private func track<Result>(_ body: () throws -> Result) rethrows -> Result {
    let old = visible
    let result = try body()
    visible.item = current?.item
    announce(old, visible)
    return result
  }

  private func announce(_ old: Visible, _ new: Visible) {
    guard let player else { return }
    func changed<Value: Equatable & Sendable>(
      _ path: sending KeyPath<AVPlayer, Value>, _ old: Value, _ new: Value
    ) {
      guard old != new else { return }
      let path = KeyPathBox(path)
      pending.append { player.observerTable.changed(path.path, of: player, from: old, to: new) }
    }
    changed(\.currentItem, old.item, new.item)
    changed(\.status, old.status, new.status)
    changed(\.rate, old.rate, new.rate)
    changed(\.reasonForWaitingToPlay, old.reason, new.reason)
    changed(\.timeControlStatus, old.control, new.control)
    changed(\.actionAtItemEnd, old.actionAtEnd, new.actionAtEnd)
    changed(\.volume, old.volume, new.volume)
    changed(\.isMuted, old.isMuted, new.isMuted)
    changed(
      \.automaticallyWaitsToMinimizeStalling, old.waitsToMinimizeStalls, new.waitsToMinimizeStalls)
    if old.rate != new.rate {
      pending.append {
        NotificationCenter.default.post(name: AVPlayer.rateDidChangeNotification, object: player)
      }
    }
  }

  // MARK: Running and standing

  /// Lets the current item's time run or stand, as all that is known asks for.
  func settle() {
    guard visible.rate != 0 else {
      stand()
      visible.control = .paused
      visible.reason = nil
      return
    }
    guard let current else {
      visible.control = .waitingToPlayAtSpecifiedRate
      visible.reason = .noItemToPlay
      return
    }
    if current.item.status == .failed {
      visible.rate = 0
      return settle()
    }
    turn(current)
    guard current.isPrimed else {
      stand()
      visible.control = .waitingToPlayAtSpecifiedRate
      visible.reason = current.item.status == .unknown ? .evaluatingBufferingRate : .toMinimizeStalls
      return
    }
    visible.control = .playing
    visible.reason = nil
    run(current)
  }

  private func run(_ current: ItemPlayback) {
    let rate = Double(visible.rate)
    if let begin = appointment {
      appointment = nil
      let time = begin.time.isNumeric ? begin.time : current.timebase.time
      let host = begin.host.isNumeric ? begin.host : clock.time
      _ = CMTimebaseSetRateAndAnchorTime(
        current.timebase, rate: rate, anchorTime: time, immediateSourceTime: host)
    } else if current.timebase.rate != rate {
      try? current.timebase.setRate(rate)
    } else {
      return
    }
    // Nothing is heard backwards.
    if rate > 0 { audio.play(current.item, core: self) } else { audio.stop() }
    startObservers(current)
    tick()
  }

  /// Lets an item's pictures come in the direction of the rate.
  private func turn(_ current: ItemPlayback) {
    let isBackward = visible.rate < 0
    current.turn(backward: isBackward)
    guard current.isLoaded, current.seek == nil, let feed = current.feed, feed.isBackward != isBackward
    else { return }
    restart(current, at: PictureFeed.Target(time: current.timebase.time))
    if clock.movesByHand { feed.waitUntilPrimed() }
  }

  /// Has an item's pictures decoded anew from a time on, in the direction in which it is played.
  @discardableResult
  func restart(_ entry: ItemPlayback, at target: PictureFeed.Target) -> Int? {
    entry.feed?.restart(at: target, backward: entry === current && visible.rate < 0)
  }

  /// Stops the current item's time where it is.
  func stand() {
    guard let current, current.timebase.rate != 0 else { return }
    let time = current.timebase.time
    try? current.timebase.setRate(0)
    audio.stop()
    firePeriodic(at: current.beforeEnd(time))
    current.boundaryTime = time
  }

  // MARK: Items

  /// Puts items in the place of those that are there.
  func replace(_ items: [AVPlayerItem]) {
    let kept = entries.first
    let old = entries
    entries = items.map { item in old.first { $0.item === item } ?? ItemPlayback(item) }
    for entry in old where !entries.contains(where: { $0 === entry }) { release(entry) }
    if let kept, entries.first !== kept { leave(kept) }
    if entries.first !== kept { enter() }
    prepare()
    settle()
  }

  /// The first item is no longer current.
  private func leave(_ entry: ItemPlayback) {
    if entry.timebase.rate != 0 { try? entry.timebase.setRate(0) }
    audio.stop()
    alarm = nil
  }

  /// The first item has become current.
  func enter() {
    guard let current else {
      for taker in takers.present { taker.show(nil) }
      return
    }
    current.hasEnded = false
    current.shownTime = .invalid
    for output in current.item.metadataOutputs { output.expire() }
    watch(current)
    show(current)
  }

  private func watch(_ entry: ItemPlayback) {
    if alarm?.timebase === entry.timebase { return }
    let made = TimebaseAlarm(on: entry.timebase, queue: queue) { [weak self] in
      self?.now { $0.tick() }
    }
    alarm = (entry.timebase, made)
  }

  /// Gives an item back.
  func release(_ entry: ItemPlayback) {
    if entry.timebase.rate != 0 { try? entry.timebase.setRate(0) }
    if let seek = entry.seek {
      entry.seek = nil
      if let completion = seek.completion { notify { completion(false) } }
    }
    for preroll in entry.prerolls { notify { preroll(false) } }
    entry.prerolls = []
    entry.item.leave(self)
  }
}

/// Carries a key path without captures to another thread.
struct KeyPathBox<Root, Value>: @unchecked Sendable {  // Safe: it never changes.
  let path: KeyPath<Root, Value>

  init(_ path: KeyPath<Root, Value>) {
    self.path = path
  }
}
