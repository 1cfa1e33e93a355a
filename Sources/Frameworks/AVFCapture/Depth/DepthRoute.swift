internal import CaptureDevice
internal import CoreVideo
internal import DepthMaps
internal import FoundationExtras
internal import Linux
internal import PixelTransforms

/// The way from one connection to a depth data output under one plan: what is done to a map, and what every map has in common.
final class DepthRoute: DeliveryRoute {
  let connection: AVCaptureConnection
  let plan: ConnectionPlan
  let isFiltered: Bool
  private let format: OSType
  private let lenses: CameraLenses
  private let pool = PixelTransformer()

  /// What conversions keep from one map to the next; they come one at a time.
  private struct Work {
    var map = DepthMap()
    var filter = DepthFilter()
  }

  private let work = Locked(Work())
  private let cache = Locked<(conditions: FrameConditions, calibration: AVCameraCalibrationData?)?>(nil)

  private let lost = Locked<AVDepthData?>(nil)

  /// How much of a filtered map was measured, on its buffer.
  private static let measuredShare = "obscura.measuredShare"

  init(connection: AVCaptureConnection, plan: ConnectionPlan, isFiltered: Bool) {
    self.connection = connection
    self.plan = plan
    self.isFiltered = isFiltered
    format = plan.stream.depth?.format.pixelFormat ?? kCVPixelFormatType_DisparityFloat16
    lenses = connection.inputPorts.first.map { CameraLenses($0.device) } ?? CameraLenses()
  }

  /// What makes the client's map of the device's; `nil` when that is what the client asked for, which costs nothing then.
  ///
  /// - Parameter metresPerUnit: See ``CapturedDepth/metresPerUnit``.
  func conversion(metresPerUnit: Float?) -> FrameDelivery.Conversion? {
    guard isFiltered || metresPerUnit != nil || plan.rotation != 0 || plan.isMirrored else { return nil }
    return { [self] frame throws(LostFrame.Reason) in
      guard let source = frame.content.uncompressed() else { throw .discontinuity }
      return try convert(source, metresPerUnit)
    }
  }

  private func convert(
    _ source: CVPixelBuffer, _ metresPerUnit: Float?
  ) throws(LostFrame.Reason) -> CVPixelBuffer {
    do {
      return try work.withLock { work in
        try work.map.read(source, metresPerUnit: metresPerUnit)
        let share = work.map.knownShare
        if isFiltered { work.filter.apply(to: &work.map) }
        let map = work.map.turned(quarters: plan.rotation / 90, isMirrored: plan.isMirrored)
        let target = try pool.makeBuffer(
          size: PixelSize(width: map.width, height: map.height), pixelFormat: format)
        try map.write(to: target)
        CVBufferSetAttachment(target, Self.measuredShare, share, .shouldNotPropagate)
        return target
      }
    } catch PixelTransformError.poolExhausted {
      throw .outOfBuffers
    } catch {
      // What cannot be read is a lost map, and the client hears of it as of every other.
      throw .discontinuity
    }
  }

  /// A map as the client gets it.
  func depthData(of frame: ReadyFrame) -> AVDepthData {
    AVDepthData(
      map: frame.pixels, isFiltered: isFiltered,
      measuredShare: CVBufferCopyAttachment(frame.pixels, Self.measuredShare, nil) as? Double,
      calibration: calibration(frame.conditions))
  }

  /// The news of a lost map as the client gets it, the same object for all; `nil` when there is no memory for it.
  ///
  /// Made once: who hears of many losses in a row must not become late by hearing of them.
  var shell: AVDepthData? {
    lost.withLock { lost in
      lost = lost ?? makeShell()
      return lost
    }
  }

  private func makeShell() -> AVDepthData? {
    let size = plan.turnedSize
    let unknown = DepthMap(
      width: size.width, height: size.height, quantity: .depth,
      values: [Float](repeating: .nan, count: size.width * size.height))
    guard let buffer = DepthMap.buffer(width: size.width, height: size.height, format),
      (try? unknown.write(to: buffer)) != nil
    else { return nil }
    return AVDepthData(map: buffer, isFiltered: isFiltered, measuredShare: 0, calibration: nil)
  }

  private func calibration(_ conditions: FrameConditions) -> AVCameraCalibrationData? {
    cache.withLock { cache in
      if let cache, cache.conditions === conditions { return cache.calibration }
      let (lens, enlargement) = lenses.lens(for: conditions.state)
      let calibration = lens.map { lens in
        AVCameraCalibrationData(
          lens: lens, enlargement: enlargement, isCorrected: conditions.state.isDistortionCorrected,
          size: plan.stream.size
        ).turned(by: plan.rotation, isMirrored: plan.isMirrored)
      }
      cache = (conditions, calibration)
      return calibration
    }
  }
}
