internal import CameraFrames
internal import CaptureDevice
internal import CoreVideo
internal import DepthMaps
internal import FoundationExtras
internal import Linux
internal import PixelTransforms
internal import PhotoProcessing

/// The way to a depth data output under one plan: what is done to a map, and what every map has in common.
final class DepthRoute: DeliveryRoute {
  let route: MediaRoute
  let isFiltered: Bool
  private let format: OSType
  private let lenses: CameraLenses
  private let pool = PixelTransformer()

  /// The state that conversions keep from one map to the next; they come one at a time.
  private struct Work {
    var map = DepthMap()
    var filter = DepthFilter()
  }

  private let work = Locked(Work())
  private let cache = Locked<(conditions: FrameConditions, calibration: AVCameraCalibrationData?)?>(nil)

  private let lost = Locked<AVDepthData?>(nil)

  /// How much of a filtered map was measured, on its buffer.
  private static let measuredShare = "obscura.measuredShare"

  init(_ route: MediaRoute, isFiltered: Bool) {
    self.route = route
    self.isFiltered = isFiltered
    format = route.plan.stream.depth?.format.pixelFormat ?? kCVPixelFormatType_DisparityFloat16
    lenses = route.connection.inputPorts.first?.device.map { CameraLenses($0) } ?? CameraLenses()
  }

  var plan: ConnectionPlan { route.plan }
  var connection: AVCaptureConnection { route.connection }
  var isEnded: Bool { route.isEnded }

  func noteDelivered(holding token: (any AnyObject & Sendable)?) {
    route.lifetime.noteDelivered(holding: token)
  }

  /// The conversion of the device's map to the client's; `nil` when the device's is what the client asked for, which costs nothing.
  func preparation(of depth: CapturedDepth) -> DeliveryQueue<CapturedDepth, DepthRoute>.Preparation? {
    guard isFiltered || depth.metresPerUnit != nil || plan.rotation != 0 || plan.isMirrored else {
      return nil
    }
    return { [self] depth throws(LostSample.Reason) in
      var depth = depth
      depth.map = try convert(depth.map, depth.metresPerUnit)
      depth.metresPerUnit = nil
      return depth
    }
  }

  private func convert(
    _ source: CVPixelBuffer, _ metresPerUnit: Float?
  ) throws(LostSample.Reason) -> CVPixelBuffer {
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
  func depthData(of depth: CapturedDepth) -> AVDepthData {
    AVDepthData(
      map: depth.map, isFiltered: isFiltered,
      measuredShare: CVBufferCopyAttachment(depth.map, Self.measuredShare, nil) as? Double,
      calibration: calibration(depth.conditions))
  }

  /// The report of a lost map as the client gets it, the same object for all; `nil` when there is no memory for it.
  ///
  /// Made once: a client that gets reports of many losses in a row must not become late by that.
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

  /// The camera that measures: one of its own, or that of the frames.
  private func measuring(_ conditions: FrameConditions) -> AVCameraCalibrationData? {
    if let own = plan.stream.depth?.format, let lens = own.lens {
      return AVCameraCalibrationData(lens: lens, enlargement: 1, isCorrected: false, size: own.size)
    }
    let (lens, enlargement) = lenses.lens(for: conditions.state)
    return lens.map { lens in
      AVCameraCalibrationData(
        lens: lens, enlargement: enlargement, isCorrected: conditions.state.isDistortionCorrected,
        size: plan.stream.size)
    }
  }

  private func calibration(_ conditions: FrameConditions) -> AVCameraCalibrationData? {
    cache.withLock { cache in
      if let cache, cache.conditions === conditions { return cache.calibration }
      let calibration = measuring(conditions)?.turned(by: plan.rotation, isMirrored: plan.isMirrored)
      cache = (conditions, calibration)
      return calibration
    }
  }
}
