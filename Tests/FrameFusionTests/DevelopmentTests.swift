import CoreVideo
import FoundationExtras
import FrameFusion
import SeededNumbers
import Testing

@Suite("Developing a fused picture")
struct DevelopmentTests {
  private func options(_ development: Development) -> FusionOptions {
    FusionOptions(referenceCandidates: [0], development: development)
  }

  @Test("Takes noise from a single frame, of colour more than of luma")
  func one() throws {
    let burst = TestBurst()
    let frames = burst.frames(1, seed: 1)
    let light = try FrameFuser(threads: 1).fuse(frames, options: options(.light))
    #expect(light.mergedCount == 1)
    let luma = burst.error(light.picture) / burst.error(frames[0])
    let chroma = burst.error(light.picture, plane: 1) / burst.error(frames[0], plane: 1)
    #expect(luma < 0.65, "\(luma)")
    #expect(chroma < 0.35, "\(chroma)")
    #expect(chroma < luma)
  }

  @Test("Takes what merging left", arguments: [3, 8])
  func rest(count: Int) throws {
    let burst = TestBurst()
    let frames = burst.frames(count, seed: 2)
    let merged = try FrameFuser(threads: 1).fuse(frames, options: options(.none))
    let smooth = try FrameFuser(threads: 1).fuse(
      frames, options: options(Development(denoising: 0.6, chromaDenoising: 1, sharpening: 0)))
    #expect(burst.error(smooth.picture) < burst.error(merged.picture))
    #expect(burst.error(smooth.picture, plane: 1) < burst.error(merged.picture, plane: 1))
  }

  @Test("Keeps an edge, and makes it steeper where asked to")
  func edge() throws {
    let burst = TestBurst(width: 96, height: 64)
    func frame() -> CVPixelBuffer {
      burst.filled { x, _ in
        (x < 46 ? 60 : x > 50 ? 180 : 60 + 20 * Double(x - 45), { 128 }, { 128 })
      }
    }
    let frames = [frame(), frame()]
    func steepness(_ development: Development) throws -> Double {
      let picture = try FrameFuser(threads: 1).fuse(frames, options: options(development)).picture
      CVPixelBufferLockBaseAddress(picture, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
      return burst.sample(picture, plane: 0, 50, 32) - burst.sample(picture, plane: 0, 46, 32)
    }
    let plain = try steepness(.none)
    #expect(try steepness(Development(denoising: 1, chromaDenoising: 1, sharpening: 0)) > 0.95 * plain)
    #expect(try steepness(Development(denoising: 0, chromaDenoising: 0, sharpening: 1)) > plain + 2)
  }

  @Test("Gives the same bytes with one thread and with more, in every depth")
  func deterministic() throws {
    for format in [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    ] {
      let burst = TestBurst(width: 301, height: 137, format: format)
      let frames = burst.frames(2, seed: 3)
      let one = try FrameFuser(threads: 1).fuse(frames)
      let three = try FrameFuser(threads: 3).fuse(frames)
      #expect(TestBurst.bytes(one.picture) == TestBurst.bytes(three.picture))
    }
  }

  @Test("A flat picture stays as it is")
  func flat() throws {
    let burst = TestBurst(width: 80, height: 70)
    let frame = burst.filled { _, _ in (200, { 90 }, { 140 }) }
    let fused = try FrameFuser(threads: 1).fuse([frame], options: options(.standard))
    #expect(TestBurst.bytes(fused.picture) == TestBurst.bytes(frame))
  }
}
