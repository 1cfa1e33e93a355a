import DepthMaps
import Foundation
import Testing

@testable import CameraModel

@Suite struct `The pose of the points` {
  /// Where a point of the picture's middle, a tenth before the pivot, is shown in a picture of 100 × 100.
  private func front(_ pose: CloudPose) -> (x: Float, y: Float, distance: Float) {
    pose.view(pivot: 1).place(x: 0, y: 0, z: 0.9, focal: 100, width: 100, height: 100)
  }

  @Test func `the front of the points follows the hand`() {
    var pose = CloudPose()
    pose.turn(across: 0.2, down: 0)
    #expect(front(pose).x > 51 && abs(front(pose).y - 50) < 0.01)
    pose = CloudPose()
    pose.turn(across: 0, down: 0.2)
    #expect(front(pose).y > 51 && abs(front(pose).x - 50) < 0.01)
    pose = CloudPose()
    pose.move(across: 0.1, down: -0.2)
    #expect(abs(front(pose).x - 60) < 0.01 && abs(front(pose).y - 30) < 0.01)
  }

  @Test func `zoom, shift and steepness have ends`() {
    var pose = CloudPose()
    for _ in 0..<100 {
      pose.zoom(by: 2)
      pose.move(across: 1, down: -1)
      pose.turn(across: 0, down: 1)
    }
    #expect(pose.zoom == 8 && pose.shift == CGPoint(x: 1, y: -1) && pose.pitch == -CloudPose.steepest)
    pose.zoom(by: 0)
    pose.zoom(by: .nan)
    pose.zoom(by: -1)
    #expect(pose.zoom == 8)
    for _ in 0..<100 { pose.zoom(by: 0.5) }
    #expect(pose.zoom == 0.25)
  }

  @Test func `a sway begins at the pose, goes to both sides, and comes back`() {
    let pose = CloudPose()
    let seconds = CloudPose.sway.seconds
    #expect(pose.swaying(at: 0) == pose)
    #expect(pose.swaying(at: seconds / 4).yaw > 0.2 && pose.swaying(at: seconds * 3 / 4).yaw < -0.2)
    #expect(abs(pose.swaying(at: seconds).yaw) < 1e-9 && abs(pose.swaying(at: seconds).pitch) < 1e-9)
  }
}

@Suite struct `The range of depth colours` {
  @Test func `ends follow the scene slowly, and another scene at once`() {
    var range = DepthRange()
    #expect(range.take(1, 2) == (1, 2))
    let next = range.take(1.1, 2.2)
    #expect(next.near > 1 && next.near < 1.05 && next.far > 2 && next.far < 2.1)
    #expect(range.take(0.3, 9) == (0.3, 9))
    for _ in 0..<60 { _ = range.take(0.31, 9.1) }
    #expect(abs(range.take(0.31, 9.1).near - 0.31) < 0.001)
  }
}
