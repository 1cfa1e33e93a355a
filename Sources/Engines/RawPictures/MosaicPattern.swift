internal import CoreVideo
package import FoundationExtras

/// The order of a mosaic's colours: of the four pixels in its upper left corner.
package enum MosaicPattern: Sendable, Hashable, CaseIterable {
  case rggb, grbg, gbrg, bggr

  /// The pattern of a pixel format, `kCVPixelFormatType_14Bayer_…`; `nil` for others.
  package init?(_ format: OSType) {
    guard let pattern = Self.allCases.first(where: { $0.pixelFormat == format }) else { return nil }
    self = pattern
  }

  /// The pixel format of its mosaics.
  package var pixelFormat: OSType {
    switch self {
    case .rggb: kCVPixelFormatType_14Bayer_RGGB
    case .grbg: kCVPixelFormatType_14Bayer_GRBG
    case .gbrg: kCVPixelFormatType_14Bayer_GBRG
    case .bggr: kCVPixelFormatType_14Bayer_BGGR
    }
  }

  /// The colours of the four, row by row: 0 red, 1 green, 2 blue.
  var colors: [Int] {
    switch self {
    case .rggb: [0, 1, 1, 2]
    case .grbg: [1, 0, 2, 1]
    case .gbrg: [1, 2, 0, 1]
    case .bggr: [2, 1, 1, 0]
    }
  }

  /// The colour of a pixel: 0 red, 1 green, 2 blue.
  package func color(x: Int, y: Int) -> Int { colors[(y & 1) * 2 + (x & 1)] }
}
