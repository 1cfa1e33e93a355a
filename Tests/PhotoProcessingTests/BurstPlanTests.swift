import CaptureDevice
import Linux
import PhotoProcessing
import Testing

@Suite struct BurstPlanTests {
  private func controls(iso: Float?) -> ControlState {
    var controls = ControlState()
    controls.exposure = FrameExposure(iso: iso)
    return controls
  }

  private let size = FrameSize(width: 4032, height: 3024)

  @Test(arguments: [(PhotoPrioritization.speed, 1), (.balanced, 3), (.quality, 8)])
  func `in little light a photo has the frames of its quality, in good light one`(
    quality: PhotoPrioritization, count: Int
  ) {
    func frames(_ iso: Float?) -> Int {
      BurstPlan.frames(for: quality, controls(iso: iso), size: size, availableBytes: nil)
    }
    #expect(frames(800) == count && frames(400) == count)
    #expect(frames(399) == 1 && frames(50) == 1)
    // Most webcams do not say what they do.
    #expect(frames(nil) == (quality == .quality ? 8 : 1))
  }

  @Test func `it has fewer where the camera cannot spare them or memory is short, and at least one`() {
    let dim = controls(iso: 1600)
    #expect(BurstPlan.frames(for: .quality, dim, size: size, bound: 3, availableBytes: nil) == 3)
    // A quarter of 300 MB is four pictures of 12 megapixels, one of which is the result.
    #expect(BurstPlan.frames(for: .quality, dim, size: size, availableBytes: 300 << 20) == 3)
    #expect(BurstPlan.frames(for: .quality, dim, size: size, availableBytes: 1 << 20) == 1)
    #expect(BurstPlan.frames(for: .quality, dim, size: size, availableBytes: 8 << 30) == 8)
  }

  @Test func `three bursts are under way at once where a quarter of the memory holds them`() {
    // Three times nine pictures of 18.3 MB.
    #expect(BurstPlan.canOverlap(frames: 8, size: size, availableBytes: 2 << 30))
    #expect(!BurstPlan.canOverlap(frames: 8, size: size, availableBytes: 1 << 30))
    #expect(!BurstPlan.canOverlap(frames: 8, size: size, availableBytes: nil))
  }

  @Test func `the memory that programs can have is read from the kernel's table`() throws {
    #expect(
      SystemMemory.availableBytes(in: "MemTotal: 8000000 kB\nMemFree: 100 kB\nMemAvailable:    2048 kB\n")
        == 2 << 20)
    #expect(SystemMemory.availableBytes(in: "MemTotal: 8000000 kB\n") == nil)
    #expect(try #require(SystemMemory.availableBytes) > 1 << 20)
  }
}
