import CFusion
import CoreVideo
import FoundationExtras
import FrameFusion
import SeededNumbers
import Testing

@Suite("Fusing a burst")
struct NoiseTests {
  private let options = FusionOptions(referenceCandidates: [0], development: .none)

  @Test("Takes away noise as the mean of as many frames would")
  func falls() throws {
    let burst = TestBurst()
    let frames = burst.frames(8, seed: 1)
    let fused = try FrameFuser(threads: 1).fuse(frames, options: options)
    #expect(fused.mergedCount == 8)
    #expect(fused.reference == 0)
    // 1/8 is the mean's; the rest is interpolation and motion.
    #expect(burst.error(fused.picture) < burst.error(frames[0]) * 0.19)
    #expect(burst.error(fused.picture, plane: 1) < burst.error(frames[0], plane: 1) * 0.22)
    let four = try FrameFuser(threads: 1).fuse(Array(frames[..<4]), options: options)
    #expect(burst.error(four.picture) < burst.error(frames[0]) * 0.34)
    #expect(burst.error(fused.picture) < burst.error(four.picture))
  }

  @Test(
    "Serves every format of luma and chroma",
    arguments: [
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange,
      kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8,
      kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    ])
  func formats(format: OSType) throws {
    var burst = TestBurst(width: 128, height: 96, noise: 6)
    burst.format = format
    let frames = burst.frames(5, seed: 2)
    let fused = try FrameFuser(threads: 1).fuse(frames, options: options)
    #expect(CVPixelBufferGetPixelFormatType(fused.picture) == format)
    #expect(fused.mergedCount == 5)
    #expect(burst.error(fused.picture) < burst.error(frames[0]) * 0.32)
    #expect(burst.error(fused.picture, plane: 1) < burst.error(frames[0], plane: 1) * 0.35)
  }

  @Test("Learns how much noise there is")
  func noise() throws {
    let burst = TestBurst(noise: 6)
    let fused = try FrameFuser(threads: 1).fuse(burst.frames(6, seed: 3), options: options)
    let luma = fused.noise.luma[120]
    let chroma = fused.noise.chroma[120]
    #expect(luma > 25 && luma < 48, "\(luma)")
    #expect(chroma > 6 && chroma < 13, "\(chroma)")
  }

  @Test("Gives the same bytes with one thread and with more, and with the plain loops")
  func deterministic() throws {
    let burst = TestBurst(width: 200, height: 150, patch: (60, 60))
    let frames = burst.frames(5, seed: 4)
    let one = try FrameFuser(threads: 1).fuse(frames)
    let two = try FrameFuser(threads: 2).fuse(frames)
    let five = try FrameFuser(threads: 5).fuse(frames)
    #expect(TestBurst.bytes(one.picture) == TestBurst.bytes(two.picture))
    #expect(TestBurst.bytes(one.picture) == TestBurst.bytes(five.picture))
    #expect(one.noise == two.noise)
    _ = fusion_use_plain_loops(1)
    defer { _ = fusion_use_plain_loops(0) }
    let plain = try FrameFuser(threads: 1).fuse(frames)
    #expect(TestBurst.bytes(one.picture) == TestBurst.bytes(plain.picture))
  }

  @Test("Carries the reference's attachments over and leaves the frames alone")
  func attachments() throws {
    let burst = TestBurst(width: 64, height: 48)
    let frames = burst.frames(3, seed: 5)
    for frame in frames {
      CVBufferSetAttachment(
        frame, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
    }
    let before = TestBurst.bytes(frames[1])
    let fused = try FrameFuser(threads: 1).fuse(frames)
    #expect(
      CVBufferCopyAttachment(fused.picture, kCVImageBufferYCbCrMatrixKey, nil) as? String
        == kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    #expect(TestBurst.bytes(frames[1]) == before)
    #expect(frames.allSatisfy { $0 !== fused.picture })
  }

  @Test("Says where how many frames served")
  func weights() throws {
    var burst = TestBurst()
    var frames = burst.frames(4, seed: 6)
    burst.patch = (60, 60)
    frames[0] = burst.frame(with: SeededGenerator(usual: 60))
    let fused = try FrameFuser(threads: 1).fuse(
      frames, options: FusionOptions(referenceCandidates: [0], development: .none, wantsWeights: true))
    let map = try #require(fused.weights)
    #expect(map.columns == 10 && map.rows == 8 && map.values.count == 80)
    // The patch is in the reference alone.
    #expect(map.values[3 * 10 + 3] < 1.5)
    #expect(map.values[7 * 10 + 8] > 3.5)
  }
}
