import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Testing

func pixelBuffer(
  _ width: Int = 8, _ height: Int = 4, format: OSType = kCVPixelFormatType_32BGRA
) throws -> CVPixelBuffer {
  var buffer: CVPixelBuffer?
  #expect(CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &buffer) == kCVReturnSuccess)
  return try #require(buffer)
}

@Suite struct `Format descriptions` {
  @Test func `a description of a picture matches that picture and its like`() throws {
    let buffer = try pixelBuffer()
    CVBufferSetAttachment(
      buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_P3_D65, .shouldPropagate)
    let description = try CMFormatDescription(imageBuffer: buffer)
    #expect(description.mediaType == .video)
    #expect(description.mediaSubType == .pixelFormat_32BGRA)
    #expect(description.dimensions == CMVideoDimensions(width: 8, height: 4))
    #expect(description.extensions[.colorPrimaries] == .colorPrimaries(.p3_D65))
    #expect(description.matchesImageBuffer(buffer))
    #expect(!description.matchesImageBuffer(try pixelBuffer()), "it lacks the primaries")
    CVBufferSetAttachment(
      buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
    #expect(!description.matchesImageBuffer(buffer))
    #expect(!(try CMFormatDescription(imageBuffer: pixelBuffer()).matchesImageBuffer(pixelBuffer(8, 5))))
  }

  @Test func `attachments that stay with the picture do not describe the stream`() throws {
    let buffer = try pixelBuffer()
    CVBufferSetAttachment(buffer, "mine", 1, .shouldPropagate)
    CVBufferSetAttachment(buffer, kCVImageBufferFieldCountKey, 2, .shouldNotPropagate)
    let description = try CMFormatDescription(imageBuffer: buffer)
    #expect(description.extensions["mine"] == nil)
    #expect(description.extensions[.fieldCount] == nil)
    #expect(description.matchesImageBuffer(buffer))
  }

  @Test func `equal descriptions are equal, and ignoring ignores`() throws {
    var extensions = CMFormatDescription.Extensions()
    extensions[.fullRangeVideo] = .init(true)
    extensions[.sampleDescriptionExtensionAtoms] = .init(
      ["avcC": Data([1]), "pasp": Data([2])] as [String: Any])
    let one = try CMFormatDescription(videoCodecType: .h264, width: 640, height: 480, extensions: extensions)
    let same = try CMFormatDescription(videoCodecType: .h264, width: 640, height: 480, extensions: extensions)
    #expect(one == same)
    #expect(Set([one, same]).count == 1)
    extensions[.sampleDescriptionExtensionAtoms] = .init(
      ["avcC": Data([9]), "pasp": Data([2])] as [String: Any])
    let other = try CMFormatDescription(
      videoCodecType: .h264, width: 640, height: 480, extensions: extensions)
    #expect(one != other)
    #expect(one.equalTo(other, sampleDescriptionExtensionAtomKeysToIgnore: ["avcC"]))
    #expect(one.equalTo(other, extensionKeysToIgnore: [.sampleDescriptionExtensionAtoms]))
    #expect(one != (try CMFormatDescription(videoCodecType: .hevc, width: 640, height: 480)))
    #expect(CMFormatDescriptionEqual(nil, otherFormatDescription: nil))
    #expect(!CMFormatDescriptionEqual(one, otherFormatDescription: nil))
  }

  @Test func `presentation follows aperture and pixel shape`() throws {
    var extensions = CMFormatDescription.Extensions()
    extensions[.cleanAperture] = .cleanAperture(
      width: 704, height: 470, horizontalOffet: 2, verticalOffset: 5)
    extensions[.pixelAspectRatio] = .pixelAspectRatio(horizontalSpacing: 10, verticalSpacing: 11)
    let description = try CMFormatDescription(
      videoCodecType: .jpeg, width: 720, height: 480, extensions: extensions)
    #expect(description.presentationDimensions() == CGSize(width: 640, height: 470))
    #expect(
      description.presentationDimensions(usePixelAspectRatio: false, useCleanAperture: false)
        == CGSize(width: 720, height: 480))
    #expect(
      description.cleanAperture(originIsAtTopLeft: true) == CGRect(x: 10, y: 10, width: 704, height: 470))
    #expect(
      description.cleanAperture(originIsAtTopLeft: false) == CGRect(x: 10, y: 0, width: 704, height: 470))
  }

  @Test func `depth is described by pixel format and size`() {
    let description = CMFormatDescription(
      pictures: .init(string: "dpth"), mediaSubType: .init(rawValue: kCVPixelFormatType_DepthFloat16),
      dimensions: CMVideoDimensions(width: 768, height: 576))
    #expect("\(description.mediaType)" == "dpth")
    #expect(CMVideoFormatDescriptionGetDimensions(description).width == 768)
    #expect("\(description)" == "<CMFormatDescription dpth hdep 768x576>")
  }

  @Test func `audio keeps format, layout and cookie`() throws {
    let basic = AudioStreamBasicDescription(
      mSampleRate: 44100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
      mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)
    let layout = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
    let description = try CMFormatDescription(
      audioStreamBasicDescription: basic, layout: layout, magicCookie: Data([1, 2, 3]))
    #expect(description.audioStreamBasicDescription == basic)
    #expect(description.audioChannelLayout?.tag == kAudioChannelLayoutTag_Stereo)
    #expect(description.magicCookie == Data([1, 2, 3]))
    #expect(description.mediaSubType == .linearPCM)
    #expect(CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee == basic)
    let bare = try CMFormatDescription(audioStreamBasicDescription: basic)
    let (isEqual, parts) = description.equalTo(bare)
    #expect(!isEqual)
    #expect(parts == [.streamBasicDescription, .extensions])
    #expect(description.equalTo(bare, equalityMask: .streamBasicDescription).0)
    #expect(description != bare)
    #expect(bare.dimensions == CMVideoDimensions())
    #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40)
    #expect(MemoryLayout<AudioChannelLayout>.size == 32)
  }

  @Test func `metadata keys get local numbers, and merging adds what is new`() throws {
    let place: [String: Any] = [
      kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier:
        kCMMetadataIdentifier_QuickTimeMetadataLocation_ISO6709,
      kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType:
        kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709,
    ]
    let words: [String: Any] = [
      kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: "mdta/my.words",
      kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: kCMMetadataBaseDataType_UTF8,
    ]
    let one = try CMFormatDescription(boxedMetadataSpecifications: [place])
    #expect(one.identifiers == ["mdta/com.apple.quicktime.location.ISO6709"])
    #expect(one.keyWithLocalID(1) != nil)
    var both: CMFormatDescription?
    let status = CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications(
      allocator: nil, sourceDescription: one, metadataSpecifications: [place, words],
      formatDescriptionOut: &both)
    #expect(status == noErr)
    #expect(both?.identifiers == ["mdta/com.apple.quicktime.location.ISO6709", "mdta/my.words"])
    #expect(throws: CMFormatDescription.Error.invalidParameter) {
      try CMFormatDescription(boxedMetadataSpecifications: [["nothing": 1]])
    }
  }

  @Test func `time codes keep how they count`() throws {
    let description = try CMFormatDescription(
      timeCodeFormatType: .timeCode32, frameDuration: CMTime(value: 1001, timescale: 30000), frameQuanta: 30,
      flags: [.dropFrame])
    #expect(description.frameQuanta == 30)
    #expect(description.timeCodeFlags == .dropFrame)
    #expect(description.frameDuration == CMTime(value: 1001, timescale: 30000))
    #expect(description.mediaType == .timeCode)
  }
}
