package import Foundation

/// One reaction of a person: its kind, and when it began.
///
/// What is drawn follows from it and a frame's time alone: two reactions with the same seed look the same.
package struct Reaction: Sendable, Hashable {
  /// The kind.
  package var kind: ReactionKind
  /// The time of the first frame that shows it, in nanoseconds of the frames' clock.
  package var startNanoseconds: Int64
  /// The number from which the places of all its parts follow.
  package var seed: UInt64
  /// The place of the gesture in the picture as it is stored: 0 to 1 from the top left corner; `nil` without a gesture.
  package var hand: CGPoint?

  /// A reaction that begins at a time.
  package init(kind: ReactionKind, startNanoseconds: Int64, seed: UInt64, hand: CGPoint? = nil) {
    self.kind = kind
    self.startNanoseconds = startNanoseconds
    self.seed = seed
    self.hand = hand
  }

  /// The time of the first frame without it.
  package var endNanoseconds: Int64 { startNanoseconds &+ kind.durationNanoseconds }

  /// Whether a frame of this time shows it.
  package func isGoingOn(at nanoseconds: Int64) -> Bool {
    startNanoseconds <= nanoseconds && nanoseconds < endNanoseconds
  }
}
