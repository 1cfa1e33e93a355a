import CoreVideo
import FoundationExtras
import FrameFusion
import SeededNumbers
import Testing

@Suite("Frames of any size and number")
struct InputTests {
  private let plain = FusionOptions(development: .none)

  @Test("One frame comes out as it went in, when nothing is developed")
  func one() throws {
    let frames = TestBurst(width: 70, height: 50).frames(1, seed: 1)
    let fused = try FrameFuser(threads: 1).fuse(frames, options: plain)
    #expect(fused.mergedCount == 1)
    #expect(TestBurst.bytes(fused.picture) == TestBurst.bytes(frames[0]))
  }

  @Test(
    "Odd and tiny sizes are served",
    arguments: [(1, 1), (2, 2), (3, 5), (17, 16), (33, 31), (1, 200), (97, 61)])
  func sizes(width: Int, height: Int) throws {
    for format in [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    ] {
      let burst = TestBurst(width: width, height: height, format: format)
      let frames = burst.frames(3, seed: 2)
      let fused = try FrameFuser(threads: 2).fuse(frames)
      #expect(CVPixelBufferGetWidth(fused.picture) == width)
      #expect(CVPixelBufferGetHeight(fused.picture) == height)
      #expect(burst.error(fused.picture) < burst.error(frames[fused.reference]) * 1.5 + 1)
    }
  }

  @Test("Equal frames without noise stay as they are")
  func still() throws {
    let burst = TestBurst(width: 96, height: 80)
    let frames = (0..<3).map { _ in burst.frame() }
    let fused = try FrameFuser(threads: 1).fuse(frames, options: plain)
    #expect(fused.mergedCount == 3)
    #expect(TestBurst.bytes(fused.picture) == TestBurst.bytes(frames[0]))
  }

  @Test("What cannot be fused is refused with a sentence")
  func errors() {
    let fuser = FrameFuser(threads: 1)
    let burst = TestBurst(width: 32, height: 32)
    #expect(throws: FusionError.noFrames) { try fuser.fuse([]) }
    #expect(throws: FusionError.noFrames) {
      try fuser.fuse(burst.frames(2, seed: 1), options: FusionOptions(referenceCandidates: [7]))
    }
    let larger = TestBurst(width: 34, height: 32).frames(1, seed: 1)
    #expect(throws: FusionError.framesDiffer(index: 2)) {
      try fuser.fuse(burst.frames(2, seed: 1) + larger)
    }
    var other = burst
    other.format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    #expect(throws: FusionError.framesDiffer(index: 1)) {
      try fuser.fuse(burst.frames(1, seed: 1) + other.frames(1, seed: 1))
    }
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_32BGRA, nil, &made)
    #expect(throws: FusionError.formatUnsupported(kCVPixelFormatType_32BGRA)) {
      try fuser.fuse([made].compactMap { $0 })
    }
    #expect(!FrameFuser.canFuse(kCVPixelFormatType_32BGRA))
    #expect(FusionError.formatUnsupported(kCVPixelFormatType_32BGRA).description.contains("BGRA"))
  }
}
