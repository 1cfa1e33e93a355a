internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import Linux

/// Loading items and making their first pictures.
extension PlayerCore {
  private static let loading = DispatchQueue(label: "obscura.player-loading", attributes: .concurrent)

  /// Loads the current item and the one after it.
  func prepare() {
    for entry in entries.prefix(2) where !entry.isLoaded && entry.item.join(self) {
      if clock !== CMClock.hostTimeClock { entry.timebase.source = clock }
      let item = entry.item
      Self.loading.async { [weak self] in
        let result = item.load()
        self?.later { $0.finishLoading(item, result) }
      }
    }
  }

  private func entry(of item: AVPlayerItem) -> ItemPlayback? { entries.first { $0.item === item } }

  private func finishLoading(_ item: AVPlayerItem, _ result: Result<AVPlayerItem.Facts, AVError>) {
    guard let entry = entry(of: item), !entry.isLoaded else { return }
    switch result {
    case .failure(let error):
      entry.isLoaded = true
      fail(entry, error)
    case .success(let facts):
      let feed = feed(for: item, facts)
      item.begin(facts, feed: feed, effects: self)
      entry.isLoaded = true
      if entry.seek != nil {
        startSeek(entry)
      } else if feed != nil {
        restart(entry, at: PictureFeed.Target(time: entry.timebase.time))
      } else {
        becomeReady(entry)
      }
    }
  }

  private func feed(for item: AVPlayerItem, _ facts: AVPlayerItem.Facts) -> PictureFeed? {
    guard let track = facts.pictures else { return nil }
    let source: PictureSource =
      if let composition = item.videoComposition {
        .composition(
          composition, tracks: facts.tracks.compactMap(\.assetTrack).filter { $0.mediaType == .video },
          end: facts.duration)
      } else {
        .track(track)
      }
    return PictureFeed(source) { [weak self] generation in
      self?.later { $0.feedChanged(item, generation) }
    }
  }

  /// An item has another video composition; its pictures are made anew from where it is.
  func compositionChanged(_ item: AVPlayerItem) {
    guard let entry = entry(of: item), entry.isLoaded, item.status != .failed,
      let facts = item.state.withLock({ $0.facts }), let feed = feed(for: item, facts)
    else { return }
    let old = item.take(feed)
    old?.end()
    entry.shownTime = .invalid
    if entry.seek != nil {
      startSeek(entry)
    } else {
      restart(entry, at: PictureFeed.Target(time: entry.timebase.time))
    }
  }

  /// Pictures have come, or it is over with them.
  func feedChanged(_ item: AVPlayerItem, _ generation: Int) {
    guard let entry = entry(of: item), let feed = entry.feed, feed.generation == generation, feed.isPrimed
    else { return }
    if let error = feed.error, feed.first == nil || item.status == .unknown {
      return fail(entry, error)
    }
    if entry.seek?.generation == generation { finishSeek(entry, landed: feed.landed) }
    if item.status == .unknown { becomeReady(entry) }
    item.noteBuffer(feed, effects: self)
    if feed.isFull, !entry.prerolls.isEmpty {
      for preroll in entry.prerolls { notify { preroll(true) } }
      entry.prerolls = []
    }
    guard entry === current else { return }
    show(entry)
    if visible.control == .waitingToPlayAtSpecifiedRate { settle() }
    if let error = feed.error { return fail(entry, error) }
    if entry.timebase.rate != 0 { schedule() }
  }

  private func becomeReady(_ entry: ItemPlayback) {
    entry.item.become(.readyToPlay, nil, effects: self)
    if visible.status == .unknown { visible.status = .readyToPlay }
    if entry.seek != nil { finishSeek(entry, landed: entry.feed?.landed) }
    guard entry === current else { return }
    show(entry)
    settle()
  }

  /// The item cannot be played, or not any further.
  private func fail(_ entry: ItemPlayback, _ error: AVError) {
    let item = entry.item
    guard item.status != .failed else { return }
    let error = error.published
    let wasPlaying = entry === current && entry.timebase.rate != 0
    if entry === current { stand() }
    item.become(.failed, error, effects: self)
    if let seek = entry.seek {
      entry.seek = nil
      if let completion = seek.completion { notify { completion(false) } }
    }
    for preroll in entry.prerolls { notify { preroll(false) } }
    entry.prerolls = []
    if wasPlaying {
      notify {
        NotificationCenter.default.post(
          name: AVPlayerItem.failedToPlayToEndTimeNotification, object: item,
          userInfo: [AVPlayerItemFailedToPlayToEndTimeErrorKey: error])
      }
    }
    guard entry === current else { return }
    if visible.actionAtEnd == .advance, entries.count > 1 { advance(from: entry, at: nil) } else { settle() }
  }
}
