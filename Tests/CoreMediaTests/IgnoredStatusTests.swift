import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Testing

@Suite("Core Media: statuses of functions")
struct IgnoredStatusTests {
  @Test func `may be left unread, as those of C's functions, and the work is done all the same`() throws {
    var pixels: CVPixelBuffer?
    CVPixelBufferCreate(nil, 16, 8, kCVPixelFormatType_32BGRA, nil, &pixels)
    let buffer = try #require(pixels)
    var format: CMVideoFormatDescription?
    CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: buffer, formatDescriptionOut: &format)
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(value: 3, timescale: 30), decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    CMSampleBufferCreateReadyWithImageBuffer(
      allocator: nil, imageBuffer: buffer, formatDescription: try #require(format), sampleTiming: &timing,
      sampleBufferOut: &sample)
    let made = try #require(sample)
    CMSampleBufferSetOutputPresentationTimeStamp(made, newValue: CMTime(value: 6, timescale: 30))
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(made) == CMTime(value: 6, timescale: 30))
    var timebase: CMTimebase?
    CMTimebaseCreateWithSourceClock(
      allocator: nil, sourceClock: CMClockGetHostTimeClock(), timebaseOut: &timebase)
    let own = try #require(timebase)
    CMTimebaseSetTime(own, time: CMTime(value: 5, timescale: 1))
    #expect(CMTimebaseGetTime(own) == CMTime(value: 5, timescale: 1))
    CMSampleBufferInvalidate(made)
    #expect(!CMSampleBufferIsValid(made))
  }
}
