internal import Foundation
internal import PixelTransforms
internal import simd

extension AVCameraCalibrationData {
  /// The names under which our tables of distortion stand: Apple's files have coefficients, of which nothing is documented.
  private static let tables = (
    straightening: "LensDistortionLookupTable", bending: "InverseLensDistortionLookupTable"
  )

  /// Writes the camera into a depth map's metadata.
  func write(to metadata: DepthMetadata) {
    let inner = intrinsicMatrix.columns
    let outer = extrinsicMatrix.columns
    metadata.set("IntrinsicMatrix", Self.list([inner.0, inner.1, inner.2]))
    metadata.set("IntrinsicMatrixReferenceWidth", "\(Int(intrinsicMatrixReferenceDimensions.width))")
    metadata.set("IntrinsicMatrixReferenceHeight", "\(Int(intrinsicMatrixReferenceDimensions.height))")
    metadata.set("ExtrinsicMatrix", Self.list([outer.0, outer.1, outer.2, outer.3]))
    metadata.set("PixelSize", "\(pixelSize)")
    metadata.set("LensDistortionCenterOffsetX", "\(Float(lensDistortionCenter.x))")
    metadata.set("LensDistortionCenterOffsetY", "\(Float(lensDistortionCenter.y))")
    if let table = lensDistortionLookupTable { metadata.set(Self.tables.straightening, Self.list(table)) }
    if let table = inverseLensDistortionLookupTable { metadata.set(Self.tables.bending, Self.list(table)) }
  }

  /// The columns of a matrix one after the other.
  private static func list(_ columns: [simd_float3]) -> [Any] {
    columns.flatMap { [$0.x, $0.y, $0.z] }.map { "\($0)" }
  }

  private static func list(_ table: Data) -> [Any] {
    table.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { "\(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self))" }
    }
  }

  /// The camera that a depth map's metadata state; `nil` when they do not.
  convenience init?(_ metadata: DepthMetadata) {
    guard let inner = metadata.numbers("IntrinsicMatrix", count: 9),
      let width = metadata.number("IntrinsicMatrixReferenceWidth").flatMap(Int.init(exactly:)),
      let height = metadata.number("IntrinsicMatrixReferenceHeight").flatMap(Int.init(exactly:)),
      (1...1 << 20).contains(width), (1...1 << 20).contains(height), inner[0] > 0, inner[4] > 0
    else { return nil }
    // Rows instead of columns have the principal point where columns have zeros.
    let isRows = inner[6] == 0 && inner[7] == 0
    let principal = SIMD2(Double(isRows ? inner[2] : inner[6]), Double(isRows ? inner[5] : inner[7]))
    let outer = metadata.numbers("ExtrinsicMatrix", count: 12) ?? [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    let columns = stride(from: 0, to: 12, by: 3).map { simd_float3(outer[$0], outer[$0 + 1], outer[$0 + 2]) }
    func table(_ name: String) -> Data? {
      metadata.numbers(name).map { $0.withUnsafeBytes { Data($0) } }
    }
    var tables: (straightening: Data, bending: Data)?
    if let straightening = table(Self.tables.straightening), let bending = table(Self.tables.bending) {
      tables = (straightening, bending)
    }
    self.init(
      CameraIntrinsics(focal: SIMD2(Double(inner[0]), Double(inner[4])), principal: principal),
      PixelSize(width: width, height: height),
      extrinsics: matrix_float4x3(columns[0], columns[1], columns[2], columns[3]),
      pixelSize: Float(metadata.number("PixelSize") ?? 0),
      center: SIMD2(
        metadata.number("LensDistortionCenterOffsetX") ?? principal.x,
        metadata.number("LensDistortionCenterOffsetY") ?? principal.y),
      tables: tables)
  }
}
