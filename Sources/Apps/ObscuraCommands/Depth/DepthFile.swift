internal import AVFoundation
package import DepthMaps
package import Foundation
internal import StillCodecs

/// A depth map as a file.
package enum DepthFile {
  /// A PNG file of grey with 16 bits, in millimetres; 0 is unknown, and so is what lies beyond 65.535 m.
  /// - Throws: ``CommandError`` when there is no memory for it.
  package static func png(_ map: DepthMap) throws(CommandError) -> Data {
    let millimetres = map.expressed(as: .depth).values.map { metres -> UInt16 in
      let rounded = (metres * 1000).rounded()
      return rounded <= Float(UInt16.max) ? UInt16(rounded).littleEndian : 0
    }
    let pixels = millimetres.withUnsafeBytes { Data($0) }
    guard let provider = CGDataProvider(data: pixels as CFData),
      let image = CGImage(
        width: map.width, height: map.height, bitsPerComponent: 16, bitsPerPixel: 16,
        bytesPerRow: 2 * map.width, space: CGColorSpaceCreateDeviceGray(),
        bitmapInfo: CGBitmapInfo(
          rawValue: CGImageAlphaInfo.none.rawValue | CGBitmapInfo.byteOrder16Little.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent),
      let data = try? PNGEncoder.encode(image)
    else { throw noMemory }
    return data
  }

  /// A portable float map in metres: one 32-bit float a place, little-endian, the lowest row first; NaN is unknown.
  ///
  /// Source: Paul Debevec, *The PFM format*.
  package static func pfm(_ map: DepthMap) -> Data {
    let metres = map.expressed(as: .depth).values
    var data = Data("Pf\n\(map.width) \(map.height)\n-1.0\n".utf8)
    for row in stride(from: map.height - 1, through: 0, by: -1) {
      let bits = metres[row * map.width..<(row + 1) * map.width].map { $0.bitPattern.littleEndian }
      bits.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    return data
  }

  private static var noMemory: CommandError {
    CommandError(
      .otherFailure, "The map was measured but cannot be written: there is no memory for it; close programs.")
  }
}
