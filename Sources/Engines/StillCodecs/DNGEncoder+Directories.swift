internal import CoreVideo
internal import Foundation
internal import FoundationExtras

extension DNGEncoder {
  /// The numbers of tags (TIFF 6.0, TIFF/EP, DNG 1.4).
  enum Tag {
    static let kind: UInt16 = 254
    static let width: UInt16 = 256
    static let height: UInt16 = 257
    static let bits: UInt16 = 258
    static let compression: UInt16 = 259
    static let meaning: UInt16 = 262
    static let strips: UInt16 = 273
    static let orientation: UInt16 = 274
    static let samples: UInt16 = 277
    static let rowsInStrip: UInt16 = 278
    static let stripBytes: UInt16 = 279
    static let planes: UInt16 = 284
    static let tileWidth: UInt16 = 322
    static let tileHeight: UInt16 = 323
    static let tiles: UInt16 = 324
    static let tileBytes: UInt16 = 325
    static let subDirectories: UInt16 = 330
    static let xmp: UInt16 = 700
    static let chromaSubsampling: UInt16 = 530
    static let chromaPosition: UInt16 = 531
    static let patternSize: UInt16 = 33421
    static let pattern: UInt16 = 33422
    static let exif: UInt16 = 34665
    static let gps: UInt16 = 34853
    static let version: UInt16 = 50706
    static let oldestVersion: UInt16 = 50707
    static let cameraModel: UInt16 = 50708
    static let patternColors: UInt16 = 50710
    static let patternLayout: UInt16 = 50711
    static let linearization: UInt16 = 50712
    static let blackSize: UInt16 = 50713
    static let black: UInt16 = 50714
    static let white: UInt16 = 50717
    static let scale: UInt16 = 50718
    static let cropOrigin: UInt16 = 50719
    static let cropSize: UInt16 = 50720
    static let colors: [(matrix: UInt16, illuminant: UInt16)] = [(50721, 50778), (50722, 50779)]
    static let neutral: UInt16 = 50728
    static let baselineExposure: UInt16 = 50730
    static let activeArea: UInt16 = 50829
    static let previewColors: UInt16 = 50970
    static let noise: UInt16 = 51041
  }

  /// What the file says of the camera, whatever picture its directory is of.
  static func camera(_ options: Options) -> TIFFFile.Directory {
    var directory: TIFFFile.Directory = [
      Tag.version: .bytes([1, 4, 0, 0]), Tag.oldestVersion: .bytes([1, 1, 0, 0]),
      Tag.cameraModel: .text(options.cameraModel),
    ]
    for (colors, tags) in zip(options.colors, Tag.colors) {
      directory[tags.matrix] = .signedRationals(colors.matrix.map { fraction($0, 10_000) })
      directory[tags.illuminant] = .shorts([colors.illuminant])
    }
    if let neutral = options.neutral {
      directory[Tag.neutral] = .rationals(neutral.map { fraction(max($0, 0), 1_000_000) })
    }
    return directory
  }

  private static func fraction(_ value: Double, _ denominator: Int64) -> ExifRational {
    let bound = Double(Int32.max)
    let numerator = min(max((value * Double(denominator)).rounded(), -bound), bound)
    return ExifRational(value.isFinite ? Int64(numerator) : 0, denominator)
  }

  /// The directory of the mosaic.
  static func mosaic(
    _ buffer: CVPixelBuffer, _ pattern: [UInt8], _ options: Options, _ file: inout TIFFFile
  ) throws -> TIFFFile.Directory {
    let (width, height) = (buffer.width, buffer.height)
    let bits = options.storage == .packed ? options.bits : options.bits <= 8 ? 8 : 16
    let bytes = samples(of: buffer, bits: bits)
    let block = file.add(bytes)
    let edge = min(width, height) >= 16 ? 2 : 0
    let crop = options.crop ?? (edge, edge, width - 2 * edge, height - 2 * edge)
    guard crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0, crop.x + crop.width <= width,
      crop.y + crop.height <= height
    else {
      throw StillCodecError(
        .unsuitable, "The DNG file cannot be written: the part to show lies outside of the picture.")
    }
    func long(_ value: Int) -> UInt32 { UInt32(clamping: value) }
    let blackSide: UInt16 = options.blackLevels.count == 4 ? 2 : 1
    var directory: TIFFFile.Directory = [
      Tag.kind: .longs([0]), Tag.width: .longs([long(width)]), Tag.height: .longs([long(height)]),
      Tag.bits: .shorts([UInt16(bits)]), Tag.compression: .shorts([1]), Tag.meaning: .shorts([32803]),
      Tag.strips: .block(block), Tag.samples: .shorts([1]), Tag.rowsInStrip: .longs([long(height)]),
      Tag.stripBytes: .longs([long(bytes.count)]), Tag.planes: .shorts([1]),
      Tag.patternSize: .shorts([2, 2]), Tag.pattern: .bytes(pattern), Tag.patternColors: .bytes([0, 1, 2]),
      Tag.patternLayout: .shorts([1]), Tag.blackSize: .shorts([blackSide, blackSide]),
      Tag.black: .rationals(options.blackLevels.map { fraction(max($0, 0), 256) }),
      Tag.white: .longs([long(options.whiteLevel ?? (1 << options.bits) - 1)]),
      Tag.scale: .rationals([ExifRational(1, 1), ExifRational(1, 1)]),
      Tag.cropOrigin: .longs([long(crop.x), long(crop.y)]),
      Tag.cropSize: .longs([long(crop.width), long(crop.height)]),
      Tag.activeArea: .longs([0, 0, long(height), long(width)]),
    ]
    if !options.noise.isEmpty {
      directory[Tag.noise] = .doubles(options.noise.flatMap { [$0.shot, $0.read] })
    }
    return directory
  }

  /// The directory of a preview.
  static func picture(_ jpeg: Data, _ file: inout TIFFFile) throws -> TIFFFile.Directory {
    guard StillFormat(detecting: jpeg) == .jpeg, let facts = try? StillFacts(jpeg) else {
      throw StillCodecError(.unsuitable, "The DNG file cannot be written: its preview is no JPEG picture.")
    }
    let isGray = facts.colorComponents == 1
    let block = file.add(jpeg)
    var directory: TIFFFile.Directory = [
      Tag.kind: .longs([1]), Tag.width: .longs([UInt32(facts.width)]),
      Tag.height: .longs([UInt32(facts.height)]),
      Tag.bits: .shorts(Array(repeating: 8, count: isGray ? 1 : 3)), Tag.compression: .shorts([7]),
      Tag.meaning: .shorts([isGray ? 1 : 6]), Tag.strips: .block(block),
      Tag.samples: .shorts([isGray ? 1 : 3]), Tag.rowsInStrip: .longs([UInt32(facts.height)]),
      Tag.stripBytes: .longs([UInt32(clamping: jpeg.count)]), Tag.planes: .shorts([1]),
      // sRGB.
      Tag.previewColors: .longs([2]),
    ]
    if !isGray {
      directory[Tag.chromaSubsampling] = .shorts(subsampling(of: jpeg))
      // As JFIF has it: in the middle of the lumas.
      directory[Tag.chromaPosition] = .shorts([1])
    }
    return directory
  }

  /// How many lumas along x and y share a chroma.
  private static func subsampling(of jpeg: Data) -> [UInt16] {
    let frame = JPEGSegments(jpeg).first {
      (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
    }
    guard let frame, frame.body.count >= 15 else { return [2, 2] }
    // Precision, height, width, count; then number, factors and table of each component.
    let factors = jpeg[frame.body.lowerBound + 7]
    return [UInt16(max(factors >> 4, 1)), UInt16(max(factors & 15, 1))]
  }

  /// Adds tags of EXIF and GPS, in directories of their own.
  static func addMetadata(_ options: Options, to first: inout TIFFFile.Directory, _ file: inout TIFFFile) {
    var (exif, gps) = (TIFFFile.Directory(), TIFFFile.Directory())
    for tag in options.exif.tags {
      guard let value = options.exif[tag].map({ TIFFFile.Value($0) }) else { continue }
      switch tag.directory {
      // What the file says of its pictures itself is not the client's.
      case .image: if first[tag.number] == nil { first[tag.number] = value }
      case .exif: exif[tag.number] = value
      case .gps: gps[tag.number] = value
      case .thumbnail, .interoperability: continue
      }
    }
    first[Tag.orientation] = .shorts([UInt16((1...8).contains(options.orientation) ? options.orientation : 1)]
    )
    if !exif.isEmpty { first[Tag.exif] = .directories([file.add(exif)]) }
    if !gps.isEmpty { first[Tag.gps] = .directories([file.add(gps)]) }
  }

  /// The numbers of a mosaic, row by row, in so many bits each.
  ///
  /// As TIFF orders them: of 16 bits the lower byte first in this file, of others the highest bit first, and rows end at whole bytes.
  static func samples(of buffer: CVPixelBuffer, bits: Int) -> Data {
    let plane = buffer.planes[0]
    let rowBytes = (buffer.width * bits + 7) / 8
    if bits == 16, plane.bytesPerRow == rowBytes {
      // As it lies; the file's own copy is the only one.
      return Data(
        bytesNoCopy: plane.baseAddress, count: rowBytes * buffer.height,
        deallocator: .custom { _, _ in withExtendedLifetime(buffer) {} })
    }
    return withExtendedLifetime(buffer) {
      var data = Data(count: rowBytes * buffer.height)
      data.withUnsafeMutableBytes { target in
        for row in 0..<buffer.height {
          let source = UnsafeRawBufferPointer(plane.row(row)).prefix(2 * buffer.width)
          let rows = UnsafeMutableRawBufferPointer(rebasing: target[row * rowBytes..<(row + 1) * rowBytes])
          if bits == 16 {
            rows.copyMemory(from: UnsafeRawBufferPointer(rebasing: source))
          } else {
            pack(UnsafeRawBufferPointer(rebasing: source), bits, into: rows)
          }
        }
      }
      return data
    }
  }

  private static func pack(
    _ source: UnsafeRawBufferPointer, _ bits: Int, into target: UnsafeMutableRawBufferPointer
  ) {
    let numbers = source.bindMemory(to: UInt16.self)
    let most = UInt32(1) << UInt32(bits) - 1
    // What does not fill a byte yet, and how many bits that is.
    var (rest, count, place): (UInt32, Int, Int) = (0, 0, 0)
    for number in numbers {
      rest = rest << UInt32(bits) | min(UInt32(UInt16(littleEndian: number)), most)
      count += bits
      while count >= 8 {
        count -= 8
        target[place] = UInt8(truncatingIfNeeded: rest >> UInt32(count))
        place += 1
      }
    }
    if count > 0 { target[place] = UInt8(truncatingIfNeeded: rest << UInt32(8 - count)) }
  }
}
