internal import AVFCore
internal import CameraFrames
public import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms
internal import QuartzCore

/// The layer's picture in memory: for hosts that draw in software, for screenshots, and for tests.
extension AVCaptureVideoPreviewLayer {
  /// The layer's picture as it would look on a screen, in BGRA, of the bounds' size times `contentsScale`.
  ///
  /// Black where the newest frame does not reach. The buffer is one of a few that are used again: let it go before the next
  /// is made, or it costs memory.
  /// - Returns: `nil` before the first frame, and while the bounds have no size.
  /// - Throws: `PixelTransformError`, when too many pictures are held or the camera's pixel format is unknown.
  public func makePicture() throws -> CVPixelBuffer? {
    let width = Int((bounds.width * contentsScale).rounded())
    let height = Int((bounds.height * contentsScale).rounded())
    guard width > 0, height > 0, let frame = frames.takeNewest() else { return nil }
    let picture = try painter.makeBuffer(
      size: PixelSize(width: width, height: height), pixelFormat: kCVPixelFormatType_32BGRA)
    try drawPicture(of: frame, into: picture)
    return picture
  }

  /// Draws the layer's picture over the whole of `target`.
  ///
  /// - Parameter target: BGRA, of any size: what the bounds show is stretched to it.
  /// - Returns: `false` before the first frame, and while the bounds have no size: the target is left as it was.
  /// - Throws: `PixelTransformError`, when the target is not BGRA or the camera's pixel format is unknown.
  @discardableResult
  public func drawPicture(into target: CVPixelBuffer) throws -> Bool {
    guard bounds.width > 0, bounds.height > 0, let frame = frames.takeNewest() else { return false }
    try drawPicture(of: frame, into: target)
    return true
  }

  /// Draws the layer's picture with a frame that its host has taken, and no newer one.
  ///
  /// - Parameter target: As of ``drawPicture(into:)``.
  /// - Throws: `PixelTransformError`, when the target is not BGRA or the camera's pixel format is unknown.
  public func drawPicture(of frame: PreviewFrame, into target: CVPixelBuffer) throws {
    try painter.drawLayer(
      frame.pixels, rotation: frame.rotationAngle, isMirrored: frame.isMirrored,
      in: frame.geometry(gravity: videoGravity, in: bounds).pictureRect, of: bounds, over: target)
  }
}
