package import CoreVideo
package import Foundation
package import PixelTransforms
internal import QuartzCore

/// Draws the newest frame of a layer into memory.
struct LayerPainting {
  let frames: PlayerFrames
  let gravity: AVLayerVideoGravity
  let painter: PixelTransformer

  /// The layer's picture in BGRA, of the bounds' size times `contentsScale`; `nil` without a frame or a size.
  func picture(of layer: CALayer) throws -> CVPixelBuffer? {
    let width = Int((layer.bounds.width * layer.contentsScale).rounded())
    let height = Int((layer.bounds.height * layer.contentsScale).rounded())
    guard width > 0, height > 0, frames.takeNewest() != nil else { return nil }
    let picture = try painter.makeBuffer(
      size: PixelSize(width: width, height: height), pixelFormat: kCVPixelFormatType_32BGRA)
    return try draw(layer.bounds, into: picture) ? picture : nil
  }

  /// Draws over the whole of `target` what some bounds show; `false` without a frame or a size.
  func draw(_ bounds: CGRect, into target: CVPixelBuffer) throws -> Bool {
    guard bounds.width > 0, bounds.height > 0, let frame = frames.takeNewest() else { return false }
    try painter.drawLayer(
      frame.pixels, rotation: frame.rotationAngle, isMirrored: frame.isMirrored,
      in: gravity.place(frame.presentationSize, in: bounds), of: bounds, over: target)
    return true
  }
}

extension PixelTransformer {
  /// Draws over the whole of `target` what a layer of `bounds` shows, with a picture in one of its rectangles.
  ///
  /// - Parameters:
  ///   - pixels: The picture as the camera or the movie has it.
  ///   - degrees: By how much it is turned clockwise, before it is mirrored; no multiple of 90 leaves it as it is.
  ///   - rect: Where the turned picture lies, in the layer's coordinates; it may reach beyond the bounds.
  ///   - target: BGRA, of any size.
  package func drawLayer(
    _ pixels: CVPixelBuffer, rotation degrees: Int, isMirrored: Bool, in rect: CGRect, of bounds: CGRect,
    over target: CVPixelBuffer
  ) throws {
    let scale = (
      x: Double(CVPixelBufferGetWidth(target)) / bounds.width,
      y: Double(CVPixelBufferGetHeight(target)) / bounds.height
    )
    try draw(
      pixels, rotation: QuarterTurn(degrees: degrees) ?? .none, isMirrored: isMirrored,
      over: PixelPlace(
        x: (rect.minX - bounds.minX) * scale.x, y: (rect.minY - bounds.minY) * scale.y,
        width: rect.width * scale.x, height: rect.height * scale.y),
      of: target)
  }
}
