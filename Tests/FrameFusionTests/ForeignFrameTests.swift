import CoreVideo
import FoundationExtras
import FrameFusion
import SeededNumbers
import Testing

@Suite("A frame that does not belong to the burst")
struct ForeignFrameTests {
  enum Foreign: CaseIterable {
    case lensCap, flash, otherScene, otherExposure, nothingButNoise
  }

  private func foreign(_ kind: Foreign, _ burst: TestBurst) -> CVPixelBuffer {
    let generator = SeededGenerator(usual: 900)
    switch kind {
    case .lensCap:
      var dark = generator
      return burst.filled { _, _ in (Double(dark.next() % 4), { 128 }, { 128 }) }
    case .flash: return burst.frame(with: generator, gain: 1.6)
    case .otherExposure: return burst.frame(with: generator, gain: 0.85)
    case .otherScene: return burst.frame(shift: (1000, 700), with: generator)
    case .nothingButNoise:
      var wild = generator
      return burst.filled { _, _ in (Double(wild.next() % 256), { 128 }, { 128 }) }
    }
  }

  @Test("Changes no byte", arguments: Foreign.allCases)
  func absent(kind: Foreign) throws {
    let burst = TestBurst()
    let frames = burst.frames(4, seed: 7)
    let without = try FrameFuser(threads: 1).fuse(frames)
    let place = [1, 4, 2, 3, 2][Foreign.allCases.firstIndex(of: kind) ?? 0]
    let with = try FrameFuser(threads: 1).fuse(
      Array(frames[..<place]) + [foreign(kind, burst)] + Array(frames[place...]))
    #expect(without.mergedCount == 4)
    #expect(with.mergedCount == 4)
    #expect(TestBurst.bytes(with.picture) == TestBurst.bytes(without.picture))
  }

  @Test("Is not what the picture shows, even where it comes first")
  func first() throws {
    let burst = TestBurst()
    let frames = burst.frames(4, seed: 8)
    let fused = try FrameFuser(threads: 1).fuse([foreign(.lensCap, burst)] + frames)
    #expect(fused.reference != 0)
    #expect(fused.mergedCount == 4)
  }

  @Test("By its exposure is left out, however alike it looks")
  func exposure() throws {
    let burst = TestBurst()
    let frames = burst.frames(3, seed: 9)
    let fused = try FrameFuser(threads: 1).fuse(
      frames, options: FusionOptions(referenceCandidates: [0], exposures: [1, 1.5, 1.02]))
    #expect(fused.mergedCount == 2)
  }
}
