import DepthMaps
import Foundation

/// The pose of the point cloud before the viewer: what hands have turned, moved and brought nearer.
package struct CloudPose: Sendable, Equatable {
  /// Radians around the upright axis, the level one and the line of sight; see ``CloudView``.
  package var yaw = 0.0
  package var pitch = 0.0
  package var roll = 0.0
  /// How many times nearer it is than the camera saw it.
  package var zoom = 1.0
  /// How far it is moved to the right and down, in heights of the picture.
  package var shift = CGPoint.zero

  /// The factors that ``zoom`` may have: the viewer does not come to the point around which the cloud turns.
  package static let zooms = 0.25...8.0
  /// A drag over the picture's height turns by so many radians.
  static let turnPerHeight = 2.4
  /// The cloud is not turned upside down by the hand.
  static let steepest = 1.4
  /// A sway goes round once in so many seconds, and so many radians to each side.
  static let sway = (seconds: 7.0, yaw: 0.22, pitch: 0.1)

  /// The camera's own view.
  package init() {}

  /// Turns the cloud as a hand on its front does, by fractions of the picture's height.
  mutating func turn(across: Double, down: Double) {
    yaw += across * Self.turnPerHeight
    pitch = min(max(pitch - down * Self.turnPerHeight, -Self.steepest), Self.steepest)
  }

  /// Moves the cloud in the picture, by fractions of its height; it does not leave the picture.
  mutating func move(across: Double, down: Double) {
    shift.x = min(max(shift.x + across, -1), 1)
    shift.y = min(max(shift.y + down, -1), 1)
  }

  /// Comes nearer by a factor.
  mutating func zoom(by factor: Double) {
    guard factor.isFinite, factor > 0 else { return }
    zoom = min(max(zoom * factor, Self.zooms.lowerBound), Self.zooms.upperBound)
  }

  /// The pose with what it sways at a time.
  func swaying(at seconds: Double) -> CloudPose {
    let angle = 2 * Double.pi * seconds / Self.sway.seconds
    var pose = self
    pose.yaw += Self.sway.yaw * sin(angle)
    pose.pitch += Self.sway.pitch * (1 - cos(angle)) / 2
    return pose
  }

  /// The view of a cloud that turns around a point so many metres ahead.
  func view(pivot: Float) -> CloudView {
    var view = CloudView(pivot: pivot)
    (view.yaw, view.pitch, view.roll) = (Float(yaw), Float(pitch), Float(roll))
    view.zoom = Float(zoom)
    view.shift = SIMD2(Float(shift.x), Float(shift.y))
    return view
  }
}
