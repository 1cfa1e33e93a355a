import CameraModel
import GTKKit

/// The hands on the points in space: a drag turns, with the right button or Shift it moves, wheel and two fingers come nearer, two
/// fingers also turn and move.
@MainActor
final class CloudHands {
  private let model: CameraModel
  private let canvas: Canvas
  private var last = (across: 0.0, down: 0.0)
  private var fingers = (scale: 1.0, angle: 0.0, x: 0.0, y: 0.0)

  init(_ model: CameraModel, on canvas: Canvas) {
    self.model = model
    self.canvas = canvas
    canvas.onAnyDrag { [self] in
      last = (0, 0)
      return isUsed
    } move: { [self] across, down, isOther in
      let step = (across: (across - last.across) / height, down: (down - last.down) / height)
      last = (across, down)
      if isOther {
        model.moveCloud(across: step.across, down: step.down)
      } else {
        model.turnCloud(across: step.across, down: step.down)
      }
    }
    canvas.onTwoFingers { [self] scale, angle, x, y, isFirst in
      defer { fingers = (scale, angle, x, y) }
      guard isUsed, !isFirst else { return }
      model.zoomCloud(by: scale / max(fingers.scale, 0.01))
      model.rollCloud(by: angle - fingers.angle)
      model.moveCloud(across: (x - fingers.x) / height, down: (y - fingers.y) / height)
    }
  }

  private var isUsed: Bool { model.state.value.mode == .depth && model.state.value.depth.showsCloud }

  private var height: Double { max(Double(canvas.size.height), 1) }
}
