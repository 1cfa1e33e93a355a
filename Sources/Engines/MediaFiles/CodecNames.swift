package import CoreMedia
package import Foundation
internal import FoundationExtras

/// FFmpeg's names of codecs, and what its decoders must know beside, from format descriptions.
package enum CodecNames {
  /// The codec of video with a four-character code; `nil` for one that is not known.
  package static func video(_ subtype: FourCharCode) -> String? {
    let names = [
      "avc1": "h264", "avc3": "h264", "hvc1": "hevc", "hev1": "hevc", "jpeg": "mjpeg", "mjpa": "mjpeg",
      "dmb1": "mjpeg", "ap4x": "prores", "ap4h": "prores", "apch": "prores", "apcn": "prores",
      "apcs": "prores", "apco": "prores", "mp4v": "mpeg4", "vp08": "vp8", "vp09": "vp9", "av01": "av1",
      "mp2v": "mpeg2video", "mp1v": "mpeg1video", "png ": "png", "rle ": "qtrle", "h263": "h263",
      "avdn": "dnxhd",
    ]
    return names[FourCharacterCode(rawValue: subtype).description]
  }

  /// The code of video that FFmpeg names; `nil` for one that is not known.
  package static func videoCode(_ name: String) -> String? {
    [
      "h264": "avc1", "hevc": "hvc1", "mjpeg": "jpeg", "prores": "apcn", "mpeg4": "mp4v", "vp8": "vp08",
      "vp9": "vp09", "av1": "av01", "mpeg2video": "mp2v", "mpeg1video": "mp1v", "png": "png ",
      "qtrle": "rle ",
      "h263": "h263", "dnxhd": "avdn",
    ][name]
  }

  /// The atom in which a codec's decoder configuration lies.
  package static func atom(_ subtype: FourCharCode) -> String? {
    [
      "avc1": "avcC", "avc3": "avcC", "hvc1": "hvcC", "hev1": "hvcC", "vp09": "vpcC", "av01": "av1C",
      "mp4v": "esds",
    ][FourCharacterCode(rawValue: subtype).description]
  }

  /// The extra data that the decoder of a description needs; empty where it needs none.
  package static func extradata(of format: CMFormatDescription) -> Data {
    guard let atom = atom(CMFormatDescriptionGetMediaSubType(format)),
      let atoms = CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
        as? [String: Any],
      let data = atoms[atom] as? Data
    else { return Data() }
    return atom == "esds" ? AudioCookie.decoderConfiguration(data) ?? data : data
  }
}
