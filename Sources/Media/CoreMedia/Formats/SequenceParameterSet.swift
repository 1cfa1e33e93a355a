internal import CoreVideo
internal import FoundationExtras

/// A sequence parameter set of H.264, read as far as a description needs it.
///
/// Source: ITU-T H.264, 7.3.2.1.1 and, for shape and colours, E.1.1.
package struct SequenceParameterSet: Sendable, Hashable {
  /// `profile_idc`: 66 is baseline, 77 main, 100 high.
  package private(set) var profile: UInt8
  /// The flags between profile and level.
  package private(set) var constraints: UInt8
  /// `level_idc`: ten times the level.
  package private(set) var level: UInt8
  /// The number by which picture parameter sets name it; 0 to 31.
  package private(set) var identifier: Int
  /// `chroma_format_idc`: 0 is grey, 1 4:2:0, 2 4:2:2, 3 4:4:4.
  package private(set) var chromaFormat = 1
  /// Bits of a luma sample.
  package private(set) var lumaDepth = 8
  /// Bits of a colour difference.
  package private(set) var chromaDepth = 8
  /// Pixels in a row and rows, as they are shown: without what only fills up macroblocks.
  package private(set) var dimensions = CMVideoDimensions()
  /// How wide and high a pixel is; `nil` where the set does not say.
  package private(set) var pixelShape: (width: Int, height: Int)? {
    get { pixelWidth > 0 && pixelHeight > 0 ? (pixelWidth, pixelHeight) : nil }
    set { (pixelWidth, pixelHeight) = newValue ?? (0, 0) }
  }
  private var pixelWidth = 0
  private var pixelHeight = 0
  /// Whether luma takes all its values; `nil` where the set does not say.
  package private(set) var isFullRange: Bool?
  /// Primaries, transfer function and matrix as ITU-T H.273 numbers them; `nil` where the set does not say.
  package private(set) var colors: [Int32]?

  /// Whether the set has the fields for other sampling than 4:2:0 with 8 bits.
  package var isHighProfile: Bool { Self.highProfiles.contains(profile) }

  private static let highProfiles: Set<UInt8> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  /// The shapes that have numbers, from 1 on.
  private static let pixelShapes = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11),
    (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  /// Reads a set with its NAL header, and without a start code; `nil` for what is none, is cut off or contradicts itself.
  package init?(_ unit: UnsafeRawBufferPointer) {
    guard let header = unit.first, header & 0x80 == 0, header & 0x1F == 7 else { return nil }
    var bits = NALBits(UnsafeRawBufferPointer(rebasing: unit.dropFirst()))
    profile = UInt8(bits.read(8))
    constraints = UInt8(bits.read(8))
    level = UInt8(bits.read(8))
    identifier = bits.readCount()
    if isHighProfile { readSampling(&bits) }
    Self.passOrder(&bits)
    readSize(&bits)
    guard !bits.isOver, identifier < 32, chromaFormat <= 3, lumaDepth <= 14, chromaDepth <= 14,
      dimensions.width > 0, dimensions.height > 0
    else { return nil }
    let plain = self
    readUsability(&bits)
    // Shape and colours are an addition: a set that breaks off there still says what decoding needs.
    if bits.isOver { self = plain }
  }

  private mutating func readSampling(_ bits: inout NALBits) {
    chromaFormat = bits.readCount()
    if chromaFormat == 3 { _ = bits.read(1) }
    lumaDepth = 8 + bits.readCount()
    chromaDepth = 8 + bits.readCount()
    _ = bits.read(1)
    guard bits.read(1) == 1 else { return }
    for list in 0..<(chromaFormat == 3 ? 12 : 8) where bits.read(1) == 1 {
      var (last, next) = (8, 8)
      for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
        next = (last + bits.readSigned()) & 0xFF
        if next != 0 { last = next }
      }
    }
  }

  /// How frames are numbered and ordered.
  private static func passOrder(_ bits: inout NALBits) {
    _ = bits.readCount()
    switch bits.readCount() {
    case 0: _ = bits.readCount()
    case 1:
      _ = bits.read(1)
      _ = bits.readSigned()
      _ = bits.readSigned()
      for _ in 0..<min(bits.readCount(), 255) { _ = bits.readSigned() }
    default: break
    }
    _ = bits.readCount()
    _ = bits.read(1)
  }

  private mutating func readSize(_ bits: inout NALBits) {
    // More than any level allows, and small enough to multiply.
    let columns = min(bits.readCount(), 0xFFFF) + 1
    let rows = min(bits.readCount(), 0xFFFF) + 1
    let isFrame = bits.read(1) == 1
    if !isFrame { _ = bits.read(1) }
    _ = bits.read(1)
    var (width, height) = (columns * 16, rows * (isFrame ? 16 : 32))
    if bits.read(1) == 1 {
      let across = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
      let down = (chromaFormat == 1 ? 2 : 1) * (isFrame ? 1 : 2)
      width -= (min(bits.readCount(), width) + min(bits.readCount(), width)) * across
      height -= (min(bits.readCount(), height) + min(bits.readCount(), height)) * down
    }
    dimensions = CMVideoDimensions(width: Int32(clamping: width), height: Int32(clamping: height))
  }

  private mutating func readUsability(_ bits: inout NALBits) {
    guard bits.read(1) == 1 else { return }
    if bits.read(1) == 1 {
      let number = bits.read(8)
      if number == 255 {
        pixelShape = (bits.read(16), bits.read(16))
      } else if (1...Self.pixelShapes.count).contains(number) {
        pixelShape = Self.pixelShapes[number - 1]
      }
    }
    if bits.read(1) == 1 { _ = bits.read(1) }
    guard bits.read(1) == 1 else { return }
    _ = bits.read(3)
    isFullRange = bits.read(1) == 1
    if bits.read(1) == 1 { colors = (0..<3).map { _ in Int32(bits.read(8)) } }
  }

  /// The extensions that follow from the set, by `kCMFormatDescriptionExtension_…`.
  var extensions: [String: Any] {
    var values: [String: Any] = [:]
    if let (width, height) = pixelShape {
      values[kCMFormatDescriptionExtension_PixelAspectRatio] = [
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: width,
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: height,
      ]
    }
    if let isFullRange { values[kCMFormatDescriptionExtension_FullRangeVideo] = isFullRange }
    if let colors {
      values[kCMFormatDescriptionExtension_ColorPrimaries] =
        CVColorPrimariesGetStringForIntegerCodePoint(colors[0])
      values[kCMFormatDescriptionExtension_TransferFunction] =
        CVTransferFunctionGetStringForIntegerCodePoint(colors[1])
      values[kCMFormatDescriptionExtension_YCbCrMatrix] = CVYCbCrMatrixGetStringForIntegerCodePoint(colors[2])
    }
    return values
  }
}
