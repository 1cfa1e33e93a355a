import CoreMedia
import CoreVideo
import Testing

@Suite("PreparedAttachments: made once for all samples of a stream")
struct PreparedAttachmentsTests {
  private let prepared = PreparedAttachments(["shared": "all"], numberKey: "number")

  private func sample(_ number: UInt32) throws -> CMSampleBuffer {
    let image = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 16, height: 16)
    var format: CMVideoFormatDescription?
    _ = CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: image, formatDescriptionOut: &format)
    return CMSampleBuffer.ofStream(
      image, formatDescription: try #require(format), atNanoseconds: 5_000_000_000, attachments: prepared,
      number: number)
  }

  @Test func `each sample has the shared ones and its own number, and both propagate`() throws {
    let sample = try sample(7)
    var mode = kCMAttachmentMode_ShouldNotPropagate
    #expect(CMGetAttachment(sample, key: "number", attachmentModeOut: &mode) as? UInt32 == 7)
    #expect(mode == kCMAttachmentMode_ShouldPropagate)
    #expect(CMGetAttachment(sample, key: "shared", attachmentModeOut: nil) as? String == "all")
    #expect(CMGetAttachment(sample, key: "other", attachmentModeOut: nil) == nil)
  }

  @Test func `a sample is one ready picture of its moment, of unknown length`() throws {
    let sample = try sample(7)
    #expect(CMSampleBufferGetNumSamples(sample) == 1)
    #expect(sample.imageBuffer?.width == 16 && sample.isValid && sample.dataReadiness == .ready)
    #expect(sample.presentationTimeStamp == CMTime(value: 5, timescale: 1))
    #expect(!sample.duration.isValid && !sample.decodeTimeStamp.isValid)
    #expect(sample.outputPresentationTimeStamp == sample.presentationTimeStamp)
  }

  @Test func `what is changed in a sample stays`() throws {
    let sample = try sample(7)
    #expect(
      CMSampleBufferSetOutputPresentationTimeStamp(sample, newValue: CMTime(value: 9, timescale: 1)) == 0)
    #expect(sample.outputPresentationTimeStamp == CMTime(value: 9, timescale: 1))
    #expect(CMSampleBufferInvalidate(sample) == 0)
    #expect(!sample.isValid && sample.imageBuffer == nil)
  }

  @Test func `changing one sample changes no other`() throws {
    let (first, second) = (try sample(1), try sample(2))
    CMRemoveAttachment(first, key: "shared")
    CMSetAttachment(first, key: "number", value: "mine", attachmentMode: kCMAttachmentMode_ShouldPropagate)
    #expect(CMGetAttachment(first, key: "shared", attachmentModeOut: nil) == nil)
    #expect(CMGetAttachment(first, key: "number", attachmentModeOut: nil) as? String == "mine")
    #expect(CMGetAttachment(second, key: "shared", attachmentModeOut: nil) as? String == "all")
    #expect(CMGetAttachment(second, key: "number", attachmentModeOut: nil) as? UInt32 == 2)
  }

  @Test func `a copy carries them`() throws {
    let sample = try sample(9)
    var copy: CMSampleBuffer?
    #expect(CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copy) == 0)
    let made = try #require(copy)
    CMRemoveAllAttachments(sample)
    #expect(CMGetAttachment(made, key: "number", attachmentModeOut: nil) as? UInt32 == 9)
    #expect(CMGetAttachment(sample, key: "number", attachmentModeOut: nil) == nil)
  }
}
