public import CaptureDevice
public import CoreVideo
internal import Foundation
internal import FoundationExtras

/// The ground truth of a simulated camera: its picture and depth map from a perfect sensor.
public struct SceneTruth: Sendable {
  /// The picture without noise, in 420f.
  public var picture: CVPixelBuffer
  /// Metres, in `kCVPixelFormatType_DepthFloat32`: the nearest layer that is more than half opaque, else the background.
  public var depth: CVPixelBuffer
}

extension SimulatedDevice {
  /// The exact share of each pixel of the picture that belongs to the scene's people: rows of bytes from the top, 0 to 255.
  ///
  /// As ``truth(at:size:exposure:conditions:sequence:isPicture:)`` shows them, sharp and at zoom 1, and without what stands in
  /// front of them. Computed on the caller's thread.
  ///
  /// - Parameters:
  ///   - seconds: Since the device started.
  ///   - size: Any size of a frame or still; the result has `width` times `height` bytes.
  package func peopleAlpha(at seconds: Double, size: FrameSize) -> [UInt8] {
    let geometry = SceneGeometry(size: size, model: parts.model, world: world)
    let canvas = LayerCanvas(zoom: 1, frame: size)
    let layers = geometry.layers.filter { $0.isVisible(at: seconds) }.map { layer in
      (isPerson: layer.content.person != nil, placed: geometry.placed(layer, at: seconds, on: canvas))
    }
    var alpha = [UInt8](repeating: 0, count: size.width * size.height)
    let line = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: size.width)
    let shares = UnsafeMutablePointer<Float>.allocate(capacity: size.width)
    defer {
      line.deallocate()
      shares.deallocate()
    }
    for row in 0..<size.height {
      shares.initialize(repeating: 0, count: size.width)
      for layer in layers where layer.placed.rows.contains(row) {
        let columns = layer.placed.columns
        line.initialize(repeating: .zero, count: columns.count)
        layer.placed.blend(row: row, onto: line)
        for column in 0..<columns.count {
          let own = line[column].w
          let share = shares[columns.lowerBound + column] * (1 - own)
          shares[columns.lowerBound + column] = layer.isPerson ? share + own : share
        }
      }
      for column in 0..<size.width { alpha[row * size.width + column] = UInt8(shares[column] * 255 + 0.5) }
    }
    return alpha
  }

  /// The noise-free picture and the depth of a moment, to measure denoising and depth maps against.
  ///
  /// Pixel for pixel what a frame of the same size shows, but for the noise. Computed on the caller's thread.
  ///
  /// - Parameters:
  ///   - seconds: Since the device started: a frame's timestamp less the first frame's.
  ///   - size: Any size of a frame or still.
  ///   - exposure: The frame's exposure; `nil` is the right one.
  ///   - conditions: The frame's conditions, of which `exposure` is a part; `nil` is everything sharp, in the scene's own
  ///     light, at zoom 1.
  ///   - sequence: The frame's number, for its stamp.
  ///   - isPicture: Whether a still or photo-quality frame is meant, which has another colour matrix than video.
  /// - Throws: `outOfMemory`, or `formatUnsupported` for a size that is none.
  public func truth(
    at seconds: Double, size: FrameSize, exposure: FrameExposure? = nil,
    conditions: FrameConditions? = nil, sequence: UInt32 = 0, isPicture: Bool = true
  ) throws(CaptureDeviceError) -> SceneTruth {
    guard facts.media.contains(.video), size.width > 0, size.height > 0 else {
      throw CaptureDeviceError(.formatUnsupported, "\(facts.name) shows no picture of \(size).")
    }
    let key = PainterKey(
      size: size, format: FourCharacterCodes.fullRange420, usesP3: false, isPicture: isPicture)
    let picture: CVPixelBuffer
    let depth: CVPixelBuffer
    do {
      picture = try key.makeBuffer()
      depth = try CVPixelBuffer(
        format: kCVPixelFormatType_DepthFloat32, width: size.width, height: size.height)
    } catch {
      throw CaptureDeviceError(.outOfMemory, "There is no memory for a picture of \(size) (\(error)).")
    }
    var moment: FrameMoment
    if let conditions {
      moment = parts.controls.optics.moment(conditions.state, seconds: seconds, sequence: sequence)
    } else {
      let aperture = facts.lens?.aperture ?? 2
      let gain =
        exposure.map { ExposureControl.gain(of: $0, lux: world.scene.lux, aperture: aperture) } ?? 1
      moment = FrameMoment(
        seconds: seconds, sequence: sequence, gain: gain, iso: exposure?.iso ?? 100, isFlash: false)
    }
    moment.isNoisy = false
    parts.painters.painter(key).paint(moment, into: picture)
    let shape = DepthPainter.Shape(frame: size, map: size, pixelFormat: kCVPixelFormatType_DepthFloat32)
    DepthPainter(shape, model: parts.model, world: world).paint(moment, into: depth)
    return SceneTruth(picture: picture, depth: depth)
  }

  /// The distances of a moment without a sensor's faults, in metres, in `kCVPixelFormatType_DepthFloat32`: what a stream's map
  /// of that moment would show if nothing were noisy or hidden.
  ///
  /// Computed on the caller's thread.
  ///
  /// - Parameters:
  ///   - seconds: Since the device started: a map's timestamp less the first frame's.
  ///   - size: The map's.
  ///   - frame: The size of the stream's frames, which the map shows edge to edge.
  ///   - conditions: The map's conditions; `nil` is zoom 1.
  ///   - stabilization: The stream's stabilization.
  /// - Throws: `outOfMemory`, or `formatUnsupported` for a size that is none.
  public func depthTruth(
    at seconds: Double, size: FrameSize, frame: FrameSize, conditions: FrameConditions? = nil,
    stabilization: StabilizationMode = .off
  ) throws(CaptureDeviceError) -> CVPixelBuffer {
    guard facts.media.contains(.video), min(size.width, size.height, frame.width, frame.height) > 0 else {
      throw CaptureDeviceError(.formatUnsupported, "\(facts.name) has no map of \(size) beside \(frame).")
    }
    let shape = DepthPainter.Shape(frame: frame, map: size, pixelFormat: kCVPixelFormatType_DepthFloat32)
    let map: CVPixelBuffer
    do {
      map = try CVPixelBuffer(format: shape.pixelFormat, width: size.width, height: size.height)
    } catch {
      throw CaptureDeviceError(.outOfMemory, "There is no memory for a map of \(size) (\(error)).")
    }
    var moment =
      conditions.map { parts.controls.optics.moment($0.state, seconds: seconds, sequence: 0) }
      ?? FrameMoment(seconds: seconds, sequence: 0, gain: 1, iso: 100, isFlash: false)
    moment.isNoisy = false
    DepthPainter(shape, model: parts.model, world: world).paint(
      moment.stabilized(Stabilization(stabilization)), into: map)
    return map
  }
}
