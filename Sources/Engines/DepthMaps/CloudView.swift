internal import simd
internal import Foundation

/// The way in which a point cloud is looked at: turned around a point before the camera, nearer or farther, and moved in the picture.
public struct CloudView: Sendable, Hashable {
  /// Radians by which the cloud's right side turns away, around an axis that stands upright.
  public var yaw: Float = 0
  /// Radians by which its upper side turns away, around a level axis.
  public var pitch: Float = 0
  /// Radians clockwise around the line of sight.
  public var roll: Float = 0
  /// How many times nearer the viewer is to the point than the camera was, greater than 0.
  public var zoom: Float = 1
  /// How far the cloud is moved to the right and down, in heights of the picture.
  public var shift: SIMD2<Float> = .zero
  /// The metres from the camera, straight ahead, to the point around which it turns.
  public var pivot: Float

  /// The view of the camera itself.
  public init(pivot: Float) {
    self.pivot = pivot
  }

  /// The turn: first around the upright axis, then the level one, then the line of sight.
  var turn: matrix_float3x3 {
    let (a, b, c) = (yaw, pitch, roll)
    let upright = matrix_float3x3(
      columns: (
        simd_float3(cos(a), 0, sin(a)), simd_float3(0, 1, 0), simd_float3(-sin(a), 0, cos(a))
      ))
    let level = matrix_float3x3(
      columns: (
        simd_float3(1, 0, 0), simd_float3(0, cos(b), -sin(b)), simd_float3(0, sin(b), cos(b))
      ))
    let sight = matrix_float3x3(
      columns: (
        simd_float3(cos(c), sin(c), 0), simd_float3(-sin(c), cos(c), 0), simd_float3(0, 0, 1)
      ))
    return sight * (level * upright)
  }

  /// Where the view's picture shows a position, in pixels, and how many metres before the viewer it is.
  ///
  /// - Parameter focal: Pixels for a slope of 1.
  public func place(
    x: Float, y: Float, z: Float, focal: Float, width: Int, height: Int
  ) -> (x: Float, y: Float, distance: Float) {
    let turned = turn * simd_float3(x, y, z - pivot)
    let distance = turned.z + pivot / zoom
    let middle = SIMD2(Float(width), Float(height)) / 2 + shift * Float(height)
    return (
      middle.x + turned.x / distance * focal, middle.y + turned.y / distance * focal, distance
    )
  }
}
