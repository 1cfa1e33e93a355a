internal import AVFCore
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
package import GraphicsCore
internal import ImageCore
internal import ImageIO
internal import Linux
internal import PhotoProcessing
internal import StillCodecs

/// Small pictures of files, kept as the freedesktop specification says, so that file managers and this library share them.
///
/// https://specifications.freedesktop.org/thumbnail-spec (version 0.9).
package struct Thumbnails: Sendable {
  /// The sizes of the specification, by the longer edge in pixels.
  package enum Size: Int, Sendable, CaseIterable {
    case normal = 128
    case large = 256
    case xLarge = 512
    case xxLarge = 1024

    var folder: String {
      switch self {
      case .normal: "normal"
      case .large: "large"
      case .xLarge: "x-large"
      case .xxLarge: "xx-large"
      }
    }
  }

  /// The folder that holds one folder for each size.
  package let folder: String

  package init(_ folder: String) {
    self.folder = folder
  }

  /// The name of a file as a URI, which thumbnails are named after.
  package static func uri(_ path: String) -> String {
    var bytes = Array("file://".utf8)
    append(path, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a path as it stands in a URI.
  static func append(_ path: String, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + path.utf8.count + 72)
    for byte in path.utf8 {
      if isPlain[Int(byte)] {
        bytes.append(byte)
      } else {
        bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Which bytes a URI has as they are.
  private static let isPlain: [Bool] = {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$&'()*+,-./:=@_~"
    var table = [Bool](repeating: false, count: 256)
    for byte in plain.utf8 { table[Int(byte)] = true }
    return table
  }()

  /// Where the thumbnail of a file lies, whether it is there or not.
  package func path(of file: String, _ size: Size) -> String {
    "\(folder)/\(size.folder)/\(MD5.text(of: Self.uri(file).utf8)).png"
  }

  // MARK: Reading

  /// The kept thumbnail; `nil` when there is none, or the file has changed since.
  package func kept(of file: String, _ size: Size) -> CGImage? {
    guard let facts = FileCalls.facts(file),
      let data = InputFile.contents(of: URL(fileURLWithPath: path(of: file, size)), atMost: 16 << 20),
      PNGText.read(data)["Thumb::MTime"] == "\(facts.modified / 1_000_000_000)",
      let source = CGImageSourceCreateWithData(data, nil)
    else { return nil }
    return CGImageSourceCreateImageAtIndex(source, 0, nil)
  }

  /// The thumbnail of a picture or video, made and kept where it is missing; `nil` when the file cannot be read.
  ///
  /// It stands upright.
  package func thumbnail(of file: String, _ size: Size) -> CGImage? {
    if let kept = kept(of: file, size) { return kept }
    guard let image = Self.fresh(file, edge: size.rawValue) ?? Self.make(file, edge: size.rawValue) else {
      return nil
    }
    keep(image, of: file, size)
    return image
  }

  /// A small upright picture of a photo that this program has just taken; `nil` for other files and larger sizes.
  private static func fresh(_ file: String, edge: Int) -> CGImage? {
    guard edge <= FreshPictures.edge, let found = FreshPictures.picture(ofFile: file) else { return nil }
    var picture = CIImage(cgImage: found.image).oriented(forExifOrientation: Int32(found.orientation))
    let scale = min(1, Double(edge) / max(picture.extent.width, picture.extent.height))
    if scale < 1 { picture = picture.transformed(by: CGAffineTransform(scaleX: scale, y: scale)) }
    return CIContext().createCGImage(picture, from: picture.extent.integral)
  }

  /// A small upright picture of a file.
  static func make(_ file: String, edge: Int) -> CGImage? {
    let url = URL(fileURLWithPath: file)
    guard let head = try? InputFile(file).head(64) else { return nil }
    guard StillFormat(detecting: head) != nil else {
      let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
      generator.appliesPreferredTrackTransform = true
      generator.maximumSize = CGSize(width: edge, height: edge)
      return try? generator.copyCGImage(at: .zero, actualTime: nil)
    }
    guard let source = CGImageSourceCreateWithURL(url, nil) else { return nil }
    let wanted: [String: Any] = [
      kCGImageSourceThumbnailMaxPixelSize: edge, kCGImageSourceCreateThumbnailWithTransform: true,
    ]
    // The embedded one costs nothing, but is often too small.
    if let embedded = CGImageSourceCreateThumbnailAtIndex(source, 0, wanted),
      max(embedded.width, embedded.height) >= edge
    {
      return embedded
    }
    return CGImageSourceCreateThumbnailAtIndex(
      source, 0, wanted.merging([kCGImageSourceCreateThumbnailFromImageAlways: true]) { $1 })
  }

  // MARK: Keeping

  /// Keeps a thumbnail; a disk that is full is no reason to fail.
  package func keep(_ image: CGImage, of file: String, _ size: Size) {
    guard let facts = FileCalls.facts(file) else { return }
    var options = PNGEncoder.Options()
    options.effort = 1
    let text = [
      ("Thumb::URI", Self.uri(file)), ("Thumb::MTime", "\(facts.modified / 1_000_000_000)"),
      ("Thumb::Size", "\(facts.bytes)"), ("Software", "obscura"),
    ]
    guard let png = try? PNGEncoder.encode(image, options: options) else { return }
    do throws(SystemError) {
      try FileCalls.makeFolder("\(folder)/\(size.folder)")
      try AtomicFile.write(PNGText.adding(text, to: png), to: path(of: file, size))
    } catch {
      // Thumbnails are made again when they are asked for.
    }
  }

  /// Removes what is kept of a file.
  package func remove(_ file: String) {
    for size in Size.allCases { FileCalls.remove(path(of: file, size)) }
  }
}

/// The texts in a PNG file.
package enum PNGText {
  private static let headCount = 8 + 25

  /// The file with `tEXt` chunks behind its header.
  static func adding(_ texts: [(String, String)], to png: Data) -> Data {
    var result = Data(png.prefix(headCount))
    for (keyword, text) in texts {
      let body = Data("tEXt".utf8) + Data(keyword.utf8) + [0] + Data(text.utf8)
      result += bytes(UInt32(body.count - 4)) + body + bytes(checksum(body))
    }
    return result + png.dropFirst(headCount)
  }

  /// The texts that stand before the picture.
  package static func read(_ png: Data) -> [String: String] {
    let png = Data(png)
    var texts: [String: String] = [:]
    var offset = 8
    while offset + 12 <= png.count {
      let count = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: png[offset + 4..<offset + 8], as: UTF8.self)
      guard name != "IDAT", offset + 12 + count <= png.count else { break }
      if name == "tEXt" {
        let parts = png[offset + 8..<offset + 8 + count].split(
          separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
          texts[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
        }
      }
      offset += 12 + count
    }
    return texts
  }

  private static func bytes(_ number: UInt32) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
  }

  /// CRC-32 as PNG has it.
  private static func checksum(_ data: Data) -> UInt32 {
    ~data.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }
}
