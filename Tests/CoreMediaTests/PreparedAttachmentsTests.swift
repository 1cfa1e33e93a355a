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
    return CMSampleBuffer(
      picture: image, formatDescription: try #require(format),
      timing: CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: CMTime(value: 1, timescale: 30), decodeTimeStamp: .invalid),
      attachments: prepared, number: number)
  }

  @Test func `each sample has the shared ones and its own number, and both propagate`() throws {
    let sample = try sample(7)
    var mode = kCMAttachmentMode_ShouldNotPropagate
    #expect(CMGetAttachment(sample, key: "number", attachmentModeOut: &mode) as? UInt32 == 7)
    #expect(mode == kCMAttachmentMode_ShouldPropagate)
    #expect(CMGetAttachment(sample, key: "shared", attachmentModeOut: nil) as? String == "all")
    #expect(CMGetAttachment(sample, key: "other", attachmentModeOut: nil) == nil)
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
