internal import AVFCapture
internal import AVFoundation
package import DepthMaps
package import Foundation
internal import StillCodecs

/// A depth map as a file.
package enum DepthFile {
  /// A PNG file of grey with 16 bits, in millimetres; 0 is unknown, and so is what lies beyond 65.535 m.
  /// - Throws: ``CommandError`` when there is no memory for it.
  package static func png(_ map: DepthMap) throws(CommandError) -> Data {
    let pixels = map.millimetres.withUnsafeBytes { Data($0) }
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

  /// The points of a map with the colours of its picture, as a PLY file in metres; what is unknown is left out, and so is what lies
  /// between a surface and the one behind.
  /// - Throws: ``CommandError`` with ``ExitCode/formatNotSupported`` for a camera of whose lens nothing is known.
  static func ply(_ seen: NewestDepth.Sighting, _ camera: AVCaptureDevice) throws -> Data {
    guard let lens = lens(seen.calibration, camera) else {
      throw CommandError(
        .formatNotSupported,
        "\(camera.localizedName) says nothing of its lens, without which a map gives no points; write a .png or .pfm file."
      )
    }
    guard let picture = seen.picture else { throw noMemory }
    let colors = try PointCloud.colors(of: picture, width: seen.map.width, height: seen.map.height)
    return PointCloud(seen.map, lens: lens, colors: colors, leavesOutEdges: true).ply
  }

  /// What a map was seen through: as its calibration says, else a straight lens of the camera's field of view.
  private static func lens(_ calibration: AVCameraCalibrationData?, _ camera: AVCaptureDevice) -> DepthLens? {
    if let calibration { return calibration.lens }
    let format = camera.activeFormat
    let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
    guard format.videoFieldOfView > 0, format.videoFieldOfView < 180 else { return nil }
    return DepthLens(fieldOfView: format.videoFieldOfView, width: Int(size.width), height: Int(size.height))
  }

  private static var noMemory: CommandError {
    CommandError(
      .otherFailure, "The map was measured but cannot be written: there is no memory for it; close programs.")
  }
}
