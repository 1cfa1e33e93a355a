public import Foundation
internal import CImageCodecs
package import FoundationExtras
package import GraphicsCore

/// The facts of a picture file, read without decoding its pixels.
public struct StillFacts: Sendable {
  /// The kind of file.
  public var format: StillFormat
  /// Pixels along x as they are stored, before any rotation; of a DNG those that are shown.
  public var width: Int
  /// Pixels along y as they are stored.
  public var height: Int
  /// The orientation of the stored pixels, 1…8 as in EXIF.
  ///
  /// Of a HEIC its own rotation counts, not its EXIF tag.
  public var orientation = 1
  /// Bits of one number: 8 for most, 10 for some HEIC, up to 16 for PNG; of a DNG those of the developed picture.
  public var bitsPerComponent = 8
  /// Numbers of a colour, alpha not counted: 1 gray, 3 colour, 4 CMYK.
  public var colorComponents = 3
  /// Whether there is an alpha channel.
  public var hasAlpha = false
  /// Whether a JPEG comes in scans that refine each other.
  public var isProgressive = false
  /// Whether a JPEG has JFIF's header.
  public var isJFIF = false
  /// Dots per inch along x and y; `nil` when the file says nothing.
  public var dotsPerInch: (x: Double, y: Double)?
  /// The ICC profile; `nil` without one.
  public var profile: Data?
  /// The EXIF block from its TIFF header on; `nil` without one.
  public var exif: Data?
  /// The XMP packet; `nil` without one.
  public var xmp: Data?
  /// When the picture was made, as a PNG's text of that name says; `nil` without one that is a date.
  package var creationTime: WrittenDate?
  /// When the file was changed last, as a PNG's own time says; `nil` without one.
  package var changeTime: WrittenDate?
  /// Whether a HEIC or DNG holds a smaller picture of the same; JPEG's thumbnail is in the EXIF block.
  public var hasThumbnail = false
  /// The meaning of a DNG's numbers; `nil` for other files.
  package var raw: RawMeaning?
  /// The pictures of a GIF; `nil` for other files.
  package var gif: GIFFile?

  /// The code point of a HEIC's colour box (H.273); -1 or 2 when it says nothing.
  private var primaries: Int32 = -1

  /// Reads what `data` says about itself.
  ///
  /// - Throws: ``StillCodecError``: `unsupported` for no known format, `damaged` when its head is broken.
  public init(_ data: Data) throws {
    switch StillFormat(detecting: data) {
    case .jpeg: try self.init(jpeg: data)
    case .heic: try self.init(heic: data)
    case .png: try self.init(png: data)
    case .dng: try self.init(dng: data)
    case .gif: try self.init(gif: data)
    case nil: throw StillCodecError.noPicture
    }
  }

  /// The block of tags; `nil` without one or when it is broken.
  package var exifBlock: ExifBlock? { exif.flatMap { ExifBlock(reading: $0) } }

  private init(_ format: StillFormat, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }

  private init(jpeg data: Data) throws {
    self.init(.jpeg, width: 0, height: 0)
    for segment in JPEGSegments(data) {
      let body = data[segment.body]
      switch segment.marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard body.count >= 6 else { continue }
        let bytes = [UInt8](body.prefix(6))
        bitsPerComponent = Int(bytes[0])
        height = Int(bytes[1]) << 8 | Int(bytes[2])
        width = Int(bytes[3]) << 8 | Int(bytes[4])
        colorComponents = Int(bytes[5])
        isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(segment.marker)
      case 0xE0 where body.count >= 12 && body.starts(with: "JFIF\0".utf8):
        isJFIF = true
        let bytes = [UInt8](body.prefix(12))
        let scale = bytes[7] == 1 ? 1 : bytes[7] == 2 ? 2.54 : 0
        let (x, y) = (Int(bytes[8]) << 8 | Int(bytes[9]), Int(bytes[10]) << 8 | Int(bytes[11]))
        if scale > 0, x > 0, y > 0 { dotsPerInch = (Double(x) * scale, Double(y) * scale) }
      case 0xE1 where exif == nil && body.starts(with: MarkerSegments.exifPrefix):
        exif = Data(body.dropFirst(MarkerSegments.exifPrefix.count))
      case 0xE1 where xmp == nil && body.starts(with: MarkerSegments.xmpPrefix):
        xmp = Data(body.dropFirst(MarkerSegments.xmpPrefix.count))
      default:
        continue
      }
    }
    guard width > 0, height > 0 else { throw StillCodecError.damagedJPEG("it has no frame header") }
    profile = JPEGSegments.profile(of: data)
    readOrientation()
  }

  private init(png data: Data) throws {
    let header = try PNGDecoder.Header(data)
    self.init(.png, width: header.width, height: header.height)
    bitsPerComponent = header.isPalette ? 8 : header.bitDepth
    colorComponents = header.isGray ? 1 : 3
    hasAlpha = header.hasAlpha
    if header.dotsPerInch > 0 { dotsPerInch = (header.dotsPerInch, header.dotsPerInch) }
    profile = header.profile
    exif = header.exif
    xmp = header.xmp
    creationTime = header.creationTime.flatMap { WrittenDate($0) ?? WrittenDate(mail: $0) }
    changeTime = header.modified.flatMap { numbers in
      func text(_ part: Range<Int>) -> [String] {
        part.map { numbers[$0] < 10 ? "0\(numbers[$0])" : "\(numbers[$0])" }
      }
      return WrittenDate(
        text(0..<3).joined(separator: "-") + "T" + text(3..<6).joined(separator: ":") + "Z")
    }
    readOrientation()
  }

  private init(heic data: Data) throws {
    guard let boxes = HEIFBoxes(data) else { throw StillCodecError.damagedHEIC("it has no primary picture") }
    self.init(.heic, width: boxes.width, height: boxes.height)
    orientation = boxes.orientation
    try HEICFile.open(data) { file in
      bitsPerComponent = Int(file.header.bit_depth)
      hasAlpha = file.header.has_alpha != 0
      hasThumbnail = file.header.has_thumbnail != 0
      primaries = file.header.primaries
      profile = file.profile()
      exif = file.exif()
      xmp = file.xmp()
    }
  }

  private init(dng data: Data) throws {
    let head = try DNGDecoder.Head(data)
    self.init(.dng, width: head.shown.width, height: head.shown.height)
    orientation = head.facts.orientation
    hasThumbnail = head.preview != nil
    exif = try? head.exif.data()
    xmp = head.xmp
    raw = RawMeaning(facts: head.facts, baselineExposure: head.baselineExposure)
  }

  private init(gif data: Data) throws {
    let file = try GIFFile(data)
    self.init(.gif, width: file.width, height: file.height)
    hasAlpha = file.hasAlpha
    gif = file
  }

  /// The meaning of a DNG's numbers.
  package struct RawMeaning: Sendable {
    /// Levels, colours, noise; without a preview.
    package var facts: DNGEncoder.Options
    /// Stops by which the picture shall be brighter than its numbers say.
    package var baselineExposure: Double
  }

  private mutating func readOrientation() {
    if case .shorts(let numbers) = exifBlock?[ExifTag(.image, 0x0112)], let number = numbers.first,
      (1...8).contains(number)
    {
      orientation = Int(number)
    }
  }

  /// The colour space of the file: its profile's, or sRGB.
  package var colorSpace: CGColorSpace {
    if let profile, let space = CGColorSpace(iccData: profile) { return space }
    if primaries == 12, let space = CGColorSpace(name: CGColorSpace.displayP3) { return space }
    if primaries == 9, let space = CGColorSpace(name: CGColorSpace.itur_2020) { return space }
    return colorComponents == 1
      ? CGColorSpaceCreateDeviceGray()
      : CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()
  }
}
