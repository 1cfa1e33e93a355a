public import FoundationExtras
internal import VideoCodecs

/// The codec: a number of four characters.
public let kVTVideoEncoderList_CodecType: CFString = "CodecType"
/// The encoder's name, for ``kVTVideoEncoderSpecification_EncoderID``.
public let kVTVideoEncoderList_EncoderID: CFString = "EncoderID"
/// The codec's name for people.
public let kVTVideoEncoderList_CodecName: CFString = "CodecName"
/// The encoder's name for people.
public let kVTVideoEncoderList_EncoderName: CFString = "EncoderName"
/// Both names for people.
public let kVTVideoEncoderList_DisplayName: CFString = "DisplayName"
/// Whether the hardware codes: a Boolean.
public let kVTVideoEncoderList_IsHardwareAccelerated: CFString = "IsHardwareAccelerated"

/// Lists the encoders of this machine, in the order in which they are tried.
///
/// - Parameter listOfVideoEncodersOut: Gets an array of dictionaries with `kVTVideoEncoderList_…`.
///
/// Apple: `VTCopyVideoEncoderList`.
@discardableResult
public func VTCopyVideoEncoderList(
  _ options: CFDictionary?, _ listOfVideoEncodersOut: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  let names: [VideoEncoderSettings.Codec: String] = [
    .h264: "H.264", .hevc: "HEVC", .jpeg: "JPEG", .proRes422HQ: "Apple ProRes 422 HQ",
    .proRes422: "Apple ProRes 422", .proRes422LT: "Apple ProRes 422 LT",
    .proRes422Proxy: "Apple ProRes 422 Proxy",
  ]
  listOfVideoEncodersOut.pointee = EncoderList.entries.map { entry in
    let codec = names[entry.codec] ?? entry.codec.rawValue
    let values: [String: Any] = [
      kVTVideoEncoderList_CodecType: FourCharacterCode(entry.codec.rawValue)?.rawValue ?? 0,
      kVTVideoEncoderList_EncoderID: entry.name, kVTVideoEncoderList_CodecName: codec,
      kVTVideoEncoderList_EncoderName: entry.name,
      kVTVideoEncoderList_DisplayName: "\(codec) (\(entry.name))",
      kVTVideoEncoderList_IsHardwareAccelerated: entry.isHardware,
    ]
    return values
  }
  return noErr
}
