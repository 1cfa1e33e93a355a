internal import Linux

/// The painter of a camera's latest still, kept because its static picture is expensive.
///
/// Thread-safe.
final class StillPainters: Sendable {
  private let model: SimulatedDeviceModel
  private let world: SimulatedWorld
  private let kept = Locked<(key: PainterKey, painter: FramePainter)?>(nil)

  init(model: SimulatedDeviceModel, world: SimulatedWorld) {
    self.model = model
    self.world = world
  }

  /// The painter of stills of this shape.
  ///
  /// - Parameter isKept: Whether it serves the next still, too; one of 48 megapixels would hold 73 MB until then.
  func painter(_ key: PainterKey, isKept: Bool = true) -> FramePainter {
    if let kept = kept.withLock({ $0 }), kept.key == key { return kept.painter }
    let painter = FramePainter(key, model: model, world: world)
    guard isKept else { return painter }
    // One size at a time is what clients use; more would hold 18 MB each.
    let former = kept.withLock { kept in
      defer { kept = (key, painter) }
      return kept
    }
    withExtendedLifetime(former) {}
    return painter
  }
}
