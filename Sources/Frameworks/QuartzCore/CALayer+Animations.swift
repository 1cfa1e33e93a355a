package import DrawingCore
internal import Foundation
package import FoundationExtras

/// A layer's animations.
extension CALayer {
  /// Adds a copy of an animation, which begins now unless it says otherwise.
  ///
  /// A host draws the layer as it is shown at each moment; ``presentation()`` and ``render(in:)`` show that, too. The layer's own values
  /// stay as they are. Call it on the main thread: there the end is noticed. Apple: `CALayer.add(_:forKey:)`.
  ///
  /// - Parameter key: A name; an animation that has it already is removed. `nil` adds one without a name.
  public func add(_ anim: CAAnimation, forKey key: String?) { animations.add(anim, key, to: self) }

  /// Removes all animations; delegates hear that they did not finish.
  ///
  /// Apple: `CALayer.removeAllAnimations()`.
  public func removeAllAnimations() {
    animations.removeAll()
    noteChange()
  }

  /// Removes the animation with a name.
  ///
  /// Apple: `CALayer.removeAnimation(forKey:)`.
  public func removeAnimation(forKey key: String) {
    animations.remove(key)
    noteChange()
  }

  /// The names of the animations, in the order in which they were added; `nil` when there are none.
  ///
  /// Apple: `CALayer.animationKeys()`.
  public func animationKeys() -> [String]? {
    animations.settle()
    let keys = animations.keys.filter { !$0.hasPrefix("\u{0}") }
    return keys.isEmpty ? nil : keys
  }

  /// The animation with a name, which is a copy of the one that was added; `nil` when there is none, or it has ended.
  ///
  /// Apple: `CALayer.animation(forKey:)`.
  public func animation(forKey key: String) -> CAAnimation? {
    animations.settle()
    return animations.animation(key)
  }

  /// A copy of the layer as it is shown now, without sublayers.
  ///
  /// - Returns: `nil` of a subclass other than this module's, which only its own initializer can copy.
  ///
  /// Apple: `CALayer.presentation()`.
  public func presentation() -> Self? {
    animations.settle()
    return showingAnimations { shownCopy() as? Self }
  }

  /// Runs `body` while the layer has the values that animations show now.
  package func showingAnimations<Result>(_ body: () throws -> Result) rethrows -> Result {
    try animations.showing(self, body)
  }

  /// Forgets animations that have ended, and notifies delegates, as happens by itself on the main thread.
  package func settleAnimations() { animations.settle() }

  /// Has the layer and all in it shown at times of a movie: their animations neither end nor move by the host's clock any more.
  ///
  /// - Parameter time: The one that is shown until another is, in seconds.
  package func joinMovie(at time: CFTimeInterval = 0) {
    animations.joinMovie(at: time)
    mask?.joinMovie(at: time)
    for layer in sublayers ?? [] { layer.joinMovie(at: time) }
  }

  /// Draws the layer and all in it as it is at a time of a movie.
  ///
  /// - Parameters:
  ///   - context: In the layer's coordinates, whose y axis points up here, as a plain context's does; what layers show is upright.
  ///   - time: In seconds, from which the animations' `beginTime` counts.
  package func render(in context: CGContext, atMovieTime time: CFTimeInterval) {
    joinMovie(at: time)
    layoutIfNeeded()
    LayerRendering(context: context, isUpward: true).draw(self)
  }
}
