internal import CoreMedia
internal import Foundation
internal import Linux
internal import VideoEffects

/// The reactions of one camera: waiting for their first frame, in progress, or just ended.
///
/// A value under the lock of ``DeviceVideoEffects``, which advances it with each frame.
struct ReactionSchedule {
  /// A reaction that has begun.
  private struct Entry {
    let reaction: Reaction
    let state: AVCaptureReactionEffectState
  }

  /// A change of ``inProgress``.
  struct News {
    let old: [AVCaptureReactionEffectState]
    let new: [AVCaptureReactionEffectState]
  }

  private var waiting: [(type: AVCaptureReactionType, kind: ReactionKind, hand: CGPoint?)] = []
  private var running: [Entry] = []
  /// Ended reactions, for photos of slightly older frames.
  private var ended: [Entry] = []
  private var count: UInt64 = 0
  /// The time of the newest frame.
  private var newest = MonotonicInstant(nanoseconds: .min)

  /// The most reactions of one kind at a time.
  private static let mostOfAKind = 3
  /// The time for which ended reactions are kept.
  private static let memoryNanoseconds: Int64 = 3_000_000_000

  /// The reactions in progress, in the order of their starts.
  var inProgress: [AVCaptureReactionEffectState] { running.map(\.state) }

  /// Whether no reaction is waiting or in progress.
  var isIdle: Bool { waiting.isEmpty && running.isEmpty }

  /// Adds a reaction that begins with the next frame, unless one of its kind is waiting or three are in progress.
  ///
  /// - Parameter hand: The place of the hand whose sign requested it; `nil` for a call.
  mutating func start(_ type: AVCaptureReactionType, _ kind: ReactionKind, at hand: CGPoint? = nil) {
    guard !waiting.contains(where: { $0.kind == kind }),
      running.count(where: { $0.reaction.kind == kind }) < Self.mostOfAKind
    else { return }
    waiting.append((type, kind, hand))
  }

  /// Advances to a frame of that time: ends reactions whose duration is over, and begins the waiting ones.
  ///
  /// - Parameter begins: Whether waiting reactions may begin with this frame.
  /// - Returns: The changes, in order; none for a frame that is older than the newest.
  mutating func advance(to time: MonotonicInstant, begins: Bool) -> [News] {
    guard time > newest else { return [] }
    newest = time
    var news: [News] = []
    let over = running.filter { $0.reaction.endNanoseconds <= time.nanoseconds }
    if !over.isEmpty {
      let old = inProgress
      for entry in over { entry.state.end(at: CMTime(time)) }
      running.removeAll { $0.reaction.endNanoseconds <= time.nanoseconds }
      ended.removeAll { $0.reaction.endNanoseconds < time.nanoseconds - Self.memoryNanoseconds }
      ended += over
      news.append(News(old: old, new: inProgress))
    }
    guard begins, !waiting.isEmpty else { return news }
    let old = inProgress
    for (type, kind, hand) in waiting {
      count += 1
      running.append(
        Entry(
          reaction: Reaction(kind: kind, startNanoseconds: time.nanoseconds, seed: count, hand: hand),
          state: AVCaptureReactionEffectState(type, from: CMTime(time))))
    }
    waiting = []
    news.append(News(old: old, new: inProgress))
    return news
  }

  /// Ends all reactions at `time`, because the stream has ended; `nil` without any in progress.
  mutating func end(at time: MonotonicInstant) -> News? {
    let old = inProgress
    waiting = []
    for entry in running { entry.state.end(at: CMTime(time)) }
    (running, ended) = ([], [])
    return old.isEmpty ? nil : News(old: old, new: [])
  }

  /// The reactions in a frame of that time.
  func reactions(at time: MonotonicInstant) -> [Reaction] {
    (ended + running).map(\.reaction).filter { $0.isGoingOn(at: time.nanoseconds) }
  }
}
