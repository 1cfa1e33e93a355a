package import CaptureDevice
internal import CoreMedia
package import CoreVideo
internal import Foundation
package import RawPictures

extension SensorMosaic {
  /// The numbers, unscaled, two bytes each.
  ///
  /// - Parameter buffer: Of the layout's pixel format and the mosaic's size.
  /// - Throws: ``TooShort``, when the device sent less than a whole mosaic.
  package func unpack(into buffer: CVPixelBuffer) throws {
    var isWhole = false
    try FrameDecoder.withBytes(of: data) { data in
      isWhole = data.withUnsafeBytes {
        MosaicUnpacking.unpack(
          $0, bytesPerRow: bytesPerRow, bits: layout.bits, isPacked: layout.isPacked, into: buffer)
      }
    }
    if !isWhole { throw TooShort() }
  }

  /// The error of a device that sent less than a mosaic.
  package struct TooShort: Error {}

  /// The meaning of its numbers, balanced by `gains`.
  package func facts(gains: SIMD3<Double>) -> RawFacts {
    var facts = RawFacts()
    facts.blackLevels = blackLevels
    facts.whiteLevel = whiteLevel
    facts.gains = gains
    // Without it the sensor's colours are taken for the picture's: pale, but none is wrong by much.
    facts.matrix = colors.flatMap { RawFacts.matrix(fromXYZ: $0.matrix) } ?? RawFacts.identity
    return facts
  }
}

extension SensorColors {
  /// The nine numbers, row by row, as DNG has them.
  package var matrix: [Double] {
    [red, green, blue].flatMap { [$0.x, $0.y, $0.z] }
  }
}

extension WhiteBalanceGains {
  /// The same factors in doubles.
  package var factors: SIMD3<Double> { SIMD3(Double(red), Double(green), Double(blue)) }
}
