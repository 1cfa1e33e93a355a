import CoreMedia
import Foundation
import FoundationExtras
import Testing

/// Each status is seen to come from the function that finds the mistake out.
@Suite("Core Media's functions: what a sample buffer refuses")
struct SampleStatusTests {
  private static let timing = CMSampleTimingInfo(
    duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)

  private func block(_ count: Int) -> CMBlockBuffer {
    [UInt8](repeating: 1, count: count).withUnsafeBytes { CMBlockBuffer(copying: $0) }
  }

  private func made(
    _ sample: inout CMSampleBuffer?, data: CMBlockBuffer?, isReady: Bool = true,
    format: CMFormatDescription? = nil, count: Int = 2, timings: [CMSampleTimingInfo] = [timing],
    sizes: [Int] = [4]
  ) -> OSStatus {
    CMSampleBufferCreate(
      allocator: nil, dataBuffer: data, dataReady: isReady, makeDataReadyCallback: nil, refcon: nil,
      formatDescription: format, sampleCount: count, sampleTimingEntryCount: timings.count,
      sampleTimingArray: timings, sampleSizeEntryCount: sizes.count, sampleSizeArray: sizes,
      sampleBufferOut: &sample)
  }

  private func audio(isInterleaved: Bool) throws -> CMAudioFormatDescription {
    let separate = isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved
    var stereo = AudioStreamBasicDescription(
      mSampleRate: 48000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | separate,
      mBytesPerPacket: isInterleaved ? 4 : 2, mFramesPerPacket: 1, mBytesPerFrame: isInterleaved ? 4 : 2,
      mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)
    var format: CMAudioFormatDescription?
    #expect(
      CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &stereo, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
        extensions: nil, formatDescriptionOut: &format) == noErr)
    return try #require(format)
  }

  @Test func `as many times and sizes are given as there are samples, or one for all`() {
    var sample: CMSampleBuffer?
    let two = [Self.timing, Self.timing]
    #expect(
      made(&sample, data: block(16), count: 4, timings: two) == kCMSampleBufferError_InvalidEntryCount)
    #expect(sample == nil)
    #expect(
      made(&sample, data: block(16), count: 4, sizes: [4, 4, 4]) == kCMSampleBufferError_InvalidEntryCount)
    #expect(made(&sample, data: block(16), count: 4) == noErr && sample?.numSamples == 4)
  }

  @Test func `a question for what is not there says so`() throws {
    var (whole, bare): (CMSampleBuffer?, CMSampleBuffer?)
    #expect(made(&whole, data: block(8), timings: [Self.timing, Self.timing]) == noErr)
    #expect(made(&bare, data: block(8), timings: [], sizes: []) == noErr)
    let (sample, empty) = (try #require(whole), try #require(bare))
    var timing = CMSampleTimingInfo()
    #expect(
      CMSampleBufferGetSampleTimingInfo(sample, at: 2, timingInfoOut: &timing)
        == kCMSampleBufferError_SampleIndexOutOfRange)
    #expect(
      CMSampleBufferGetSampleTimingInfo(empty, at: 0, timingInfoOut: &timing)
        == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
    var needed = 0
    #expect(
      CMSampleBufferGetSampleSizeArray(empty, entryCount: 0, arrayToFill: nil, entriesNeededOut: &needed)
        == kCMSampleBufferError_BufferHasNoSampleSizes)
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(
        sample, entryCount: 1, arrayToFill: &timing, entriesNeededOut: &needed)
        == kCMSampleBufferError_ArrayTooSmall)
    #expect(needed == 2)
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: nil)
        == kCMSampleBufferError_RequiredParameterMissing)
    #expect(
      CMSampleBufferGetAudioStreamPacketDescriptions(
        sample, entryCount: 0, packetDescriptionsOut: nil, entriesNeededOut: &needed)
        == kCMSampleBufferError_InvalidMediaTypeForOperation)
  }

  @Test func `data comes once, or fails, and is gone when the sample buffer is invalidated`() throws {
    var (later, full): (CMSampleBuffer?, CMSampleBuffer?)
    #expect(made(&later, data: nil, isReady: false) == noErr)
    #expect(made(&full, data: block(8)) == noErr)
    let (waiting, sample) = (try #require(later), try #require(full))
    #expect(CMSampleBufferMakeDataReady(waiting) == kCMSampleBufferError_BufferNotReady)
    #expect(CMSampleBufferSetDataFailed(waiting, status: -7) == noErr)
    #expect(CMSampleBufferMakeDataReady(waiting) == kCMSampleBufferError_DataFailed)
    #expect(
      CMSampleBufferSetDataBuffer(sample, newValue: block(8)) == kCMSampleBufferError_AlreadyHasDataBuffer)
    #expect(CMSampleBufferInvalidate(sample) == noErr)
    #expect(CMSampleBufferInvalidate(sample) == kCMSampleBufferError_Invalidated)
    var copy: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copy)
        == kCMSampleBufferError_Invalidated)
    #expect(copy == nil)
  }

  @Test func `audio is made of audio, and channels that lie apart are not cut`() throws {
    var (picture, apart): (CMVideoFormatDescription?, CMSampleBuffer?)
    #expect(
      CMVideoFormatDescriptionCreate(
        allocator: nil, codecType: kCMVideoCodecType_H264, width: 64, height: 48, extensions: nil,
        formatDescriptionOut: &picture) == noErr)
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: block(8), formatDescription: try #require(picture), sampleCount: 2,
        presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &apart)
        == kCMSampleBufferError_InvalidMediaFormat)
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: block(8), formatDescription: try audio(isInterleaved: false),
        sampleCount: 2, presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &apart)
        == noErr)
    var part: CMSampleBuffer?
    let range = CFRange(location: 0, length: 1)
    #expect(
      CMSampleBufferCopySampleBufferForRange(
        allocator: nil, sampleBuffer: try #require(apart), sampleRange: range, sampleBufferOut: &part)
        == kCMSampleBufferError_CannotSubdivide)
    var together: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: block(8), formatDescription: try audio(isInterleaved: true),
        sampleCount: 2, presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &together)
        == noErr)
    #expect(
      CMSampleBufferCopySampleBufferForRange(
        allocator: nil, sampleBuffer: try #require(together), sampleRange: range, sampleBufferOut: &part)
        == noErr)
    #expect(part?.numSamples == 1)
  }
}
