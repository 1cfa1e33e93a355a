import AVFoundation
import DepthMaps
import Foundation

/// The newest depth map as it can be saved, with the colours of its moment's picture where they are known.
struct DepthShot: Sendable {
  /// Metres, as it is shown.
  var map: DepthMap
  /// Whether it is shown like a mirror; what is saved is not.
  var isMirrored: Bool
  var lens: DepthLens?
  /// Of each place; none without a picture.
  var colors: [UInt32] = []

  /// A grey PNG file with 16 bits, in millimetres.
  ///
  /// 0 is unknown; `nil` when there is no memory for it.
  var png: Data? {
    let map = map.turned(quarters: 0, isMirrored: isMirrored)
    let pixels = map.millimetres.withUnsafeBytes { Data($0) }
    let data = NSMutableData()
    guard let provider = CGDataProvider(data: pixels as CFData),
      let image = CGImage(
        width: map.width, height: map.height, bitsPerComponent: 16, bitsPerPixel: 16,
        bytesPerRow: 2 * map.width, space: CGColorSpaceCreateDeviceGray(),
        bitmapInfo: CGBitmapInfo(
          rawValue: CGImageAlphaInfo.none.rawValue | CGBitmapInfo.byteOrder16Little.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent),
      let destination = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
    else { return nil }
    CGImageDestinationAddImage(destination, image, nil)
    return CGImageDestinationFinalize(destination) ? data as Data : nil
  }

  /// The points as a PLY file in metres; `nil` where the lens or the colours are not known.
  var ply: Data? {
    guard var cloud = cloud else { return nil }
    if isMirrored { for index in cloud.points.indices { cloud.points[index].x.negate() } }
    return cloud.ply
  }

  /// The points as they are shown.
  var cloud: PointCloud? {
    guard let lens, colors.count == map.values.count else { return nil }
    return PointCloud(map, lens: lens, colors: colors, leavesOutEdges: true)
  }
}

extension DepthLens {
  /// The lens that a depth map's calibration states, else a straight one of the camera's field of view; `nil` where neither is known.
  init?(_ calibration: AVCameraCalibrationData?, fieldOfView: Float, width: Int, height: Int) {
    if let calibration {
      let size = calibration.intrinsicMatrixReferenceDimensions
      self.init(
        intrinsics: calibration.intrinsicMatrix, width: Int(size.width), height: Int(size.height),
        distortionCenter: calibration.lensDistortionCenter, lookupTable: calibration.lensDistortionLookupTable
      )
    } else if fieldOfView > 0, fieldOfView < 180, width > 0, height > 0 {
      self.init(fieldOfView: fieldOfView, width: width, height: height)
    } else {
      return nil
    }
  }
}
