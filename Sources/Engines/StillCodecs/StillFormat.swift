public import Foundation

/// The file formats of single pictures.
public enum StillFormat: String, Sendable, Hashable, CaseIterable {
  /// ISO/IEC 10918, in JFIF or EXIF files.
  case jpeg
  /// ISO/IEC 23008-12 with HEVC pictures.
  case heic
  /// ISO/IEC 15948.
  case png

  /// Recognises a file by its first bytes, decoding nothing.
  ///
  /// `nil` for anything but JPEG, HEIC and PNG.
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
    }
  }

  /// The format of a uniform type identifier; `nil` for one that is not written or read here.
  public init?(typeIdentifier: String) {
    switch typeIdentifier {
    case "public.jpeg": self = .jpeg
    case "public.heic", "public.heif": self = .heic
    case "public.png": self = .png
    default: return nil
    }
  }
}
