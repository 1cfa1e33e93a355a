internal import CoreVideo
internal import GraphicsCore

/// The pixel format of a bitmap in memory; alpha is premultiplied.
public struct CIFormat: RawRepresentable, Sendable, Hashable {
  /// Our own number for the format; it need not equal Apple's.
  public let rawValue: Int32

  /// The format with this number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Bytes: alpha, red, green, blue.
  public static let ARGB8 = CIFormat(rawValue: 1)
  /// Bytes: blue, green, red, alpha.
  public static let BGRA8 = CIFormat(rawValue: 2)
  /// Bytes: red, green, blue, alpha.
  public static let RGBA8 = CIFormat(rawValue: 3)
  /// Bytes: red, green, blue, unused.
  public static let RGBX8 = CIFormat(rawValue: 4)
  /// 16-bit integers in the machine's order: red, green, blue, alpha.
  public static let RGBA16 = CIFormat(rawValue: 5)
  /// 32-bit floats in the machine's order: red, green, blue, alpha; they keep values outside 0…1.
  public static let RGBAf = CIFormat(rawValue: 6)
  /// 16-bit floats in the machine's order: red, green, blue, alpha; they keep values outside 0…1, to three digits.
  public static let RGBAh = CIFormat(rawValue: 8)
  /// Bytes: alpha, blue, green, red.
  public static let ABGR8 = CIFormat(rawValue: 9)
  /// Bytes of luminance.
  public static let L8 = CIFormat(rawValue: 7)

  /// Apple's flags for a `CGImage` of this format.
  var bitmapInfo: (info: CGBitmapInfo, bitsPerComponent: Int, bitsPerPixel: Int)? {
    func info(_ alpha: CGImageAlphaInfo, _ order: CGBitmapInfo) -> CGBitmapInfo {
      CGBitmapInfo(rawValue: alpha.rawValue).union(order)
    }
    switch self {
    case .ARGB8: return (info(.premultipliedFirst, .byteOrder32Big), 8, 32)
    case .BGRA8: return (info(.premultipliedFirst, .byteOrder32Little), 8, 32)
    case .RGBA8: return (info(.premultipliedLast, .byteOrder32Big), 8, 32)
    case .RGBX8: return (info(.noneSkipLast, .byteOrder32Big), 8, 32)
    case .RGBA16: return (info(.premultipliedLast, .byteOrder16Little), 16, 64)
    case .ABGR8: return (info(.premultipliedLast, .byteOrder32Little), 8, 32)
    case .RGBAh: return (info(.premultipliedLast, [.byteOrder16Little, .floatComponents]), 16, 64)
    case .RGBAf: return (info(.premultipliedLast, [.byteOrder32Little, .floatComponents]), 32, 128)
    case .L8: return (info(.none, .byteOrderDefault), 8, 8)
    default: return nil
    }
  }
}
