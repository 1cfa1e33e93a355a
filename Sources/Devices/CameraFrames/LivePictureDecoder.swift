package import CoreMedia
package import VideoCodecs

/// A decoder of one stream's pictures as they come; not thread-safe.
package protocol LivePictureDecoder: AnyObject {
  /// Whether the hardware may decode: what fails there may not fail on the processor.
  var isHardware: Bool { get }
  /// Decodes a sample; the pictures that are ready.
  func decode(_ sample: CMSampleBuffer) throws(CodecError) -> [VideoDecoder.Picture]
  /// Says that no sample comes any more; the pictures that were inside.
  func finish() throws(CodecError) -> [VideoDecoder.Picture]
  /// Forgets what was sent.
  func flush()
  /// Notes that the hardware does not serve.
  func giveUpHardware()
}

extension VideoDecoder: LivePictureDecoder {
  /// As `decode(_:isEarly:)`, in the order of showing.
  package func decode(_ sample: CMSampleBuffer) throws(CodecError) -> [Picture] {
    try decode(sample, isEarly: false)
  }
}
