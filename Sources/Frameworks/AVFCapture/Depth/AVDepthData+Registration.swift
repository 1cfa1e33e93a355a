internal import CoreVideo
internal import DepthMaps

extension AVDepthData {
  /// The map as another camera would have measured it, so that a place of that camera's picture and of the map are one.
  ///
  /// For cameras whose depth and colours come through different lenses. Both calibrations speak of one world: their extrinsics say how
  /// the cameras stand to each other. What only the other camera sees is unknown. Nothing is registered unless this is called.
  ///
  /// - Parameters:
  ///   - camera: The other camera, as its own pictures' calibration says.
  ///   - width: Of the map that comes back, which shows all of that camera's picture.
  ///   - height: Of the map that comes back.
  /// - Returns: A map of the same type, with the other camera's calibration; `nil` where this map's camera is unknown, the size is
  ///   not positive, or there is no memory.
  ///
  /// Cost: one pass over both maps, on the caller's thread; some 16 milliseconds for 640×480.
  ///
  /// - Note: Unlike AVFoundation, which has no such method: its cameras' maps lie as their pictures do.
  public func registered(to camera: AVCameraCalibrationData, width: Int, height: Int) -> AVDepthData? {
    guard let own = cameraCalibrationData, width > 0, height > 0 else { return nil }
    var map = DepthMap()
    guard (try? map.read(depthDataMap)) != nil else { return nil }
    var registration = DepthRegistration(
      from: own.lens, depthPose: own.extrinsicMatrix, to: camera.lens, colorPose: camera.extrinsicMatrix)
    let result = registration.apply(to: map, width: width, height: height)
    guard let buffer = DepthMap.buffer(width: width, height: height, depthDataType),
      (try? result.write(to: buffer)) != nil
    else { return nil }
    return AVDepthData(
      map: buffer, isFiltered: isDepthDataFiltered, accuracy: depthDataAccuracy, calibration: camera)
  }
}
