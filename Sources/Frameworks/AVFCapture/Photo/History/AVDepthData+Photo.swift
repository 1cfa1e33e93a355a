internal import CameraFrames
internal import CaptureDevice
internal import CoreVideo
internal import DepthMaps
internal import PixelTransforms

extension AVDepthData {
  /// The depth of a photo whose pixels are turned against the sensor's.
  func turned(_ turn: QuarterTurn) -> AVDepthData {
    let change = OrientationTable.changes.first { $0.rotation == turn.rawValue && !$0.isMirrored }
    return change.map { applyingExifOrientation($0.exif) } ?? self
  }

  /// The depth of a photo: the part of a camera's map that the photo shows, filled where that is asked for.
  ///
  /// It lies as the photo's pixels do, as the sensor. `nil` when the map's memory cannot be had.
  ///
  /// - Parameters:
  ///   - format: The maps' format; clients get its pixel format.
  ///   - streamSize: The frames that the map belongs to.
  convenience init?(
    of depth: CapturedDepth, format: DepthStreamFormat, streamSize: FrameSize, lenses: CameraLenses,
    _ request: PhotoDepthRequest
  ) {
    var map = DepthMap()
    guard (try? map.read(depth.map, metresPerUnit: depth.metresPerUnit)) != nil else { return nil }
    let share = map.knownShare
    let whole = FrameSize(width: map.width, height: map.height)
    let part = request.part(of: whole)
    map = map.middle(width: part.width, height: part.height)
    if request.isFiltered { map.fillHoles() }
    guard let buffer = DepthMap.buffer(width: map.width, height: map.height, format.pixelFormat),
      (try? map.write(to: buffer)) != nil
    else { return nil }
    let (framesLens, framesEnlargement) = lenses.lens(for: depth.conditions.state)
    // A sensor of its own sees its own pixels.
    let (lens, enlargement, size) =
      format.lens.map { ($0, 1, format.size) } ?? (framesLens, framesEnlargement, streamSize)
    let shown = request.part(of: size)
    let calibration = lens.map { lens in
      AVCameraCalibrationData(
        lens: lens, enlargement: enlargement, isCorrected: depth.conditions.state.isDistortionCorrected,
        size: size
      ).middle(PixelSize(width: shown.width, height: shown.height))
    }
    self.init(map: buffer, isFiltered: request.isFiltered, measuredShare: share, calibration: calibration)
  }
}
