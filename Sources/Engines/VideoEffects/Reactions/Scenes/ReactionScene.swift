package import Foundation
package import PixelTransforms

/// The facts about a frame that its reactions are drawn from.
///
/// All places are of the picture as it is stored: 0 to 1 from its top left corner.
package struct ReactionScene: Sendable {
  /// The reactions, in any order; those that are not going on are left out.
  package var reactions: [Reaction]
  /// The frame's time, in nanoseconds of the clock of ``Reaction/startNanoseconds``.
  package var timeNanoseconds: Int64
  /// The person, behind whom some parts are drawn; without it these are drawn over the person.
  package var mask: PersonMask?
  /// The face of the person who reacts.
  package var face: CGRect?
  /// The clockwise turn with which viewers see the picture: what is drawn is upright for them.
  package var turn: QuarterTurn

  /// A scene at a time.
  package init(
    reactions: [Reaction], timeNanoseconds: Int64, mask: PersonMask? = nil, face: CGRect? = nil,
    turn: QuarterTurn = .none
  ) {
    self.reactions = reactions
    self.timeNanoseconds = timeNanoseconds
    self.mask = mask
    self.face = face
    self.turn = turn
  }

  /// Whether any reaction is going on: otherwise drawing changes nothing, and the picture need not be copied first.
  package var isVisible: Bool { reactions.contains { $0.isGoingOn(at: timeNanoseconds) } }
}
