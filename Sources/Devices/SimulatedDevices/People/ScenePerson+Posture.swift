internal import Foundation

extension ScenePerson {
  /// How long arms and head take from one place to the next, in seconds.
  static let ease = 0.3
  /// How long a blink takes.
  private static let blinkSeconds = 0.18

  /// The figure at `seconds` since the device started.
  func posture(at seconds: Double) -> PersonFigure.Posture {
    var posture = PersonFigure.Posture()
    let (right, left) = arms(at: seconds, before: poses.count)
    posture.right = right.waved(at: seconds)
    posture.left = left.waved(at: seconds)
    let (turn, nod) = heading(at: seconds, before: turns.count)
    (posture.turn, posture.nod) = (Float(turn), Float(nod))
    posture.open = Float(1 - blink(at: seconds))
    if isIdle { rest(&posture, seconds) }
    return posture
  }

  private static func eased(_ seconds: Double) -> Double {
    let share = min(max(seconds / ease, 0), 1)
    return share * share * (3 - 2 * share)
  }

  /// The arms under the changes that come before number `end`.
  private func arms(at seconds: Double, before end: Int) -> (right: ArmPose, left: ArmPose) {
    guard let index = poses[..<end].lastIndex(where: { $0.at <= seconds }) else { return pose.arms }
    let (change, next) = (poses[index], poses[index].pose.arms)
    guard seconds - change.at < Self.ease else { return next }
    let start = arms(at: change.at, before: index)
    let share = Float(Self.eased(seconds - change.at))
    return (start.right.mixed(with: next.right, share), start.left.mixed(with: next.left, share))
  }

  /// The direction of the head under the turns that come before number `end`.
  private func heading(at seconds: Double, before end: Int) -> (turn: Double, nod: Double) {
    guard let index = turns[..<end].lastIndex(where: { $0.at <= seconds }) else { return (0, 0) }
    let next = turns[index]
    guard seconds - next.at < Self.ease else { return (next.turn, next.nod) }
    let start = heading(at: next.at, before: index)
    let share = Self.eased(seconds - next.at)
    return (start.turn + (next.turn - start.turn) * share, start.nod + (next.nod - start.nod) * share)
  }

  /// How far the eyes are closed.
  private func blink(at seconds: Double) -> Double {
    func closed(_ start: Double) -> Double {
      let share = (seconds - start) / Self.blinkSeconds
      return share > 0 && share < 1 ? sin(share * .pi) : 0
    }
    if let blinks { return blinks.map(closed).max() ?? 0 }
    guard isIdle, seconds >= 0 else { return 0 }
    // One in each four seconds.
    let period = 4.0
    let slot = (seconds / period).rounded(.down)
    let start = chance("blink", slot) * (period - Self.blinkSeconds)
    return closed(slot * period + start)
  }

  private func chance(_ what: String, _ index: Double) -> Double {
    Chance(look.seed, what, UInt64(max(index, 0))).fraction
  }

  private func rest(_ posture: inout PersonFigure.Posture, _ seconds: Double) {
    func wave(_ period: Double, _ what: String) -> Float {
      Float(sin(2 * .pi * (seconds / period + chance(what, 0))))
    }
    posture.turn += 2.2 * wave(7.3, "turn") + 0.9 * wave(3.1, "turn quickly")
    posture.nod += 1.1 * wave(5.9, "nod") + 0.5 * wave(2.7, "nod quickly")
    posture.lean = 0.004 * wave(6.7, "lean")
    posture.breath = 0.0025 * wave(3.9, "breath")
    // The eyes rest on one place after another.
    let glance = (seconds / 1.7).rounded(.down)
    let look = SIMD2(chance("look x", glance) - 0.5, chance("look y", glance) - 0.5)
    posture.gaze = SIMD2<Float>(look) * SIMD2(0.0030, 0.0012)
  }
}

extension ArmPose {
  /// The pose with its hand swung to one side, as at `seconds` of a wave.
  fileprivate func waved(at seconds: Double) -> ArmPose {
    guard swing != 0 else { return self }
    var pose = self
    let phase = Float(sin(2 * .pi * 1.5 * seconds))
    pose.roll += swing * phase
    pose.wrist.x += swing * phase * 0.0012
    return pose
  }
}
