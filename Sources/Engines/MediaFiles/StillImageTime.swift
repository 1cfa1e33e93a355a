package import CoreMedia
internal import Foundation

/// What makes a movie the moving half of a Live Photo: a name that the photo has, too, and a track that says when the photo was taken.
///
/// The track is timed metadata with one key and one sample, a single byte of −1, which lies at the photo's moment. Source: movies of
/// phones as `exiftool -ee` and `ffprobe` show them; Apple names the keys and does not describe the sample.
package enum StillImageTime {
  /// The key of the movie's metadata whose text the photo's maker note repeats.
  package static let identifierKey = "com.apple.quicktime.content.identifier"
  /// The key of the track's sample.
  package static let key = "com.apple.quicktime.still-image-time"
  /// What the track is to that of the pictures: it describes their content.
  package static let reference = "cdsc"
  /// How long the sample lasts: the shortest time of such movies.
  package static let duration = CMTime(value: 1, timescale: 600)

  private static let mdta: UInt32 = 0x6D64_7461

  /// The format of the track.
  package static let format: CMFormatDescription? = {
    let entry: [String: Any] = [
      kCMMetadataFormatDescriptionKey_Namespace: mdta,
      kCMMetadataFormatDescriptionKey_Value: Data(key.utf8),
      kCMMetadataFormatDescriptionKey_DataType: kCMMetadataBaseDataType_SInt8,
      kCMMetadataFormatDescriptionKey_LocalID: UInt32(1),
    ]
    var made: CMFormatDescription?
    _ = CMMetadataFormatDescriptionCreateWithKeys(
      allocator: nil, metadataType: kCMMetadataFormatType_Boxed, keys: [entry], formatDescriptionOut: &made)
    return made
  }()

  /// The track's only sample.
  package static func sample(at time: CMTime, _ format: CMFormatDescription) -> CMSampleBuffer {
    // One box: its length, the key's number, −1.
    let bytes: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]
    return CMSampleBuffer.coded(
      bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: format,
      timing: CMSampleTimingInfo(
        duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid), isKeyFrame: true)
  }
}
