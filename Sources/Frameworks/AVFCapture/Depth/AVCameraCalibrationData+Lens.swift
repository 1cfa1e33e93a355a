package import DepthMaps
internal import Foundation
internal import simd

extension AVCameraCalibrationData {
  /// The lens as the engines see through it.
  package var lens: DepthLens {
    let size = intrinsicMatrixReferenceDimensions
    return DepthLens(
      intrinsics: intrinsicMatrix, width: Int(size.width), height: Int(size.height),
      distortionCenter: lensDistortionCenter, lookupTable: lensDistortionLookupTable)
  }
}
