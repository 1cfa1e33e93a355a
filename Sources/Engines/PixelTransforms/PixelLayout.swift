internal import CoreVideo
internal import FoundationExtras

/// The memory layout of a pixel format that we can transform.
struct PixelLayout: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A plane of luma and a plane of interleaved chroma pairs at half width and height.
    case biplanar420
    /// The same in 16-bit samples with the 10 bits on top.
    case biplanar420Deep
    /// Three planes, chroma at half width and height.
    case planar420
    /// Two pixels in four bytes.
    case packed422(lumaFirst: Bool)
    /// Four bytes per pixel; the array says what lies where: 0 blue, 1 green, 2 red, 3 alpha.
    case rgb32(RGBOrder)
    /// Three bytes per pixel: red, green, blue.
    case rgb24
    /// One byte of luma per pixel, full range.
    case gray
    /// Two bytes of luma per pixel, full range.
    case grayDeep
  }

  var kind: Kind
  var isFullRange: Bool

  /// The layout of `format`, or `nil` when it cannot be transformed.
  init?(_ format: OSType) {
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self.init(.biplanar420, isFullRange: false)
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self.init(.biplanar420, isFullRange: true)
    case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: self.init(.biplanar420Deep, isFullRange: false)
    case kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: self.init(.biplanar420Deep, isFullRange: true)
    case kCVPixelFormatType_420YpCbCr8Planar: self.init(.planar420, isFullRange: false)
    case kCVPixelFormatType_420YpCbCr8PlanarFullRange: self.init(.planar420, isFullRange: true)
    case kCVPixelFormatType_422YpCbCr8_yuvs: self.init(.packed422(lumaFirst: true), isFullRange: false)
    case kCVPixelFormatType_422YpCbCr8FullRange: self.init(.packed422(lumaFirst: true), isFullRange: true)
    case kCVPixelFormatType_422YpCbCr8: self.init(.packed422(lumaFirst: false), isFullRange: false)
    case kCVPixelFormatType_32BGRA: self.init(.rgb32(.bgra), isFullRange: true)
    case kCVPixelFormatType_32RGBA: self.init(.rgb32(.rgba), isFullRange: true)
    case kCVPixelFormatType_32ARGB: self.init(.rgb32(.argb), isFullRange: true)
    case kCVPixelFormatType_24RGB: self.init(.rgb24, isFullRange: true)
    case kCVPixelFormatType_OneComponent8: self.init(.gray, isFullRange: true)
    case kCVPixelFormatType_OneComponent16: self.init(.grayDeep, isFullRange: true)
    default: return nil
    }
  }

  init(_ kind: Kind, isFullRange: Bool) {
    self.kind = kind
    self.isFullRange = isFullRange
  }

  /// Whether luma and chroma are apart; gray counts, as luma alone.
  var isYCbCr: Bool {
    switch kind {
    case .rgb32, .rgb24: false
    default: true
    }
  }

  /// Whether there is luma and nothing else.
  var isGray: Bool { kind == .gray || kind == .grayDeep }

  /// Whether two rows share one row of chroma.
  var sharesChromaRows: Bool {
    switch kind {
    case .biplanar420, .biplanar420Deep, .planar420: true
    default: false
    }
  }

  /// The layout in which a picture of this one can be turned and scaled as it stands.
  var geometryKind: Kind {
    switch kind {
    case .planar420, .packed422: .biplanar420
    case .rgb24: .rgb32(.bgra)
    default: kind
    }
  }
}

/// The order of the colours in the four bytes of a pixel: 0 blue, 1 green, 2 red, 3 alpha.
struct RGBOrder: Sendable, Hashable {
  var first: UInt8
  var second: UInt8
  var third: UInt8
  var fourth: UInt8

  static let bgra = RGBOrder(first: 0, second: 1, third: 2, fourth: 3)
  static let rgba = RGBOrder(first: 2, second: 1, third: 0, fourth: 3)
  static let argb = RGBOrder(first: 3, second: 2, third: 1, fourth: 0)

  var bytes: [UInt8] { [first, second, third, fourth] }

  /// For each byte of `other`, the byte of this order that it takes.
  func shuffle(to other: RGBOrder) -> [UInt8] {
    other.bytes.map { wanted in UInt8(bytes.firstIndex(of: wanted) ?? 0) }
  }
}
