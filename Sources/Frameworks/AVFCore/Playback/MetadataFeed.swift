internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import Linux

/// The timed metadata of an item for one output: groups in their order, read a little ahead on a queue of its own.
///
/// Thread-safe.
final class MetadataFeed: Sendable {
  /// The groups of one track that have become due.
  struct Delivery: Sendable {
    let track: AVPlayerItemTrack
    let groups: [AVTimedMetadataGroup]
  }

  /// One track's groups, as far as they were read.
  private struct Lane {
    let track: AVPlayerItemTrack
    var waiting: [AVTimedMetadataGroup] = []
    var isOver = false

    /// Whether it is known what comes next.
    var isKnown: Bool { isOver || !waiting.isEmpty }
    /// Whether more is to be read.
    var isWanting: Bool { !isOver && waiting.count < MetadataFeed.ahead }

    /// Whether nothing is left that begins at a time or before it.
    func isDone(upTo time: CMTime) -> Bool { waiting.first.map { $0.timeRange.start > time } ?? isOver }

    /// Takes the groups out that begin at a time or before it.
    mutating func take(upTo time: CMTime) -> [AVTimedMetadataGroup] {
      let count = waiting.firstIndex { $0.timeRange.start > time } ?? waiting.count
      defer { waiting.removeFirst(count) }
      return Array(waiting.prefix(count))
    }
  }

  private struct State {
    var generation = 0
    var lanes: [Lane]
    var isReading = false
  }

  /// How many groups of a track are kept ahead.
  private static let ahead = 64
  private let identifiers: Set<String>?
  private let state: Monitor<State>
  private let queue = DispatchQueue(label: "obscura.player-metadata")
  private let changed: @Sendable () -> Void
  // Safe because it is reached on `queue` alone.
  nonisolated(unsafe) private var sources: [TrackDecoding?] = []

  /// - Parameters:
  ///   - tracks: Those of the item; of other media than metadata, and without any of the identifiers, they are left out.
  ///   - identifiers: Of the items that are wanted; `nil` for all.
  ///   - changed: Called when groups have come where there were none.
  init(
    _ tracks: [AVPlayerItemTrack], identifiers: Set<String>?, changed: @escaping @Sendable () -> Void
  ) {
    self.identifiers = identifiers
    self.changed = changed
    let lanes = tracks.filter { track in
      guard let asset = track.assetTrack, asset.mediaType == .metadata else { return false }
      guard let identifiers else { return true }
      return asset.formatDescriptions.contains { format in
        !identifiers.isDisjoint(with: (format as? CMMetadataFormatDescription)?.identifiers ?? [])
      }
    }
    state = Monitor(State(lanes: lanes.map { Lane(track: $0) }))
  }

  /// Begins anew with what counts at a time.
  func restart(at time: CMTime) {
    let (generation, old) = state.withLock { state in
      let old = state.lanes
      state.generation += 1
      state.lanes = old.map { Lane(track: $0.track) }
      state.isReading = true
      return (state.generation, old)
    }
    withExtendedLifetime(old) {}
    queue.async { [weak self] in self?.open(generation, time) }
  }

  /// The groups that begin at a time or before it and were not taken yet.
  ///
  /// - Parameter waits: Whether to wait for the disk; else what is not read yet comes with the next call.
  func take(upTo time: CMTime, waits: Bool) -> [Delivery] {
    var taken: [Int: Delivery] = [:]
    while true {
      if waits { _ = state.wait(for: { $0.lanes.allSatisfy(\.isKnown) }, then: { _ in }) }
      let (count, found, starts) = state.withLock { state in
        let found = state.lanes.indices.map { index in
          (state.lanes[index].track, state.lanes[index].take(upTo: time))
        }
        let starts = !state.isReading && state.lanes.contains(where: \.isWanting)
        if starts { state.isReading = true }
        return (state.generation, found, starts)
      }
      if starts { queue.async { [weak self] in self?.fill(count) } }
      for (index, (track, groups)) in found.enumerated() where !groups.isEmpty {
        taken[index] = Delivery(track: track, groups: (taken[index]?.groups ?? []) + groups)
      }
      // All that was there was due: more may be, and may have come meanwhile.
      if !waits || state.withLock({ $0.lanes.allSatisfy { $0.isDone(upTo: time) } }) { break }
    }
    return taken.sorted { $0.key < $1.key }.map(\.value)
  }

  /// When the next group begins; `nil` when none is left, or none is known.
  var nextTime: CMTime? {
    state.withLock { state in state.lanes.compactMap { $0.waiting.first?.timeRange.start }.min() }
  }

  /// Whether more may come than is known.
  var isBehind: Bool { state.withLock { !$0.lanes.allSatisfy(\.isKnown) } }

  // MARK: On the reading queue

  private func open(_ generation: Int, _ time: CMTime) {
    let (current, tracks) = state.withLock { ($0.generation, $0.lanes.map(\.track)) }
    guard current == generation else { return }
    let range = CMTimeRange(start: time, duration: .positiveInfinity)
    sources = tracks.map { track in
      track.assetTrack.flatMap { try? TrackDecoding($0, settings: nil, range: range) }
    }
    fill(generation, from: time)
  }

  private func fill(_ generation: Int, from begin: CMTime = .zero) {
    repeat {
      for index in sources.indices {
        while isWanted(index, generation) { read(index, generation, from: begin) }
      }
    } while !mayRest(generation)
  }

  private func read(_ index: Int, _ generation: Int, from begin: CMTime) {
    // Metadata that is damaged ends there; pictures and audio go on.
    guard let sample = try? sources[index]?.next() else {
      sources[index] = nil
      return note(nil, index, generation)
    }
    guard let group = group(of: sample) else { return }
    let end = group.timeRange.end
    if !end.isNumeric || end > begin { note(group, index, generation) }
  }

  /// Whether there is enough, so that reading ends until something is taken.
  private func mayRest(_ generation: Int) -> Bool {
    state.withLock { state in
      guard state.generation == generation else { return true }
      if state.lanes.contains(where: \.isWanting) { return false }
      state.isReading = false
      return true
    }
  }

  private func isWanted(_ index: Int, _ generation: Int) -> Bool {
    state.withLock { state in
      state.generation == generation && state.lanes[index].isWanting
    }
  }

  /// The group of a sample, with the items that are wanted.
  private func group(of sample: CMSampleBuffer) -> AVTimedMetadataGroup? {
    guard let group = AVTimedMetadataGroup(sampleBuffer: sample) else { return nil }
    guard let identifiers else { return group }
    return AVTimedMetadataGroup(
      items: group.items.filter { $0.identifier.map { identifiers.contains($0.rawValue) } ?? false },
      timeRange: group.timeRange)
  }

  private func note(_ group: AVTimedMetadataGroup?, _ index: Int, _ generation: Int) {
    let isNews = state.withLock { state in
      guard state.generation == generation else { return false }
      defer {
        if let group { state.lanes[index].waiting.append(group) } else { state.lanes[index].isOver = true }
      }
      return group != nil && state.lanes[index].waiting.isEmpty
    }
    if isNews { changed() }
  }
}
