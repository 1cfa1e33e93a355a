import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Testing

private let timing = CMSampleTimingInfo(
  duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: 10, timescale: 30),
  decodeTimeStamp: .invalid)

/// `samples` samples of 2 bytes that hold their own number.
private func numbered(_ samples: Int, timings: [CMSampleTimingInfo] = [timing], sizes: [Int] = [2]) throws
  -> CMSampleBuffer
{
  let bytes = (0..<samples).flatMap { [UInt8($0), UInt8($0)] }
  let data = bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }
  return try CMSampleBuffer(
    dataBuffer: data, formatDescription: try CMFormatDescription(videoCodecType: .jpeg, width: 4, height: 4),
    numSamples: samples, sampleTimings: timings, sampleSizes: sizes)
}

@Suite struct `Sample buffers of pictures` {
  @Test func `both spellings make the same`() throws {
    let image = try pixelBuffer()
    let format = try CMFormatDescription(imageBuffer: image)
    var made: CMSampleBuffer?
    var info = timing
    let status = CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: image, formatDescription: format, sampleTiming: &info,
      sampleBufferOut: &made)
    #expect(status == noErr)
    let buffer = try #require(made)
    #expect(CMSampleBufferGetImageBuffer(buffer) === image)
    #expect(buffer.imageBuffer === image)
    #expect(buffer.dataBuffer == nil)
    #expect(buffer.formatDescription == format)
    #expect(buffer.presentationTimeStamp == timing.presentationTimeStamp)
    #expect(buffer.duration == timing.duration)
    #expect(!buffer.decodeTimeStamp.isValid)
    #expect(buffer.numSamples == 1)
    #expect(CMSampleBufferDataIsReady(buffer))
    #expect(buffer.isValid)
  }

  @Test func `a format that does not describe the picture is refused`() throws {
    let format = try CMFormatDescription(imageBuffer: pixelBuffer(4, 4))
    #expect(throws: CMSampleBuffer.Error.invalidMediaFormat) {
      try CMSampleBuffer(imageBuffer: pixelBuffer(8, 4), formatDescription: format, sampleTiming: timing)
    }
  }

  @Test func `a dropped frame says time and reason and has no picture`() throws {
    let format = try CMFormatDescription(imageBuffer: pixelBuffer())
    let buffer = CMSampleBuffer(picture: nil, formatDescription: format, timing: timing)
    CMSetAttachment(
      buffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason,
      value: kCMSampleBufferDroppedFrameReason_FrameWasLate, attachmentMode: kCMAttachmentMode_ShouldPropagate
    )
    #expect(buffer.imageBuffer == nil)
    #expect(buffer.presentationTimeStamp == timing.presentationTimeStamp)
    let reason = CMGetAttachment(
      buffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
    #expect(reason as? String == kCMSampleBufferDroppedFrameReason_FrameWasLate)
    #expect(buffer.attachments[.droppedFrameReason]?.value as? String == "FrameWasLate")
  }

  @Test func `the last reference lets the picture go`() throws {
    weak var image: CVPixelBuffer?
    do {
      let strong = try pixelBuffer()
      image = strong
      var buffer: CMSampleBuffer? = try CMSampleBuffer(
        imageBuffer: strong, formatDescription: CMFormatDescription(imageBuffer: strong), sampleTiming: timing
      )
      var copy = try buffer.map { try CMSampleBuffer(copying: $0) }
      #expect(copy?.imageBuffer === strong)
      buffer = nil
      copy = nil
    }
    #expect(image == nil)
  }
}

@Suite struct `Sample buffers of data` {
  @Test func `one entry serves samples that follow each other`() throws {
    let buffer = try numbered(4)
    #expect(buffer.duration == CMTime(value: 4, timescale: 30))
    #expect(buffer.totalSampleSize == 8)
    #expect(buffer.sampleSize(at: 3) == 2)
    #expect(buffer.sampleSize(at: 4) == 0)
    #expect(try buffer.sampleTimingInfo(at: 2).presentationTimeStamp == CMTime(value: 12, timescale: 30))
    #expect(throws: CMSampleBuffer.Error.sampleIndexOutOfRange) { try buffer.sampleTimingInfo(at: 4) }
    #expect(try buffer.sampleTimingInfos() == [timing])
    #expect(try buffer.sampleSizes() == [2])
    var needed = 0
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(
        buffer, entryCount: 0, arrayToFill: nil, entriesNeededOut: &needed)
        == noErr)
    #expect(needed == 1)
  }

  @Test func `entries that fit no sample count are refused`() throws {
    #expect(throws: CMSampleBuffer.Error.invalidEntryCount) { try numbered(4, timings: [timing, timing]) }
    #expect(throws: CMSampleBuffer.Error.invalidEntryCount) { try numbered(4, sizes: [1, 2, 3]) }
    let bare = try numbered(4, timings: [], sizes: [])
    #expect(throws: CMSampleBuffer.Error.bufferHasNoSampleTimingInfo) { try bare.sampleTimingInfos() }
    #expect(throws: CMSampleBuffer.Error.bufferHasNoSampleSizes) { try bare.sampleSizes() }
    #expect(!bare.duration.isValid)
  }

  @Test func `the earliest time counts when samples are stored in decoding order`() throws {
    let times = [4, 8, 2, 6].enumerated().map { index, value in
      CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 10),
        presentationTimeStamp: CMTime(value: Int64(value), timescale: 10),
        decodeTimeStamp: CMTime(value: Int64(index), timescale: 10))
    }
    let buffer = try numbered(4, timings: times)
    #expect(buffer.presentationTimeStamp == CMTime(value: 2, timescale: 10))
    #expect(buffer.decodeTimeStamp == .zero)
    #expect(buffer.duration == CMTime(value: 4, timescale: 10))
  }

  @Test func `single samples share the data and keep their own`() throws {
    let buffer = try numbered(4, sizes: [2, 2, 2, 2])
    buffer.sampleAttachments[2][.notSync] = true
    let singles = Array(try buffer.singleSampleBuffers())
    #expect(singles.count == 4)
    for (index, single) in singles.enumerated() {
      #expect(try single.dataBuffer?.dataBytes() == Data([UInt8(index), UInt8(index)]))
      #expect(single.presentationTimeStamp == CMTime(value: 10 + Int64(index), timescale: 30))
      #expect((single.sampleAttachments[0][.notSync] as? Bool ?? false) == (index == 2))
    }
    let middle = try CMSampleBuffer(copying: buffer, forRange: 1..<3)
    #expect(middle.numSamples == 2)
    #expect(try middle.dataBuffer?.dataBytes() == Data([1, 1, 2, 2]))
    #expect(throws: CMSampleBuffer.Error.sampleIndexOutOfRange) {
      try CMSampleBuffer(copying: buffer, forRange: 3..<5)
    }
    let unsized = try numbered(4, sizes: [])
    #expect(throws: CMSampleBuffer.Error.bufferHasNoSampleSizes) { try unsized.singleSampleBuffers() }
  }

  @Test func `a copy keeps the attachments and goes its own way`() throws {
    let buffer = try numbered(1)
    buffer.attachments["a"] = .shouldPropagate(1)
    buffer.attachments["b"] = .shouldNotPropagate(2)
    buffer.sampleAttachments[0][.displayImmediately] = true
    try buffer.setOutputPresentationTimeStamp(CMTime(value: 99, timescale: 1))
    let copy = try CMSampleBuffer(copying: buffer)
    #expect(copy.attachments["a"]?.mode == .shouldPropagate)
    #expect(copy.attachments["b"]?.mode == .shouldNotPropagate)
    #expect(copy.outputPresentationTimeStamp == CMTime(value: 99, timescale: 1))
    copy.attachments["a"] = nil
    copy.sampleAttachments[0][.displayImmediately] = nil
    #expect(buffer.attachments["a"] != nil)
    #expect(buffer.sampleAttachments[0][.displayImmediately] as? Bool == true)
    var later = timing
    later.presentationTimeStamp = CMTime(value: 5, timescale: 1)
    let moved = try CMSampleBuffer(copying: buffer, withNewTiming: [later])
    #expect(moved.presentationTimeStamp == CMTime(value: 5, timescale: 1))
    #expect(moved.outputPresentationTimeStamp == CMTime(value: 5, timescale: 1))
    #expect(moved.dataBuffer === buffer.dataBuffer)
  }

  @Test func `output times follow trims, speed and direction`() throws {
    let buffer = try numbered(10)
    #expect(buffer.outputPresentationTimeStamp == buffer.presentationTimeStamp)
    #expect(buffer.outputDuration == buffer.duration)
    func attach(_ key: CFString, _ frames: Int64) {
      let value = CMTimeCopyAsDictionary(CMTime(value: frames, timescale: 30), allocator: nil)
      CMSetAttachment(buffer, key: key, value: value, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    attach(kCMSampleBufferAttachmentKey_TrimDurationAtStart, 2)
    attach(kCMSampleBufferAttachmentKey_TrimDurationAtEnd, 3)
    buffer.attachments[.speedMultiplier] = .shouldPropagate(2.0)
    #expect(buffer.outputDuration.seconds == 2.5 / 30)
    #expect(buffer.outputPresentationTimeStamp == CMTime(value: 12, timescale: 30))
    buffer.attachments[.reverse] = .shouldPropagate(true)
    #expect(buffer.outputPresentationTimeStamp == CMTime(value: 13, timescale: 30))
  }
}

@Suite struct `Sample buffer readiness` {
  @Test func `data that comes later comes when asked for`() throws {
    let asked = Counter()
    let bytes: [UInt8] = [1, 2]
    let data = bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }
    let buffer = try CMSampleBuffer(
      dataBuffer: nil, formatDescription: nil, numSamples: 1, sampleTimings: [timing], sampleSizes: [2]
    ) { buffer in
      asked.increment()
      #expect(CMSampleBufferSetDataBuffer(buffer, newValue: data) == noErr)
      return CMSampleBufferSetDataReady(buffer)
    }
    let copy = try CMSampleBuffer(copying: buffer)
    #expect(buffer.dataReadiness == .notReady)
    #expect(copy.dataReadiness == .notReady)
    try copy.makeDataReady()
    try buffer.makeDataReady()
    #expect(asked.value == 1)
    #expect(buffer.dataBuffer === data)
    #expect(copy.dataBuffer === data)
    #expect(copy.dataReadiness == .ready)
    #expect(throws: CMSampleBuffer.Error.alreadyHasDataBuffer) { try buffer.setDataBuffer(data) }
  }

  @Test func `a handler that does not deliver is found out`() throws {
    let buffer = try CMSampleBuffer(
      dataBuffer: nil, formatDescription: nil, numSamples: 1, sampleTimings: [], sampleSizes: []
    ) { _ in noErr }
    #expect(throws: CMSampleBuffer.Error.bufferNotReady) { try buffer.makeDataReady() }
    try buffer.setDataReadiness(.failed(-7))
    var status: OSStatus = 0
    #expect(CMSampleBufferHasDataFailed(buffer, statusOut: &status))
    #expect(status == -7)
    #expect(throws: CMSampleBuffer.Error.dataFailed) { try buffer.makeDataReady() }
  }

  @Test func `tracking in a circle is refused`() throws {
    let (one, other) = (try numbered(1), try numbered(1))
    try one.trackDataReadiness(other)
    #expect(throws: CMSampleBuffer.Error.bufferNotReady) { try other.trackDataReadiness(one) }
    #expect(throws: CMSampleBuffer.Error.bufferNotReady) { try one.trackDataReadiness(one) }
  }

  @Test func `invalidating reports once and takes the data away`() throws {
    let reported = Counter()
    let buffer = try numbered(2)
    try buffer.setInvalidateHandler { _ in reported.increment() }
    try buffer.invalidate()
    #expect(!buffer.isValid)
    #expect(buffer.dataBuffer == nil)
    #expect(reported.value == 1)
    #expect(throws: CMSampleBuffer.Error.invalidated) { try buffer.invalidate() }
    #expect(throws: CMSampleBuffer.Error.invalidated) { try CMSampleBuffer(copying: buffer) }
    #expect(reported.value == 1)
  }
}
