package import CaptureDevice
internal import CoreVideo
public import Foundation
internal import FoundationExtras
internal import PixelTransforms
public import simd

/// The calibration of the camera that made a picture or a depth map: intrinsics, extrinsics and lens distortion.
///
/// Made from what the device states about its lens. Immutable and thread-safe.
///
/// Source: [AVCameraCalibrationData](https://developer.apple.com/documentation/avfoundation/avcameracalibrationdata).
public final class AVCameraCalibrationData: NSObject, Sendable {
  /// Focal lengths on the diagonal and the principal point in the last column, in pixels of a picture of
  /// ``intrinsicMatrixReferenceDimensions``, whose upper left corner is (0, 0).
  ///
  /// Apple: `AVCameraCalibrationData.intrinsicMatrix`.
  public let intrinsicMatrix: matrix_float3x3

  /// The size of the pictures that ``intrinsicMatrix`` speaks of: the stream's frames.
  ///
  /// Apple: `AVCameraCalibrationData.intrinsicMatrixReferenceDimensions`.
  public let intrinsicMatrixReferenceDimensions: CGSize

  /// The pose of the camera in the world of its device: a turn, and in the last column a shift in millimetres.
  ///
  /// Every camera here is the origin of its own world, so it is the turn of the picture, and no shift; files of other systems may
  /// say more.
  ///
  /// Apple: `AVCameraCalibrationData.extrinsicMatrix`.
  public let extrinsicMatrix: matrix_float4x3

  /// How large a pixel of ``intrinsicMatrixReferenceDimensions`` is on the sensor, in millimetres; 0 where a camera tells its field of view alone.
  ///
  /// Apple: `AVCameraCalibrationData.pixelSize`.
  public let pixelSize: Float

  /// How the lens's bending is taken back: for radii from the centre to the farthest corner of the picture, evenly, by
  /// which part of itself a radius grows; 32-bit floats, all zero for a lens that keeps lines straight, or is corrected.
  ///
  /// `nil` where a file does not say it.
  ///
  /// Apple: `AVCameraCalibrationData.lensDistortionLookupTable`.
  public var lensDistortionLookupTable: Data? { tables?.straightening }

  /// The way back: from a picture with straight lines to the one that the lens made.
  ///
  /// Apple: `AVCameraCalibrationData.inverseLensDistortionLookupTable`.
  public var inverseLensDistortionLookupTable: Data? { tables?.bending }

  /// From where the tables' radii count, in pixels of ``intrinsicMatrixReferenceDimensions``.
  ///
  /// Apple: `AVCameraCalibrationData.lensDistortionCenter`.
  public let lensDistortionCenter: CGPoint

  private let intrinsics: CameraIntrinsics
  private let size: PixelSize
  private let tables: DistortionTables?

  /// The camera of a stream's pictures.
  ///
  /// - Parameters:
  ///   - lens: What made them, seen at `enlargement` times its own view, bent unless `isCorrected`.
  ///   - size: The pictures.
  package convenience init(lens: LensFacts, enlargement: Double, isCorrected: Bool, size: FrameSize) {
    let intrinsics = CameraIntrinsics(
      lens: lens, enlargement: enlargement, isCorrected: isCorrected, size: size)
    let aspect = Double(size.height) / Double(size.width)
    let tables = DistortionTables(
      bending: isCorrected ? 0 : lens.bending,
      // Bending counts in half widths of the lens's whole view, of which zoom shows a part.
      halfWidths: (1 + aspect * aspect).squareRoot() / max(enlargement, 1))
    self.init(
      intrinsics, PixelSize(width: size.width, height: size.height),
      extrinsics: matrix_float4x3(simd_float3(1, 0, 0), simd_float3(0, 1, 0), simd_float3(0, 0, 1), .zero),
      // A focal length is as long in millimetres as it is in pixels.
      pixelSize: Float(lens.focalLength / intrinsics.focal.x), tables)
  }

  /// A camera of numbers that a file states.
  ///
  /// - Parameters:
  ///   - center: From where distortion counts.
  ///   - tables: Those of ``lensDistortionLookupTable`` and ``inverseLensDistortionLookupTable``; `nil` where they are not known.
  convenience init(
    _ intrinsics: CameraIntrinsics, _ size: PixelSize, extrinsics: matrix_float4x3, pixelSize: Float,
    center: SIMD2<Double>, tables: (straightening: Data, bending: Data)?
  ) {
    self.init(
      intrinsics, size, extrinsics: extrinsics, pixelSize: pixelSize,
      tables.map { DistortionTables(straightening: $0.straightening, bending: $0.bending) }, center: center)
  }

  private init(
    _ intrinsics: CameraIntrinsics, _ size: PixelSize, extrinsics: matrix_float4x3, pixelSize: Float,
    _ tables: DistortionTables?, center: SIMD2<Double>? = nil
  ) {
    self.intrinsics = intrinsics
    self.size = size
    self.tables = tables
    intrinsicMatrix = intrinsics.matrix
    intrinsicMatrixReferenceDimensions = CGSize(width: size.width, height: size.height)
    extrinsicMatrix = extrinsics
    self.pixelSize = pixelSize
    let center = center ?? intrinsics.principal
    lensDistortionCenter = CGPoint(x: center.x, y: center.y)
    super.init()
  }

  /// The camera of the middle of its picture, of the given size.
  func middle(_ part: PixelSize) -> AVCameraCalibrationData {
    guard part.width < size.width || part.height < size.height else { return self }
    let corner = SIMD2(Double((size.width - part.width) / 2), Double((size.height - part.height) / 2))
    let center = SIMD2(Double(lensDistortionCenter.x), Double(lensDistortionCenter.y))
    func radius(_ size: PixelSize) -> Double {
      (Double(size.width * size.width + size.height * size.height)).squareRoot()
    }
    return AVCameraCalibrationData(
      CameraIntrinsics(focal: intrinsics.focal, principal: intrinsics.principal - corner), part,
      extrinsics: extrinsicMatrix, pixelSize: pixelSize,
      tables?.cut(to: radius(part) / radius(size)), center: center - corner)
  }

  /// The camera that would have made the picture turned clockwise by `rotation` degrees, and then mirrored.
  ///
  /// Focal lengths stay above zero, also in mirrored pictures, which show the mirrored world.
  package func turned(by rotation: Int, isMirrored: Bool) -> AVCameraCalibrationData {
    guard let turn = QuarterTurn(degrees: rotation), turn != .none || isMirrored else { return self }
    let transform = FrameTransform(rotation: turn, isMirrored: isMirrored)
    let (right, down): (simd_float3, simd_float3) =
      switch turn {
      case .none: ([1, 0, 0], [0, 1, 0])
      case .clockwise90: ([0, 1, 0], [-1, 0, 0])
      case .half: ([-1, 0, 0], [0, -1, 0])
      case .clockwise270: ([0, -1, 0], [1, 0, 0])
      }
    let sign: simd_float3 = [isMirrored ? -1 : 1, 1, 1]
    // What the camera says of the world, and then the turn of the picture.
    let turning = matrix_float3x3(right * sign, down * sign, simd_float3(0, 0, 1))
    let own = extrinsicMatrix.columns
    let center = CameraIntrinsics(
      focal: intrinsics.focal,
      principal: SIMD2(Double(lensDistortionCenter.x), Double(lensDistortionCenter.y)))
    let format = kCVPixelFormatType_DepthFloat32
    return AVCameraCalibrationData(
      intrinsics.applying(transform, to: size, pixelFormat: format), transform.outputSize(for: size),
      extrinsics: matrix_float4x3(
        turning * own.0, turning * own.1, turning * own.2, turning * own.3),
      pixelSize: pixelSize, tables,
      center: center.applying(transform, to: size, pixelFormat: format).principal)
  }
}

/// The distortion of a lens as a function of the radius, both ways, in the form of Apple's tables.
private struct DistortionTables: Sendable {
  /// Numbers in a table.
  static let length = 42

  let straightening: Data
  let bending: Data

  /// Tables as a file holds them.
  init(straightening: Data, bending: Data) {
    self.straightening = straightening
    self.bending = bending
  }

  /// The tables of a picture whose corners are at `share` of the radius.
  func cut(to share: Double) -> DistortionTables {
    func cut(_ table: Data) -> Data {
      let numbers = table.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      }
      return numbers.indices.reduce(into: Data()) { data, index in
        let place = Double(index) * min(share, 1)
        let lower = min(Int(place), numbers.count - 1)
        let upper = min(lower + 1, numbers.count - 1)
        let part = Float(place - Double(lower))
        let value = numbers[lower] + part * (numbers[upper] - numbers[lower])
        withUnsafeBytes(of: value) { data.append(contentsOf: $0) }
      }
    }
    return DistortionTables(straightening: cut(straightening), bending: cut(bending))
  }

  /// The tables of a lens.
  ///
  /// - Parameters:
  ///   - bending: See ``LensFacts/bending``.
  ///   - halfWidths: How far the picture's corners are from its middle.
  init(bending: Double, halfWidths: Double) {
    func table(_ growth: (Double) -> Double) -> Data {
      (0..<Self.length).reduce(into: Data()) { data, index in
        let radius = halfWidths * Double(index) / Double(Self.length - 1)
        withUnsafeBytes(of: Float(growth(radius))) { data.append(contentsOf: $0) }
      }
    }
    straightening = table { radius in bending * radius * radius }
    self.bending = table { straight in
      guard straight > 0, bending != 0 else { return 0 }
      var radius = straight
      // Newton's way; the curve is so flat that it is there after a few steps.
      for _ in 0..<8 {
        radius -= (radius * (1 + bending * radius * radius) - straight) / (1 + 3 * bending * radius * radius)
      }
      return radius / straight - 1
    }
  }
}
