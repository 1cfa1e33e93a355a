import CoreMedia
import CoreVideo
import FoundationExtras
import Testing

@Suite struct `Attachments` {
  private func bearers() throws -> [AnyObject] {
    let image = try pixelBuffer()
    let sample = CMSampleBuffer(
      picture: image, formatDescription: try CMFormatDescription(imageBuffer: image), timing: .invalid)
    return [image, sample, try CMBlockBuffer()]
  }

  @Test func `every bearer keeps values and modes`() throws {
    for bearer in try bearers() {
      #expect(CMGetAttachment(bearer, key: "a", attachmentModeOut: nil) == nil)
      CMSetAttachment(bearer, key: "a", value: "x", attachmentMode: kCMAttachmentMode_ShouldPropagate)
      CMSetAttachments(
        bearer, attachments: ["b": 2, "c": 3], attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
      var mode = kCMAttachmentMode_ShouldNotPropagate
      #expect(CMGetAttachment(bearer, key: "a", attachmentModeOut: &mode) as? String == "x")
      #expect(mode == kCMAttachmentMode_ShouldPropagate)
      let kept = CMCopyDictionaryOfAttachments(
        allocator: nil, target: bearer, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
      #expect(kept?["b"] as? Int == 2)
      #expect(kept?["c"] as? Int == 3)
      // As NSNumber, which casts to any number that it fits.
      #expect(kept?["b"] as? UInt32 == 2 && kept?["c"] as? Float == 3)
      CMRemoveAttachment(bearer, key: "a")
      #expect(
        CMCopyDictionaryOfAttachments(
          allocator: nil, target: bearer, attachmentMode: kCMAttachmentMode_ShouldPropagate) == nil)
      CMRemoveAllAttachments(bearer)
      #expect(CMGetAttachment(bearer, key: "b", attachmentModeOut: nil) == nil)
    }
  }

  @Test func `propagation crosses kinds of bearers and takes only what propagates`() throws {
    let all = try bearers()
    for source in all {
      CMSetAttachment(source, key: "go", value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
      CMSetAttachment(source, key: "stay", value: 2, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
      for destination in try bearers() {
        CMPropagateAttachments(source, destination: destination)
        #expect(CMGetAttachment(destination, key: "go", attachmentModeOut: nil) as? Int == 1)
        #expect(CMGetAttachment(destination, key: "stay", attachmentModeOut: nil) == nil)
      }
    }
  }

  @Test func `the Swift spelling writes through`() throws {
    let image = try pixelBuffer()
    image.attachments["a"] = .shouldPropagate(1)
    image.attachments.merge(["b": 2], mode: .shouldNotPropagate)
    #expect(CVBufferCopyAttachment(image, "a", nil) as? Int == 1)
    #expect(image.attachments.propagated.keys.sorted() == ["a"])
    #expect(image.attachments.nonPropagated.keys.sorted() == ["b"])
    let block = try CMBlockBuffer()
    image.propagateAttachments(to: block)
    #expect(block.attachments["a"]?.value as? Int == 1)
    image.attachments.removeAll()
    #expect(image.attachments["a"] == nil)
  }

  @Test func `an object that carries none is left alone`() {
    let counter = Counter()
    CMSetAttachment(counter, key: "a", value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    #expect(CMGetAttachment(counter, key: "a", attachmentModeOut: nil) == nil)
  }
}
