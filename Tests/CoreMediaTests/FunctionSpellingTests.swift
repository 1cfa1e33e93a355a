import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Testing

/// Code that spells Core Media as C does.
@Suite("Core Media's functions")
struct FunctionSpellingTests {
  private static let moment = CMTime(value: 7, timescale: 30)
  private static let frame = CMTime(value: 1, timescale: 30)

  private func videoFormat() throws -> CMVideoFormatDescription {
    var format: CMVideoFormatDescription?
    #expect(
      CMVideoFormatDescriptionCreate(
        allocator: nil, codecType: kCMVideoCodecType_HEVC, width: 64, height: 48,
        extensions: ["Key": 1], formatDescriptionOut: &format) == noErr)
    return try #require(format)
  }

  private func block(_ bytes: [UInt8]) -> CMBlockBuffer {
    bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }
  }

  private func sample(_ bytes: [UInt8]) throws -> CMSampleBuffer {
    var timing = CMSampleTimingInfo()
    #expect(!timing.duration.isValid && !timing.presentationTimeStamp.isValid)
    timing = CMSampleTimingInfo(
      duration: Self.frame, presentationTimeStamp: Self.moment, decodeTimeStamp: .zero)
    var size = bytes.count
    var sample: CMSampleBuffer?
    let count: CMItemCount = 1
    #expect(
      CMSampleBufferCreate(
        allocator: nil, dataBuffer: block(bytes), dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: try videoFormat(), sampleCount: count, sampleTimingEntryCount: 1,
        sampleTimingArray: &timing, sampleSizeEntryCount: 1, sampleSizeArray: &size, sampleBufferOut: &sample)
        == noErr)
    return try #require(sample)
  }

  @Test func `a format says its codec, size and extensions`() throws {
    let format = try videoFormat()
    #expect(format.mediaType == .video && format.mediaSubType.rawValue == kCMVideoCodecType_HEVC)
    #expect(kCMVideoCodecType_H264 == CMFormatDescription.MediaSubType.h264.rawValue)
    #expect(CMFormatDescription.MediaType.video.rawValue == kCMMediaType_Video)
    #expect(CMFormatDescriptionGetExtensions(format)?["Key"] as? Int == 1)
  }

  @Test func `a sample says its times and sizes`() throws {
    let sample = try sample([1, 2, 3])
    #expect(CMSampleBufferIsValid(sample))
    #expect(CMSampleBufferGetPresentationTimeStamp(sample) == Self.moment)
    #expect(CMSampleBufferGetDecodeTimeStamp(sample) == .zero)
    #expect(CMSampleBufferGetDuration(sample) == Self.frame)
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(sample) == Self.moment)
    #expect(CMSampleBufferGetOutputDuration(sample) == Self.frame)
    #expect(CMSampleBufferGetSampleSize(sample, at: 0) == 3 && CMSampleBufferGetTotalSampleSize(sample) == 3)
    sample.attachments["Key"] = .shouldPropagate(1)
    #expect(CMGetAttachment(sample, key: "Key", attachmentModeOut: nil) as? Int == 1)
    let first = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)?.count
    #expect(first == 1)
    sample.sampleAttachments[0][.displayImmediately] = true
    #expect(
      sample.sampleAttachments[0][.init(rawValue: kCMSampleAttachmentKey_DisplayImmediately)] as? Bool == true
    )
  }

  @Test func `a copy has the times that were asked for`() throws {
    let sample = try sample([1, 2, 3])
    var timing = CMSampleTimingInfo(
      duration: Self.frame, presentationTimeStamp: CMTimeAdd(Self.moment, Self.frame),
      decodeTimeStamp: .invalid)
    var copy: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateCopyWithNewTiming(
        allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: CMItemCount(1),
        sampleTimingArray: &timing,
        sampleBufferOut: &copy) == noErr)
    let moved = try #require(copy)
    #expect(moved.presentationTimeStamp == CMTime(value: 8, timescale: 30))
    #expect(sample.presentationTimeStamp == Self.moment)
  }

  @Test func `a sample of a picture has the picture`() throws {
    var picture: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &picture)
    let image: CVImageBuffer = try #require(picture)
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: Self.moment, decodeTimeStamp: .invalid)
    let format = try CMVideoFormatDescription(imageBuffer: image)
    var sample: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateForImageBuffer(
        allocator: nil, imageBuffer: image, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: format, sampleTiming: &timing, sampleBufferOut: &sample) == noErr)
    #expect(sample?.imageBuffer === image && sample?.presentationTimeStamp == Self.moment)
    let described = try CMSampleBufferGetFormatDescription(#require(sample))
    #expect(described == format)
    var other: CMVideoFormatDescription?
    #expect(
      CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: nil, imageBuffer: image, formatDescriptionOut: &other) == noErr)
    #expect(other == format)
  }

  @Test func `bytes of a block are filled and replaced in place`() throws {
    let block = block([1, 2, 3, 4])
    #expect(
      CMBlockBufferFillDataBytes(with: 9, blockBuffer: block, offsetIntoDestination: 1, dataLength: 2)
        == noErr)
    #expect(
      CMBlockBufferReplaceDataBytes(with: [7], blockBuffer: block, offsetIntoDestination: 3, dataLength: 1)
        == noErr)
    #expect(try block.dataLength == 4 && Array(block.dataBytes()) == [1, 9, 9, 7])
  }

  @Test func `times and ranges are made from their parts`() {
    #expect(CMTIME_IS_NUMERIC(Self.moment) && !CMTIME_IS_NUMERIC(.positiveInfinity))
    #expect(Self.moment.flags == .valid && CMTime.invalid.flags == [])
    let range = CMTimeRangeFromTimeToTime(start: Self.moment, end: CMTime(value: 9, timescale: 30))
    #expect(range.start == Self.moment && range.duration == CMTime(value: 2, timescale: 30))
    let track: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    #expect(track == 0)
  }

  @Test func `a track of metadata is described by what it holds`() throws {
    let place: [String: Any] = [
      kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier as String: "mdta/my.words",
      kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType as String: kCMMetadataBaseDataType_UTF8,
    ]
    var format: CMMetadataFormatDescription?
    #expect(
      CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
        allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: [place],
        formatDescriptionOut: &format) == noErr)
    #expect(format?.identifiers == ["mdta/my.words"])
  }

  @Test func `each status of a sample buffer is the Swift error of that name`() {
    let pairs: [(OSStatus, NSError)] = [
      (kCMSampleBufferError_AllocationFailed, CMSampleBuffer.Error.allocationFailed),
      (kCMSampleBufferError_RequiredParameterMissing, CMSampleBuffer.Error.requiredParameterMissing),
      (kCMSampleBufferError_AlreadyHasDataBuffer, CMSampleBuffer.Error.alreadyHasDataBuffer),
      (kCMSampleBufferError_BufferNotReady, CMSampleBuffer.Error.bufferNotReady),
      (kCMSampleBufferError_SampleIndexOutOfRange, CMSampleBuffer.Error.sampleIndexOutOfRange),
      (kCMSampleBufferError_BufferHasNoSampleSizes, CMSampleBuffer.Error.bufferHasNoSampleSizes),
      (kCMSampleBufferError_BufferHasNoSampleTimingInfo, CMSampleBuffer.Error.bufferHasNoSampleTimingInfo),
      (kCMSampleBufferError_ArrayTooSmall, CMSampleBuffer.Error.arrayTooSmall),
      (kCMSampleBufferError_InvalidEntryCount, CMSampleBuffer.Error.invalidEntryCount),
      (kCMSampleBufferError_CannotSubdivide, CMSampleBuffer.Error.cannotSubdivide),
      (kCMSampleBufferError_SampleTimingInfoInvalid, CMSampleBuffer.Error.sampleTimingInfoInvalid),
      (kCMSampleBufferError_InvalidMediaTypeForOperation, CMSampleBuffer.Error.invalidMediaTypeForOperation),
      (kCMSampleBufferError_InvalidSampleData, CMSampleBuffer.Error.invalidSampleData),
      (kCMSampleBufferError_InvalidMediaFormat, CMSampleBuffer.Error.invalidMediaFormat),
      (kCMSampleBufferError_Invalidated, CMSampleBuffer.Error.invalidated),
      (kCMSampleBufferError_DataFailed, CMSampleBuffer.Error.dataFailed),
      (kCMSampleBufferError_DataCanceled, CMSampleBuffer.Error.dataCanceled),
    ]
    #expect(pairs.allSatisfy { $0.0 == OSStatus($0.1.code) } && Set(pairs.map(\.0)).count == pairs.count)
    #expect(kCMSampleBufferError_AllocationFailed == -12730 && kCMSampleBufferError_DataCanceled == -16751)
  }
}

/// The same for audio.
@Suite("Core Media's functions for audio")
struct AudioFunctionSpellingTests {
  private static let stereo = AudioStreamBasicDescription(
    mSampleRate: 48000, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
    mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)

  private func format() throws -> CMAudioFormatDescription {
    var format: CMAudioFormatDescription?
    var stereo = Self.stereo
    #expect(
      CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &stereo, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
        extensions: nil, formatDescriptionOut: &format) == noErr)
    return try #require(format)
  }

  @Test func `frames are copied into a list of buffers, and set from one`() throws {
    let format = try format()
    #expect(format.mediaType == .audio)
    let samples: [Int16] = [1, 2, 3, 4]
    var sample: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: samples.withUnsafeBytes { CMBlockBuffer(copying: $0) },
        formatDescription: format, sampleCount: 2, presentationTimeStamp: .zero, packetDescriptions: nil,
        sampleBufferOut: &sample) == noErr)
    var empty: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateWithPacketDescriptions(
        allocator: nil, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: format, sampleCount: 2, presentationTimeStamp: .zero, packetDescriptions: nil,
        sampleBufferOut: &empty) == noErr)
    let (full, target) = (try #require(sample), try #require(empty))
    var copied = [Int16](repeating: 0, count: 4)
    copied.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 8, mData: bytes.baseAddress))
      #expect(CMSampleBufferCopyPCMDataIntoAudioBufferList(full, at: 0, frameCount: 2, into: &list) == noErr)
      #expect(
        CMSampleBufferSetDataBufferFromAudioBufferList(
          target, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, bufferList: &list)
          == noErr)
    }
    #expect(copied == samples)
    #expect(try target.dataBuffer?.dataBytes() == full.dataBuffer?.dataBytes())
  }
}
