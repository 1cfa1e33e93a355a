import Foundation
import PeopleFinding
import Testing

@Suite("The angles of a face")
struct FoundFaceTests {
  /// The points of a head, in millimetres: across to the picture's right, down, and towards the camera, from between the ears.
  ///
  /// In a picture a person's right is to the left.
  private static let head: [(x: Double, y: Double, z: Double)] = [
    (-32, -35, 85), (32, -35, 85), (0, 0, 125), (0, 40, 95), (-72.5, -20, 0), (72.5, -20, 0),
  ]

  /// The detection of the head, turned to the picture's left by `yaw` and then tilted clockwise by `roll`.
  private func detection(yaw: Double, roll: Double, at center: CGPoint = CGPoint(x: 400, y: 300)) -> Detection
  {
    let (turn, tilt) = (yaw * .pi / 180, roll * .pi / 180)
    let points = Self.head.map { point in
      let x = point.x * cos(turn) - point.z * sin(turn)
      return CGPoint(
        x: center.x + x * cos(tilt) - point.y * sin(tilt), y: center.y + x * sin(tilt) + point.y * cos(tilt))
    }
    return Detection(
      box: CGRect(x: center.x - 80, y: center.y - 80, width: 160, height: 160), points: points, score: 0.9)
  }

  @Test(arguments: [0.0, 30, 90, 179, 181, 270, 330])
  func `roll grows clockwise`(roll: Double) throws {
    let face = try #require(FoundFace(detection(yaw: 0, roll: roll)))
    #expect(abs(face.rollDegrees - roll) < 0.01)
    let yaw = try #require(face.yawDegrees)
    #expect(abs(yaw) < 0.01 || abs(yaw - 360) < 0.01)
  }

  @Test(arguments: [-80.0, -45, -20, 0, 15, 45, 75], [0.0, 40, 300])
  func `yaw is positive towards the picture's left, however the face is tilted`(yaw: Double, roll: Double)
    throws
  {
    let face = try #require(FoundFace(detection(yaw: yaw, roll: roll)))
    let reported = try #require(face.yawDegrees)
    #expect(abs((reported > 180 ? reported - 360 : reported) - yaw) < 1)
    #expect((0..<360).contains(reported))
    #expect(abs(face.rollDegrees - roll) < 0.01)
  }

  @Test func `points that lie together give no yaw, and too few no face`() throws {
    var flat = detection(yaw: 0, roll: 0)
    flat.points = Array(repeating: CGPoint(x: 400, y: 300), count: 6)
    #expect(try #require(FoundFace(flat)).yawDegrees == nil)
    flat.points.removeLast()
    #expect(FoundFace(flat) == nil)
  }
}
