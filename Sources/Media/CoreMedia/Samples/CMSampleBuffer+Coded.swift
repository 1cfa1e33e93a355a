internal import Foundation
internal import FoundationExtras

extension CMSampleBuffer {
  /// Wraps one coded picture or packet of audio.
  ///
  /// - Parameter isKeyFrame: Whether decoding can begin with it; as on Apple, a key frame has no
  ///   ``kCMSampleAttachmentKey_NotSync``.
  package static func coded(
    _ data: CMBlockBuffer, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo,
    isKeyFrame: Bool
  ) -> CMSampleBuffer {
    let buffer = CMSampleBuffer(
      data: data, image: nil, format: formatDescription, sampleCount: 1, timings: .one(timing),
      sizes: .one(data.dataLength))
    if !isKeyFrame { buffer.sampleAttachments[0][.notSync] = true }
    return buffer
  }

  /// Whether decoding can begin with the sample at `index`.
  package func isKeyFrame(at index: Int = 0) -> Bool {
    guard let said = sampleDictionaries(makingRoom: false), said.indices.contains(index) else { return true }
    return LooseNumber.truth(said[index].object(forKey: kCMSampleAttachmentKey_NotSync)) != true
  }
}
