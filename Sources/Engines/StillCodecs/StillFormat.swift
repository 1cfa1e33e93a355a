public import Foundation

/// The file formats of single pictures.
public enum StillFormat: String, Sendable, Hashable, CaseIterable {
  /// ISO/IEC 10918, in JFIF or EXIF files.
  case jpeg
  /// ISO/IEC 23008-12 with HEVC pictures.
  case heic
  /// ISO/IEC 15948.
  case png
  /// A sensor's numbers, which are developed when they are read (Adobe's Digital Negative); read here, and written by other means.
  case dng
  /// Pictures of at most 256 colours that may follow each other; read here, and written by ``GIFEncoder``.
  case gif

  /// Recognises a file by its first bytes, decoding nothing.
  ///
  /// `nil` for anything but JPEG, HEIC, PNG, GIF and TIFF. Of TIFF files only DNG is read, which shows further behind.
  public init?(detecting data: Data) {
    let start = [UInt8](data.prefix(32))
    if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.count >= 12, start[4..<8].elementsEqual("ftyp".utf8),
      HEIFBoxes.isHEIC(data)
    {
      self = .heic
    } else if start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      self = .dng
    } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
      self = .gif
    } else {
      return nil
    }
  }

  /// Apple's uniform type identifier.
  public var typeIdentifier: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .heic: "public.heic"
    case .png: "public.png"
    case .dng: "com.adobe.raw-image"
    case .gif: "com.compuserve.gif"
    }
  }

  /// The format of a uniform type identifier that pictures are written in; `nil` for others.
  public init?(typeIdentifier: String) {
    switch typeIdentifier {
    case "public.jpeg": self = .jpeg
    case "public.heic", "public.heif": self = .heic
    case "public.png": self = .png
    default: return nil
    }
  }
}
