public import CoreVideo
public import Foundation
public import FoundationExtras

extension CMFormatDescription {
  /// The kind of media.
  ///
  /// Apple: `CMFormatDescription.MediaType`.
  public struct MediaType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The four-character code.
    public var rawValue: CMMediaType

    /// The kind with this code.
    public init(rawValue: CMMediaType) {
      self.rawValue = rawValue
    }

    /// The kind whose code these four characters spell; what is no such code gives code 0.
    public init(string: String) {
      rawValue = FourCharacterCode(string)?.rawValue ?? 0
    }

    /// The four characters.
    public var description: String { FourCharacterCode(rawValue: rawValue).description }
  }

  /// The codec or pixel format.
  ///
  /// Apple: `CMFormatDescription.MediaSubType`.
  public struct MediaSubType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The four-character code.
    public var rawValue: FourCharCode

    /// The format with this code.
    public init(rawValue: FourCharCode) {
      self.rawValue = rawValue
    }

    /// The format whose code these four characters spell; what is no such code gives code 0.
    public init(string: String) {
      rawValue = FourCharacterCode(string)?.rawValue ?? 0
    }

    /// The four characters.
    public var description: String { FourCharacterCode(rawValue: rawValue).description }
  }

  /// The errors that the initialisers throw.
  ///
  /// Apple: `CMFormatDescription.Error`.
  public struct Error {
    /// An argument is missing or contradicts another.
    public static let invalidParameter = statusError(kCMFormatDescriptionError_InvalidParameter)
    /// There is not enough memory.
    public static let allocationFailed = statusError(kCMFormatDescriptionError_AllocationFailed)
    /// The description does not say.
    public static let valueNotAvailable = statusError(kCMFormatDescriptionError_ValueNotAvailable)
  }

  /// The kind of media.
  public var mediaType: MediaType { MediaType(rawValue: mediaTypeCode) }

  /// The codec, or the pixel format of uncompressed video.
  public var mediaSubType: MediaSubType { MediaSubType(rawValue: mediaSubTypeCode) }

  /// Whether two descriptions say the same, apart from some extensions.
  public func equalTo(
    _ otherFormatDescription: CMFormatDescription, extensionKeysToIgnore: [Extensions.Key] = [],
    sampleDescriptionExtensionAtomKeysToIgnore: [String] = []
  ) -> Bool {
    CMFormatDescriptionEqualIgnoringExtensionKeys(
      self, otherFormatDescription: otherFormatDescription,
      extensionKeysToIgnore: extensionKeysToIgnore.map(\.rawValue),
      sampleDescriptionExtensionAtomKeysToIgnore: sampleDescriptionExtensionAtomKeysToIgnore)
  }

  /// Describes media that has no initialiser of its own.
  public convenience init(mediaType: MediaType, mediaSubType: MediaSubType, extensions: Extensions? = nil)
    throws
  {
    self.init(mediaType.rawValue, mediaSubType.rawValue, extensions: extensions?.base)
  }

  /// Describes video, compressed or not.
  public convenience init(
    videoCodecType: MediaSubType, width: Int, height: Int, extensions: Extensions? = nil
  ) throws {
    guard let width = Int32(exactly: width), let height = Int32(exactly: height) else {
      throw Error.invalidParameter
    }
    self.init(
      kCMMediaType_Video, videoCodecType.rawValue, extensions: extensions?.base,
      specifics: .picture(CMVideoDimensions(width: width, height: height)))
  }

  /// Describes uncompressed video like `imageBuffer`.
  public convenience init(imageBuffer: CVImageBuffer) throws {
    var description: CMFormatDescription?
    try throwUnlessSucceeded(
      CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: kCFAllocatorDefault, imageBuffer: imageBuffer, formatDescriptionOut: &description))
    guard let description else { throw Error.invalidParameter }
    self.init(
      description.mediaTypeCode, description.mediaSubTypeCode, extensions: description.extensionValues,
      specifics: description.specifics)
  }

  /// Describes audio and pictures in one stream.
  public convenience init(muxedStreamType: MediaSubType, extensions: Extensions? = nil) throws {
    self.init(kCMMediaType_Muxed, muxedStreamType.rawValue, extensions: extensions?.base)
  }

  /// The size of the coded pictures; 0 by 0 when they are not pictures.
  public var dimensions: CMVideoDimensions { CMVideoFormatDescriptionGetDimensions(self) }

  /// The size in which pictures are meant to be shown.
  public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true)
    -> CGSize
  {
    CMVideoFormatDescriptionGetPresentationDimensions(
      self, usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
  }

  /// The part of the picture that is meant to be seen.
  public func cleanAperture(originIsAtTopLeft: Bool) -> CGRect {
    CMVideoFormatDescriptionGetCleanAperture(self, originIsAtTopLeft: originIsAtTopLeft)
  }

  /// The names of the extensions that image buffers carry as attachments under the same names.
  public static var extensionKeysCommonWithImageBuffers: [Extensions.Key] {
    keysCommonWithImageBuffers.sorted().map { Extensions.Key(rawValue: $0) }
  }

  /// Whether `imageBuffer` is what this describes.
  public func matchesImageBuffer(_ imageBuffer: CVImageBuffer) -> Bool {
    CMVideoFormatDescriptionMatchesImageBuffer(self, imageBuffer: imageBuffer)
  }

  /// Everything that is known by name.
  public var extensions: Extensions { Extensions(base: extensionValues) }
}

extension CMFormatDescription: CustomStringConvertible {
  /// What a log shows: kind, format and size.
  public var description: String {
    var text = "<CMFormatDescription \(mediaType) \(mediaSubType)"
    if case .picture(let size) = specifics { text += " \(size.width)x\(size.height)" }
    if case .audio(let audio) = specifics {
      text += " \(audio.basic.mSampleRate) Hz \(audio.basic.mChannelsPerFrame) ch"
    }
    return text + ">"
  }
}
