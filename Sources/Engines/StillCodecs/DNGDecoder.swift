package import CoreVideo
package import Foundation
internal import FoundationExtras

/// Reads DNG files: a sensor's picture as it is, with what a developer must know of it (Adobe's Digital Negative 1.4).
///
/// Mosaics of red, green and blue of 8 to 16 bits, in strips or tiles, uncompressed or as lossless JPEG. Stateless and thread-safe; runs on the
/// caller's thread.
package enum DNGDecoder {
  /// A file's picture.
  package struct Picture: @unchecked Sendable {  // Safe because the numbers are not written to.
    /// The numbers of the sensor's active area, in `kCVPixelFormatType_14Bayer_…`.
    package var mosaic: CVPixelBuffer
    /// The meaning of the numbers; without a preview.
    package var facts = DNGEncoder.Options()
    /// Stops by which the picture shall be brighter than its numbers say.
    package var baselineExposure = 0.0
    /// The file's preview, a JPEG file; `nil` without one.
    package var preview: Data?
    /// The file's tags for programs that show pictures: maker, time, exposure, place.
    package var exif = ExifBlock()
  }

  /// Whether it may be such a file: a TIFF file with the tag of a DNG.
  package static func mayRead(_ data: Data) -> Bool {
    guard let reader = TIFFReader(data), let at = reader.number(at: 4, bytes: 4) else { return false }
    return reader.directory(at: at)?.0[Tag.version] != nil
  }

  /// The statements of a file about its picture, read without its numbers.
  struct Head {
    /// Where the numbers are.
    let area: MosaicFile
    let facts: DNGEncoder.Options
    /// Stops by which the picture shall be brighter than its numbers say, at most ten either way.
    let baselineExposure: Double
    let exif: ExifBlock
    /// The XMP packet; `nil` without one.
    let xmp: Data?

    private let reader: TIFFReader
    private let directories: [TIFFReader.Directory]

    /// - Throws: ``StillCodecError``, also where the file ends before its numbers do.
    init(_ data: Data) throws {
      guard let reader = TIFFReader(data) else { throw StillCodecError.noPicture }
      let directories = reader.directories()
      guard let first = directories.first, first[Tag.version] != nil else {
        throw StillCodecError(
          .unsupported, "The picture cannot be read: it is a TIFF file, and of these only DNG is read.")
      }
      // The largest: others are proofs of it.
      let raw = directories.filter { isMosaic(reader, $0) }.max {
        (reader.numbers(Tag.width, in: $0).first ?? 0) < (reader.numbers(Tag.width, in: $1).first ?? 0)
      }
      guard let raw else { throw unsupported("it holds no mosaic") }
      area = try MosaicFile(reader, raw)
      facts = DNGDecoder.facts(reader, first, raw, area)
      let exposure = reader.numbers(Tag.baselineExposure, in: first).first ?? 0
      baselineExposure = exposure.isFinite ? min(max(exposure, -10), 10) : 0
      exif = DNGDecoder.exif(reader, first)
      xmp = reader.bytes(Tag.xmp, in: first)
      (self.reader, self.directories) = (reader, directories)
    }

    /// The file's preview, a JPEG file; `nil` without one.
    var preview: Data? {
      directories.lazy.filter { !isMosaic(reader, $0) }.compactMap { DNGDecoder.preview(reader, $0) }
        .max { $0.count < $1.count }
    }

    /// The part of the active area that is shown.
    var shown: (x: Int, y: Int, width: Int, height: Int) { facts.crop ?? (0, 0, area.width, area.height) }
  }

  /// The picture in a file.
  ///
  /// - Throws: ``StillCodecError``: `unsupported` for other files and kinds of pictures, `damaged`, `tooLarge`.
  package static func decode(_ data: Data) throws -> Picture {
    let head = try Head(data)
    return Picture(
      mosaic: try head.area.mosaic(), facts: head.facts, baselineExposure: head.baselineExposure,
      preview: head.preview, exif: head.exif)
  }

  /// The preview of a file, a JPEG file laid as the sensor's picture is; `nil` without one, and for other files.
  package static func preview(of data: Data) -> Data? { (try? Head(data))?.preview }

  private static func isMosaic(_ reader: TIFFReader, _ directory: TIFFReader.Directory) -> Bool {
    reader.numbers(Tag.meaning, in: directory).first == 32803
  }

  typealias Tag = DNGEncoder.Tag

  static func unsupported(_ reason: String) -> StillCodecError {
    StillCodecError(.unsupported, "The DNG file cannot be read: \(reason).")
  }

  static func damaged(_ reason: String) -> StillCodecError {
    StillCodecError(.damaged, "The DNG file cannot be read: \(reason).")
  }

  private static func facts(
    _ reader: TIFFReader, _ first: TIFFReader.Directory, _ raw: TIFFReader.Directory, _ area: MosaicFile
  ) -> DNGEncoder.Options {
    var facts = DNGEncoder.Options()
    facts.bits = area.valueBits
    let black = reader.numbers(Tag.black, in: raw).filter(\.isFinite)
    let side = reader.numbers(Tag.blackSize, in: raw)
    facts.blackLevels =
      black.count == 4 && side == [2, 2]
      ? black : [black.isEmpty ? 0 : black.reduce(0, +) / Double(black.count)]
    facts.whiteLevel = reader.wholes(Tag.white, in: raw).first
    for tags in Tag.colors {
      let matrix = reader.numbers(tags.matrix, in: first)
      guard matrix.count == 9, matrix.allSatisfy(\.isFinite) else { continue }
      let light = reader.wholes(tags.illuminant, in: first).first ?? 21
      facts.colors.append(DNGEncoder.Colors(illuminant: UInt16(clamping: light), matrix: matrix))
    }
    let neutral = reader.numbers(Tag.neutral, in: first)
    if neutral.count == 3, neutral.allSatisfy({ $0 > 0 && $0.isFinite }) { facts.neutral = neutral }
    let noise = reader.numbers(Tag.noise, in: raw).isEmpty ? first : raw
    let numbers = reader.numbers(Tag.noise, in: noise)
    if numbers.count == 2 || numbers.count == 6 {
      facts.noise = (0..<3).map { color in
        let at = numbers.count == 6 ? 2 * color : 0
        return DNGEncoder.Noise(shot: numbers[at], read: numbers[at + 1])
      }
    }
    let origin = reader.wholes(Tag.cropOrigin, in: raw)
    let size = reader.wholes(Tag.cropSize, in: raw)
    if origin.count == 2, size.count == 2, origin[0] >= 0, origin[1] >= 0, size[0] > 0, size[1] > 0,
      origin[0] <= area.width - size[0], origin[1] <= area.height - size[1]
    {
      facts.crop = (origin[0], origin[1], size[0], size[1])
    }
    let orientation = reader.wholes(Tag.orientation, in: first).first ?? 1
    facts.orientation = (1...8).contains(orientation) ? orientation : 1
    facts.cameraModel = reader.text(Tag.cameraModel, in: first) ?? "Camera"
    return facts
  }

  private static func exif(_ reader: TIFFReader, _ first: TIFFReader.Directory) -> ExifBlock {
    var block = ExifBlock()
    func take(_ directory: TIFFReader.Directory, _ room: ExifTag.Directory, below: UInt16) {
      for (number, entry) in directory where number < below {
        if let value = reader.value(entry) { block[ExifTag(room, number)] = value }
      }
    }
    // Sizes and places of the file's pictures say nothing of the picture that is developed.
    take(
      first.filter { !(254...279).contains($0.key) || [271, 272, 274].contains($0.key) }, .image, below: 33421
    )
    for (tag, room) in [(Tag.exif, ExifTag.Directory.exif), (Tag.gps, .gps)] {
      guard let at = reader.wholes(tag, in: first).first, at >= 8,
        let (directory, _) = reader.directory(at: at)
      else { continue }
      take(directory, room, below: .max)
    }
    return block
  }

  /// The JPEG file of a directory; `nil` where it holds another kind of picture.
  private static func preview(_ reader: TIFFReader, _ directory: TIFFReader.Directory) -> Data? {
    let offsets = reader.wholes(Tag.strips, in: directory)
    let counts = reader.wholes(Tag.stripBytes, in: directory)
    guard [6, 7].contains(reader.numbers(Tag.compression, in: directory).first), offsets.count == 1,
      counts.count == 1, let at = offsets.first, let count = counts.first, at >= 8, count > 0,
      count <= reader.data.count, at <= reader.data.count - count
    else { return nil }
    let file = reader.data.subdata(in: at..<at + count)
    return StillFormat(detecting: file) == .jpeg ? file : nil
  }
}
