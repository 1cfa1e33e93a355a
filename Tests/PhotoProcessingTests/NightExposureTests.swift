import CaptureDevice
import CoreVideo
import PhotoProcessing
import Testing

@Suite struct NightExposureTests {
  private let format = StreamFormat(
    size: FrameSize(width: 640, height: 480),
    encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange), frameDurations: [],
    exposureNanoseconds: 24_000...1_000_000_000, iso: 32...3072)

  private func controls(_ offset: Float, iso: Float = 3072) -> ControlState {
    var controls = ControlState()
    controls.exposure = FrameExposure(durationNanoseconds: 33_333_333, iso: iso)
    controls.exposureOffset = offset
    return controls
  }

  @Test func `the shutter gives what it can, and the rest stays with the ISO`() throws {
    let dim = try #require(NightExposure(controls(-2.5), format))
    #expect(dim.durationNanoseconds > 180_000_000 && dim.durationNanoseconds < 190_000_000)
    #expect(abs(dim.iso - 3072) < 1)
    let dark = try #require(NightExposure(controls(-5), format))
    #expect(dark.durationNanoseconds == NightExposure.longestNanoseconds && dark.iso == 3072)
    let sensitive = try #require(NightExposure(controls(-4, iso: 800), format))
    #expect(abs(Double(sensitive.iso) * 0.25 - 800.0 / 30 * 16) < 5)
  }

  @Test func `where frames of the stream serve there is none`() {
    #expect(NightExposure(controls(-2.4), format) == nil)
    #expect(NightExposure(controls(1), format) == nil)
    var boosted = controls(-4)
    boosted.isLowLightBoosted = true
    #expect(NightExposure(boosted, format) == nil)
    var manual = controls(-4)
    manual.exposureMode = .custom
    #expect(NightExposure(manual, format) == nil)
    manual.exposureMode = .locked
    #expect(NightExposure(manual, format) == nil)
    #expect(
      NightExposure(
        controls(-4),
        StreamFormat(
          size: format.size, encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
          frameDurations: [])) == nil)
  }

  @Test func `a client's longest exposure is kept, and a gain of less than a stop is not worth the wait`()
    throws
  {
    var bounded = controls(-4)
    bounded.longestExposure = 100_000_000
    #expect(try #require(NightExposure(bounded, format)).durationNanoseconds == 100_000_000)
    bounded.longestExposure = 50_000_000
    #expect(NightExposure(bounded, format) == nil)
  }
}
