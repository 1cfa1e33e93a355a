package import CoreVideo
package import Foundation

/// A second picture in a picture file that says something of the first: distances, a matte, how bright it may become.
///
/// Gray, of any size; it lies as the first picture is stored.
package struct AuxiliaryPicture: Sendable {
  /// The kind as HEIC files name it (`auxC`), such as ``depth``; JPEG files have no name for it.
  package var name: String
  /// `kCVPixelFormatType_OneComponent8`; its numbers are stored as they are.
  package var picture: CVPixelBuffer
  /// The XMP packet that says what the numbers mean.
  package var xmp: Data?

  /// A picture of the kind `name`.
  package init(name: String, picture: CVPixelBuffer, xmp: Data?) {
    self.name = name
    self.picture = picture
    self.xmp = xmp
  }

  /// The name of distances (ISO/IEC 23008-12, B.2.3).
  package static let depth = "urn:mpeg:hevc:2015:auxid:2"

  /// The facts of a second picture, read without decoding it.
  package struct Facts: Sendable, Hashable {
    /// As ``AuxiliaryPicture/name``; `nil` in a JPEG.
    package var name: String?
    package var xmp: Data?
    /// Pixels along x and y as they are stored.
    package var width: Int
    package var height: Int
    /// The item of a HEIC, or the number of a JPEG's picture.
    var place: Int
  }
}

/// The second pictures in JPEG and HEIC files.
///
/// The first picture stays bit for bit whatever is done with them. Stateless and thread-safe; runs on the caller's thread.
package enum AuxiliaryPictures {
  /// The second pictures of a file, in its order; none in a PNG.
  ///
  /// Of a HEIC those that belong to its primary picture; of a JPEG all that its index names (CIPA DC-007), thumbnails and
  /// pictures of other cameras, too, which only their XMP tells apart.
  ///
  /// - Throws: ``StillCodecError``: `unsupported`, `damaged`, `tooLarge`.
  package static func list(_ file: Data) throws -> [AuxiliaryPicture.Facts] {
    switch StillFormat(detecting: file) {
    case .jpeg: return JPEGPictures.facts(file)
    case .heic: return try HEICAuxiliaries(file).facts
    case .png, .dng, .gif: return []
    case nil: throw StillCodecError.noPicture
    }
  }

  /// The pixels of a second picture as `kCVPixelFormatType_OneComponent8`; colours become gray.
  ///
  /// - Parameters:
  ///   - facts: One of those that ``list(_:)`` has found in the file.
  ///   - file: The file.
  /// - Throws: ``StillCodecError``: `damaged`, `tooLarge`.
  package static func decode(_ facts: AuxiliaryPicture.Facts, in file: Data) throws -> CVPixelBuffer {
    switch StillFormat(detecting: file) {
    case .jpeg: return try JPEGPictures.decode(facts.place, in: file)
    case .heic: return try HEICAuxiliaries(file).decode(facts.place)
    default: throw StillCodecError.noPicture
    }
  }

  /// The file with more second pictures behind those that it has.
  ///
  /// In a HEIC they are compressed without loss; in a JPEG at its best quality, where a number may be one off.
  ///
  /// - Throws: ``StillCodecError``: `unsuitable` for a PNG, a HEIC that cannot be rearranged, and pictures that are not gray;
  ///   `damaged`, `codecFailed`.
  package static func add(_ pictures: [AuxiliaryPicture], to file: Data) throws -> Data {
    guard !pictures.isEmpty else { return file }
    guard pictures.allSatisfy({ $0.picture.format == kCVPixelFormatType_OneComponent8 }) else {
      throw StillCodecError(
        .unsuitable, "The picture cannot be added: it is not gray; give one component of 8 bits.")
    }
    switch StillFormat(detecting: file) {
    case .jpeg: return try JPEGPictures.add(pictures, to: file)
    case .heic:
      var auxiliaries = try HEICAuxiliaries(file)
      for picture in pictures { try auxiliaries.add(picture) }
      return try auxiliaries.data()
    case .png, .dng, .gif:
      throw StillCodecError(
        .unsuitable, "A PNG, DNG or GIF file holds no second picture for depth or mattes; write JPEG or HEIC."
      )
    case nil: throw StillCodecError.noPicture
    }
  }

  /// The file without some of its second pictures; the same bytes when all stay.
  ///
  /// - Throws: ``StillCodecError``: `unsuitable` for a HEIC that cannot be rearranged, `damaged`.
  package static func remove(
    from file: Data, where isUnwanted: (AuxiliaryPicture.Facts) -> Bool
  ) throws -> Data {
    let unwanted = try list(file).filter(isUnwanted)
    guard !unwanted.isEmpty else { return file }
    let places = Set(unwanted.map(\.place))
    if StillFormat(detecting: file) == .jpeg { return JPEGPictures.remove(places, from: file) }
    var auxiliaries = try HEICAuxiliaries(file)
    auxiliaries.container.remove(places)
    return try auxiliaries.data()
  }
}
