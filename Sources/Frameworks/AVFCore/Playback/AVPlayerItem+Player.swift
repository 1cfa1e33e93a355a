internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import Linux

/// What a player does with its item.
extension AVPlayerItem {
  var feed: PictureFeed? { state.withLock { $0.feed } }
  var audioFeed: AudioFeed? { state.withLock { $0.audioFeed } }

  /// Whether a track with audio is switched on.
  var hearsAudio: Bool {
    state.withLock { $0.facts }.map { !Self.heard($0).isEmpty } ?? false
  }

  private static func heard(_ facts: Facts) -> [AVAssetTrack] {
    facts.audio.filter { audio in facts.tracks.contains { $0.assetTrack === audio && $0.isEnabled } }
  }

  var core: PlayerCore? { state.withLock { $0.core } }

  /// Notes that an item belongs to a player; `false` when it belongs to another one.
  func join(_ core: PlayerCore) -> Bool {
    let other = self.core
    guard other == nil || other === core else { return false }
    state.withLock { $0.core = core }
    return true
  }

  func leave(_ core: PlayerCore) {
    guard self.core === core else { return }
    let old = feed
    edit(core) { state in
      state.core = nil
      state.keepsUp = false
      state.isBufferFull = false
    }
    old?.end()
  }

  /// Opens the asset and looks at its tracks; blocks for the disk.
  func load() -> Result<Facts, AVError> {
    do throws(AVError) {
      try asset.openFile()
    } catch {
      return .failure(error)
    }
    let tracks = asset.tracks
    let pictures = tracks.first { $0.mediaType == .video && $0.isPlayable }
    let audio = tracks.filter { $0.mediaType == .audio && $0.isPlayable }
    guard pictures != nil || !audio.isEmpty else {
      return .failure(
        AVError(.decoderNotFound, because: "The file has no pictures and no audio that can be decoded."))
    }
    var size = CGSize.zero
    if let pictures {
      let turned = CGRect(origin: .zero, size: pictures.naturalSize).applying(pictures.preferredTransform)
      size = CGSize(width: abs(turned.width), height: abs(turned.height))
    }
    return .success(
      Facts(
        duration: asset.duration, pictures: pictures, audio: audio,
        tracks: tracks.map { track in
          AVPlayerItemTrack(track) { [weak self] in self?.audioChanged() }
        }, size: size))
  }

  func begin(_ facts: Facts, feed: PictureFeed?, effects: PlayerCore) {
    let audio =
      facts.audio.isEmpty
      ? nil : AudioFeed(Self.heard(facts), mix: audioMix, pitch: audioTimePitchAlgorithm)
    edit(effects) { state in
      state.facts = facts
      state.feed = feed
      state.audioFeed = audio
      if feed == nil { state.keepsUp = true }
    }
  }

  /// Changes what is heard, when a track was switched or the mix is another.
  func audioChanged() {
    let (facts, feed, mix, pitch) = state.withLock { ($0.facts, $0.audioFeed, $0.mix, $0.pitch) }
    if let facts { feed?.choose(Self.heard(facts), mix, pitch) }
  }

  /// Changes how scaled edits sound, if there are any.
  func pitchChanged() {
    let audio = state.withLock { $0.facts }?.audio ?? []
    if audio.contains(where: { $0.mediaSegments.contains(where: \.isScaled) }) { audioChanged() }
  }

  /// Takes another source of pictures, and returns the one before.
  func take(_ feed: PictureFeed) -> PictureFeed? {
    state.withLock { state in
      defer { state.feed = feed }
      return state.feed
    }
  }

  func become(_ status: Status, _ error: NSError?, effects: PlayerCore) {
    edit(effects) { state in
      state.status = status
      state.error = error
      if status == .failed { state.keepsUp = false }
    }
  }

  func noteBuffer(_ feed: PictureFeed, effects: PlayerCore) {
    if feed.first != nil { for output in outputs { effects.notify { output.noteMedia() } } }
    let (isPrimed, isFull) = (feed.isPrimed, feed.isFull)
    edit(effects) { state in
      state.keepsUp = isPrimed
      state.isBufferFull = isFull
    }
  }

  /// Changes the state, and has observers of what is different called.
  func edit(_ effects: PlayerCore, _ body: (inout State) -> Void) {
    let (old, new) = state.withLock { state in
      let old = Visible(state)
      body(&state)
      return (old, Visible(state))
    }
    func changed<Value>(_ path: sending KeyPath<AVPlayerItem, Value>, _ old: Value, _ new: Value)
    where Value: Equatable & Sendable {
      guard old != new else { return }
      announce(path, old, new, effects)
    }
    changed(\.duration, old.duration, new.duration)
    changed(\.presentationSize, old.size, new.size)
    if old.tracks != new.tracks { announce(\.tracks, old.tracks, new.tracks, effects) }
    if old.duration != new.duration {
      announce(\.loadedTimeRanges, [], loadedTimeRanges, effects)
      announce(\.seekableTimeRanges, [], seekableTimeRanges, effects)
    }
    changed(\.isPlaybackBufferFull, old.isBufferFull, new.isBufferFull)
    changed(\.isPlaybackBufferEmpty, !old.keepsUp, !new.keepsUp)
    changed(\.isPlaybackLikelyToKeepUp, old.keepsUp, new.keepsUp)
    if old.error !== new.error { announce(\.error, old.error, new.error, effects) }
    changed(\.status, old.status, new.status)
  }

  private func announce<Value>(
    _ path: sending KeyPath<AVPlayerItem, Value>, _ old: Value, _ new: Value, _ effects: PlayerCore
  ) {
    let path = KeyPathBox(path)
    let values = Values(old: old, new: new)
    effects.notify { [self] in
      observerTable.changed(path.path, of: self, from: values.old, to: values.new)
    }
  }

  private struct Values<Value>: @unchecked Sendable {  // Safe because observers' values never change.
    let old, new: Value
  }

  private struct Visible {
    let status: Status, error: NSError?, duration: CMTime, size: CGSize, tracks: [AVPlayerItemTrack]
    let keepsUp, isBufferFull: Bool

    init(_ state: State) {
      status = state.status
      error = state.error
      duration = state.facts?.duration ?? .indefinite
      size = state.size
      tracks = state.facts?.tracks ?? []
      keepsUp = state.keepsUp
      isBufferFull = state.isBufferFull
    }
  }
}
