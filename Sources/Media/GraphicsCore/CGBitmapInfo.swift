/// The place of a pixel's alpha, and whether the colours are already multiplied by it.
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// Colours only, without a byte for alpha.
  case none = 0
  /// Alpha after the colours, which are multiplied by it.
  case premultipliedLast = 1
  /// Alpha before the colours, which are multiplied by it.
  case premultipliedFirst = 2
  /// Alpha after the colours, which are not multiplied.
  case last = 3
  /// Alpha before the colours, which are not multiplied.
  case first = 4
  /// An unused component after the colours; the image is opaque.
  case noneSkipLast = 5
  /// An unused component before the colours; the image is opaque.
  case noneSkipFirst = 6
  /// Alpha without colours.
  case alphaOnly = 7
}

/// In which order the bytes of a pixel (of 32 bits) or of a component (of 16) lie in memory.
public enum CGImageByteOrderInfo: UInt32, Sendable {
  /// The bits of ``CGBitmapInfo`` that hold the order.
  case orderMask = 0x7000
  /// Components in the order they are named; 16-bit ones big-endian.
  case orderDefault = 0
  /// Components of 16 bits, low byte first.
  case order16Little = 0x1000
  /// Pixels of 32 bits, low byte first: `first` with this is B, G, R, A in memory.
  case order32Little = 0x2000
  /// Components of 16 bits, high byte first.
  case order16Big = 0x3000
  /// Pixels of 32 bits, high byte first.
  case order32Big = 0x4000
}

/// The layout of a bitmap's pixel in memory: alpha, float or integer, byte order.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
  /// The bits, as Apple numbers them.
  public let rawValue: UInt32

  /// The layout with these bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The bits that hold a ``CGImageAlphaInfo``.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  /// The bits that say whether components are floating-point numbers.
  public static let floatInfoMask = CGBitmapInfo(rawValue: 0xF00)
  /// Components are floating-point numbers of 16 or 32 bits.
  public static let floatComponents = CGBitmapInfo(rawValue: 0x100)
  /// The bits that hold a ``CGImageByteOrderInfo``.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// Components in the order they are named.
  public static let byteOrderDefault: CGBitmapInfo = []
  /// Components of 16 bits, low byte first.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 0x1000)
  /// Pixels of 32 bits, low byte first.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 0x2000)
  /// Components of 16 bits, high byte first.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 0x3000)
  /// Pixels of 32 bits, high byte first.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 0x4000)
}

/// The treatment of colours that the target cannot show.
public enum CGColorRenderingIntent: Int32, Sendable {
  /// Whatever suits the kind of content.
  case defaultIntent = 0
  /// Keep the colours inside, clip the others, do not adapt the white.
  case absoluteColorimetric = 1
  /// Keep the colours inside relative to white, clip the others.
  case relativeColorimetric = 2
  /// Squeeze all colours so that their relations are kept.
  case perceptual = 3
  /// Keep colours strong rather than exact.
  case saturation = 4
}
