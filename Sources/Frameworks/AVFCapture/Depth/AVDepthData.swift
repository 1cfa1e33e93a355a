internal import AVFCore
public import CoreVideo
internal import DepthMaps
public import Foundation
public import FoundationExtras
public import ImageIO
internal import Linux

/// A depth map that a camera has measured, with what is known of it.
///
/// Immutable and thread-safe; what it hands out is made on the caller's thread.
///
/// Source: [AVDepthData](https://developer.apple.com/documentation/avfoundation/avdepthdata).
public final class AVDepthData: NSObject, @unchecked Sendable {  // Safe: constants, and a lock.
  /// The map: one number for each place, from the upper left corner on; NaN where nothing is known.
  ///
  /// Metres for depth, 1/metres for disparity. Of a map that was dropped it is a map of the right size in which nothing is known.
  /// It may be the device's own memory: a client that keeps many of them starves the device.
  ///
  /// Apple: `AVDepthData.depthDataMap`.
  public let depthDataMap: CVPixelBuffer

  /// Whether the map was smoothed over time, and its holes were filled.
  ///
  /// Apple: `AVDepthData.isDepthDataFiltered`.
  public let isDepthDataFiltered: Bool

  /// How the numbers relate to the world: every camera here measures metres, files of other systems may say less.
  ///
  /// Apple: `AVDepthData.depthDataAccuracy`.
  public let depthDataAccuracy: Accuracy

  /// With what camera the map was made; `nil` where nothing is known of its lens.
  ///
  /// Apple: `AVDepthData.cameraCalibrationData`.
  public let cameraCalibrationData: AVCameraCalibrationData?

  /// Which part of the map was measured; `nil` until a client asks, unless it is known already.
  private let measuredShare: Locked<Double?>

  /// A map with what is known of it.
  package init(
    map: CVPixelBuffer, isFiltered: Bool, accuracy: Accuracy = .absolute, measuredShare: Double? = nil,
    calibration: AVCameraCalibrationData?
  ) {
    depthDataMap = map
    isDepthDataFiltered = isFiltered
    depthDataAccuracy = accuracy
    self.measuredShare = Locked(measuredShare)
    cameraCalibrationData = calibration
    super.init()
  }

  /// The quality of a depth map.
  ///
  /// Apple: `AVDepthData.Quality`.
  public enum Quality: Int, Sendable {
    /// Much of it is unknown, or was.
    case low = 0
    /// Most of it was measured.
    case high = 1
  }

  /// The accuracy of a depth map: the relation of its numbers to the world.
  ///
  /// Apple: `AVDepthData.Accuracy`.
  public enum Accuracy: Int, Sendable {
    /// They show what is nearer, and not how far it is.
    case relative = 0
    /// They are metres.
    case absolute = 1
  }

  /// So much of a good map was measured; Apple does not say where its bound lies.
  private static let goodShare = 0.75

  /// Whether most of the map was measured: three quarters at least, holes that were filled not counted.
  ///
  /// Cost: at the first time one pass over an unfiltered map.
  ///
  /// Apple: `AVDepthData.depthDataQuality`.
  public var depthDataQuality: Quality { share >= Self.goodShare ? .high : .low }

  private var share: Double {
    if let share = measuredShare.withLock({ $0 }) { return share }
    let share = read().knownShare
    measuredShare.withLock { $0 = share }
    return share
  }

  /// The pixel format of ``depthDataMap``: `kCVPixelFormatType_DepthFloat16`, or one of its three kin.
  ///
  /// Apple: `AVDepthData.depthDataType`.
  public var depthDataType: OSType { CVPixelBufferGetPixelFormatType(depthDataMap) }

  /// The pixel formats to which ``converting(toDepthDataType:)`` can convert.
  ///
  /// Apple: `AVDepthData.availableDepthDataTypes`.
  public var availableDepthDataTypes: [OSType] { DepthFormat.pixelFormats }

  // MARK: Changing

  /// The same map in another pixel format; disparity is one divided by depth.
  ///
  /// A format that is not among ``availableDepthDataTypes`` is a programming mistake, and gives the map as it is. Cost: one pass,
  /// and memory of its own; none for the format that it has already.
  ///
  /// Apple: `AVDepthData.converting(toDepthDataType:)`.
  public func converting(toDepthDataType depthDataType: OSType) -> AVDepthData {
    guard DepthFormat(depthDataType) != nil else {
      ProgrammingMistake.report(
        rule: "converting(toDepthDataType:) takes one of availableDepthDataTypes; given was \(depthDataType)."
      )
      return self
    }
    return depthDataType == self.depthDataType
      ? self : replacing(read(), as: depthDataType, calibration: cameraCalibrationData)
  }

  /// The map as it is shown: turned and mirrored as a viewer does it to pictures with that EXIF orientation, together with
  /// ``cameraCalibrationData``.
  ///
  /// Cost: one pass, and memory of its own.
  ///
  /// Apple: `AVDepthData.applyingExifOrientation(_:)`.
  public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> AVDepthData {
    guard let change = OrientationTable.changes.first(where: { $0.exif == exifOrientation }),
      change.exif != .up
    else { return self }
    let turned = read().turned(quarters: change.rotation / 90, isMirrored: change.isMirrored)
    return replacing(
      turned, as: depthDataType,
      calibration: cameraCalibrationData?.turned(by: change.rotation, isMirrored: change.isMirrored))
  }

  /// The same with another map, of any size, that the caller has made from this one; it has no ``cameraCalibrationData``, which
  /// is of the map that the camera made.
  ///
  /// - Parameter pixelBuffer: Of one of ``availableDepthDataTypes``; it is not copied.
  /// - Throws: ``AVError`` with `unknown` for other pixel formats; Apple names no code.
  ///
  /// Apple: `AVDepthData.replacingDepthDataMap(with:)`.
  public func replacingDepthDataMap(with pixelBuffer: CVPixelBuffer) throws -> AVDepthData {
    guard DepthFormat(CVPixelBufferGetPixelFormatType(pixelBuffer)) != nil else {
      throw AVError(
        .unknown,
        because:
          "The map cannot be replaced by a buffer that holds no distances; use one of availableDepthDataTypes."
      )
    }
    return AVDepthData(
      map: pixelBuffer, isFiltered: isDepthDataFiltered, accuracy: depthDataAccuracy, calibration: nil)
  }

  /// The map as numbers; one of nothing where its memory cannot be had any more.
  private func read() -> DepthMap {
    var map = DepthMap()
    do throws(DepthMapError) {
      try map.read(depthDataMap)
    } catch {
      Log.note("A depth map cannot be read: \(error)")
    }
    return map
  }

  private func replacing(
    _ map: DepthMap, as type: OSType, calibration: AVCameraCalibrationData?
  ) -> AVDepthData {
    guard let buffer = DepthMap.buffer(width: map.width, height: map.height, type),
      (try? map.write(to: buffer)) != nil
    else {
      Log.note("A depth map cannot be changed: there is no memory for another one.")
      return self
    }
    return AVDepthData(
      map: buffer, isFiltered: isDepthDataFiltered, accuracy: depthDataAccuracy, measuredShare: share,
      calibration: calibration)
  }
}

extension DepthMap {
  /// Memory for a map; `nil` when there is none.
  static func buffer(width: Int, height: Int, _ type: OSType) -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(kCFAllocatorDefault, width, height, type, nil, &buffer)
    return buffer
  }
}
