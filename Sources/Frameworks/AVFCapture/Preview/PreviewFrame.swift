public import AVFCore
public import CoreMedia
public import CoreVideo
public import Foundation
internal import CaptureDevice

/// A frame to draw: the device's own memory, and how it shall lie.
public struct PreviewFrame: Sendable {
  /// The picture as the sensor gave it, unturned: the device's own buffer, or a decoded one where the device sends JPEG.
  ///
  /// While it is held, the device has a buffer less; hold the newest one only.
  public let pixels: CVPixelBuffer
  /// When the frame was exposed, on the session's clock.
  public let timestamp: CMTime
  /// The device's own number of the frame in its stream.
  public let sequence: UInt32
  /// Degrees clockwise by which the picture is to be turned: 0, 90, 180, or 270.
  public let rotationAngle: Int
  /// Whether the turned picture is to be mirrored left to right.
  public let isMirrored: Bool

  /// Where the frame's picture lies in `bounds`.
  public func geometry(gravity: AVLayerVideoGravity, in bounds: CGRect) -> PreviewGeometry {
    PreviewGeometry(
      pictureSize: CGSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels)),
      rotationAngle: rotationAngle, isMirrored: isMirrored, gravity: gravity, bounds: bounds)
  }

  init(_ frame: CapturedFrame, pixels: CVPixelBuffer, plan: ConnectionPlan) {
    self.pixels = pixels
    timestamp = CMTime(frame.timestamp)
    sequence = frame.sequence
    rotationAngle = plan.rotation
    isMirrored = plan.isMirrored
  }
}
