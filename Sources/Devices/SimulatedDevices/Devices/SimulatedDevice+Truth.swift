public import CaptureDevice
public import CoreVideo
internal import Foundation
internal import FoundationExtras

/// What a simulated camera would see with a perfect sensor.
public struct SceneTruth: Sendable {
  /// The picture without noise, in 420f.
  public var picture: CVPixelBuffer
  /// Metres, in `kCVPixelFormatType_DepthFloat32`: the nearest layer that is more than half opaque, else the background.
  public var depth: CVPixelBuffer
}

extension SimulatedDevice {
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
      picture = try CVPixelBuffer(format: key.format, width: size.width, height: size.height)
      depth = try CVPixelBuffer(
        format: kCVPixelFormatType_DepthFloat32, width: size.width, height: size.height)
    } catch {
      throw CaptureDeviceError(.outOfMemory, "There is no memory for a picture of \(size) (\(error)).")
    }
    CVBufferSetAttachments(picture, key.attachments, .shouldPropagate)
    var moment: FrameMoment
    if let conditions {
      moment = optics.moment(conditions.state, seconds: seconds, sequence: sequence)
    } else {
      let aperture = facts.lens?.aperture ?? 2
      let gain =
        exposure.map { ExposureControl.gain(of: $0, lux: world.scene.lux, aperture: aperture) } ?? 1
      moment = FrameMoment(
        seconds: seconds, sequence: sequence, gain: gain, iso: exposure?.iso ?? 100, isFlash: false)
    }
    moment.isNoisy = false
    let painter = stillPainter(key)
    painter.paint(moment, into: picture)
    let plane = depth.planes[0]
    painter.paintDepth(
      moment.view, seconds: seconds, into: plane.baseAddress.assumingMemoryBound(to: Float.self),
      stride: plane.bytesPerRow / MemoryLayout<Float>.stride)
    return SceneTruth(picture: picture, depth: depth)
  }
}
