package import CoreMedia
package import VideoCodecs

/// A decoder of one stream's pictures as they come; not thread-safe.
package protocol LivePictureDecoder: AnyObject {
  /// Whether the hardware may decode: what fails there may not fail on the processor.
  var isHardware: Bool { get }
  /// Decodes a picture that is shown at a time; the pictures that are ready.
  func decode(_ data: CMBlockBuffer, time: CMTime, isKeyFrame: Bool) throws(CodecError)
    -> [VideoDecoder.Picture]
  /// Says that no sample comes any more; the pictures that were inside.
  func finish() throws(CodecError) -> [VideoDecoder.Picture]
  /// Forgets what was sent.
  func flush()
  /// Notes that the hardware does not serve.
  func giveUpHardware()
}

extension VideoDecoder: LivePictureDecoder {
  /// As `decode(_:isEarly:)`, in the order of showing.
  package func decode(_ data: CMBlockBuffer, time: CMTime, isKeyFrame: Bool) throws(CodecError) -> [Picture] {
    try decode(data, time: time, isKeyFrame: isKeyFrame, isShown: true)
  }
}
