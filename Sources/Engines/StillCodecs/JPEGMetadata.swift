package import Foundation

/// Changes the metadata of a JPEG file without touching its picture.
package enum JPEGMetadata {
  /// The file with `block` as its EXIF block, or without one when `block` is empty.
  ///
  /// Every other segment, the compressed picture and pictures behind it stay bit for bit; an index of those says where they are now.
  /// The block goes to the front, behind JFIF's header if there is one.
  ///
  /// - Throws: ``StillCodecError``: `damaged` for a file without a picture, `unsuitable` for a block above 64 KiB.
  package static func replace(in file: Data, facts: StillFacts, with block: ExifBlock) throws -> Data {
    var segment = Data()
    if !block.isEmpty {
      let body = try MarkerSegments.exifPrefix + block.data()
      guard body.count <= 65533 else {
        throw StillCodecError(
          .unsuitable,
          "The JPEG file cannot be written: its EXIF block of \(body.count) bytes is above the format's 64 KiB; make the embedded thumbnail smaller."
        )
      }
      let length = body.count + 2
      segment = Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]) + body
    }
    var result = Data([0xFF, 0xD8])
    var copied = file.startIndex + 2
    var isPlaced = false
    var hasScan = false
    for part in JPEGSegments(file) {
      let isJFIF = part.marker == 0xE0 && file[part.body].starts(with: "JFIF\0".utf8)
      if !isPlaced, !isJFIF {
        result.append(file[copied..<part.start])
        copied = part.start
        result.append(segment)
        isPlaced = true
      }
      if part.marker == 0xE1, file[part.body].starts(with: MarkerSegments.exifPrefix) {
        result.append(file[copied..<part.start])
        copied = part.body.upperBound
      }
      if part.marker == 0xDA { hasScan = true }
    }
    guard hasScan else { throw StillCodecError.damagedJPEG("it has no picture") }
    result.append(file[copied...])
    MultiPictureIndex.repair(&result, old: file)
    return result
  }
}

extension StillCodecError {
  /// The picture that was to be written could not be read.
  package static let unreadableSource = StillCodecError(
    .damaged, "The picture cannot be written: its source is damaged or of no known type.")
}
