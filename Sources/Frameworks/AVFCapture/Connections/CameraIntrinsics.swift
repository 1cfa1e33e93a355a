package import CaptureDevice
package import Foundation
package import FoundationExtras
package import PixelTransforms
package import simd

/// The intrinsics of a pinhole camera: focal lengths and the principal point, in pixels of one picture.
///
/// A ray (x, y, 1), x to the right and y down, goes to the place (focal.x · x + principal.x, focal.y · y + principal.y); places
/// count from the upper left corner of the picture.
package struct CameraIntrinsics: Sendable, Hashable {
  /// Pixels for a ray's slope of 1, across and down.
  package var focal: SIMD2<Double>
  /// The principal point, where the lens looks straight ahead.
  package var principal: SIMD2<Double>

  /// A camera of these numbers.
  package init(focal: SIMD2<Double>, principal: SIMD2<Double>) {
    self.focal = focal
    self.principal = principal
  }

  /// The camera of a stream.
  ///
  /// - Parameters:
  ///   - lens: The lens that took the frame; its view spans the picture's whole width.
  ///   - enlargement: How many times that view is enlarged by zoom, from 1 on.
  ///   - isCorrected: Whether the lens's bending is taken back; while it is not, the focal length is that of the middle.
  ///   - size: The stream's pictures.
  package init(lens: LensFacts, enlargement: Double, isCorrected: Bool, size: FrameSize) {
    var focal = Double(size.width) / 2 / tan(lens.fieldOfView * .pi / 360) * max(enlargement, 1)
    if !isCorrected { focal *= lens.cornerBending(of: size) }
    self.focal = SIMD2(focal, focal)
    principal = SIMD2(Double(size.width) / 2, Double(size.height) / 2)
  }

  /// The camera that would have taken the picture that `transform` makes of one of `source` pixels in `pixelFormat`.
  package func applying(
    _ transform: FrameTransform, to source: PixelSize, pixelFormat: OSType
  ) -> CameraIntrinsics {
    let part = transform.visiblePart(of: source, pixelFormat: pixelFormat)
    var result = self
    result.principal -= SIMD2(Double(part.x), Double(part.y))
    var size = SIMD2(Double(part.width), Double(part.height))
    for _ in 0..<transform.rotation.rawValue / 90 {
      result.focal = SIMD2(result.focal.y, result.focal.x)
      result.principal = SIMD2(size.y - result.principal.y, result.principal.x)
      size = SIMD2(size.y, size.x)
    }
    if transform.isMirrored { result.principal.x = size.x - result.principal.x }
    let target = transform.outputSize(for: source)
    let scale = SIMD2(Double(target.width), Double(target.height)) / size
    result.focal *= scale
    result.principal *= scale
    return result
  }

  /// The same as Apple writes it: focal lengths on the diagonal, the principal point in the last column.
  package var matrix: matrix_float3x3 {
    matrix_float3x3(
      columns: (
        simd_float3(Float(focal.x), 0, 0), simd_float3(0, Float(focal.y), 0),
        simd_float3(Float(principal.x), Float(principal.y), 1)
      ))
  }

  /// The bytes of ``matrix``.
  package var data: Data {
    withUnsafeBytes(of: matrix) { Data($0) }
  }
}
