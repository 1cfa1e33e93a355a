/// What is drawn into a frame, from the back to the front.
package struct SpriteList {
  /// The change of the picture's own light.
  var atmosphere = Atmosphere()
  /// Haze and glow behind the person, drawn coarsely.
  package var light: [ReactionSprite] = []
  /// How much of the light drifts in clouds: 0 for even light.
  var haze: Float = 0
  /// Seconds by which the clouds of haze have drifted.
  var hazeTime: Float = 0
  /// Shapes behind the person.
  package var behind: [ReactionSprite] = []
  /// Shapes in front of all.
  package var front: [ReactionSprite] = []
}

/// The change of a picture's own light before anything is drawn over it, for the background and for the person.
///
/// Several at once multiply.
struct Atmosphere: Equatable {
  /// The shares of luma that are left.
  var background: Float = 1
  var person: Float = 1
  /// The shares of colour that are left.
  var backgroundColor: Float = 1
  var personColor: Float = 1
  /// The colour of the light that is added, and how much of it.
  var tint = SIMD3<Float>()

  /// Whether nothing changes.
  var isClear: Bool { self == Atmosphere() }

  /// Takes light away.
  mutating func dim(background: Float, person: Float) {
    self.background *= background
    self.person *= person
  }
}
