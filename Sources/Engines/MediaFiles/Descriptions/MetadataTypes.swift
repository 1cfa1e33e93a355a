internal import CoreMedia

/// The numbers and names of QuickTime's types of values in timed metadata.
///
/// Source: Apple's QuickTime File Format, "Well-Known Types".
enum MetadataTypes {
  private static let known: [(number: Int, name: String)] = [
    (0, kCMMetadataBaseDataType_RawData), (1, kCMMetadataBaseDataType_UTF8),
    (2, kCMMetadataBaseDataType_UTF16), (13, kCMMetadataBaseDataType_JPEG),
    (14, kCMMetadataBaseDataType_PNG), (23, kCMMetadataBaseDataType_Float32),
    (24, kCMMetadataBaseDataType_Float64), (65, kCMMetadataBaseDataType_SInt8),
    (66, kCMMetadataBaseDataType_SInt16), (67, kCMMetadataBaseDataType_SInt32),
    (74, kCMMetadataBaseDataType_SInt64), (75, kCMMetadataBaseDataType_UInt8),
    (76, kCMMetadataBaseDataType_UInt16), (77, kCMMetadataBaseDataType_UInt32),
    (78, kCMMetadataBaseDataType_UInt64),
  ]

  /// The number of a type; `nil` for one that files name in words.
  static func number(_ name: String) -> Int? { known.first { $0.name == name }?.number }

  /// The type of a number; bytes of no known structure for others.
  static func name(_ number: Int) -> String {
    known.first { $0.number == number }?.name ?? kCMMetadataBaseDataType_RawData
  }
}
