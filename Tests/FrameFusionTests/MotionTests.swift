import CoreVideo
import FoundationExtras
import FrameFusion
import SeededNumbers
import Testing

@Suite("What moves in a burst")
struct MotionTests {
  private let options = FusionOptions(referenceCandidates: [0], development: .none)

  @Test("Is in no tile worse than in the single frame", arguments: [UInt64(1), 2, 3])
  func patch(seed: UInt64) throws {
    var burst = TestBurst(width: 192, height: 160, patch: (70, 70))
    let frames = (0..<8).map { index in
      var moving = burst
      moving.patch = (70 + 6.3 * Double(index), 70 - 4.1 * Double(index))
      return moving.frame(
        shift: TestBurst.shifts[index], with: SeededGenerator(usual: seed &* 977 &+ UInt64(index)))
    }
    burst.patch = (70, 70)
    let fused = try FrameFuser(threads: 1).fuse(frames, options: options)
    for y in stride(from: 0, to: 160, by: 16) {
      for x in stride(from: 0, to: 192, by: 16) {
        let now = burst.error(fused.picture, x: x..<x + 16, y: y..<y + 16)
        let before = burst.error(frames[0], x: x..<x + 16, y: y..<y + 16)
        #expect(now < before * 1.02, "tile at \(x), \(y): \(now) and \(before)")
      }
    }
    // The patch itself is followed.
    let inside = burst.error(fused.picture, x: 56..<84, y: 56..<84)
    #expect(inside < burst.error(frames[0], x: 56..<84, y: 56..<84) * 0.7)
  }

  @Test("A camera that turns a little is followed")
  func turning() throws {
    let burst = TestBurst(width: 240, height: 192, noise: 5)
    let frames = (0..<5).map { index -> CVPixelBuffer in
      var generator = SeededGenerator(usual: 50 + UInt64(index))
      let angle = 0.004 * Double(index)
      return burst.filled { x, y in
        let (u, v) = (Double(x) - 120, Double(y) - 96)
        let value = burst.luma(120 + u + angle * v, 96 + v - angle * u)
        let noise = Double(generator.next() % 1000) / 1000 - 0.5
        return (value + 17 * noise, { 128 }, { 128 })
      }
    }
    let fused = try FrameFuser(threads: 1).fuse(frames, options: options)
    #expect(fused.mergedCount == 5)
    #expect(burst.error(fused.picture) < burst.error(frames[0]) * 0.3)
  }
}
