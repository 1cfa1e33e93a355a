internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

extension NeuralModel {
  /// Runs the model on what a view shows of a picture.
  ///
  /// Cost: one reduction of the seen part, without a copy of it, and the model.
  ///
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  func look(at pixels: CVPixelBuffer, _ view: SquareView, _ transformer: PixelTransformer) throws {
    let small = try transformer.apply(
      FrameTransform(
        crop: view.source, rotation: view.turn,
        size: PixelSize(width: view.target.width, height: view.target.height),
        pixelFormat: kCVPixelFormatType_32BGRA),
      to: pixels)
    let locked = CVPixelBufferLockBaseAddress(small, .readOnly)
    guard locked == kCVReturnSuccess, let base = CVPixelBufferGetBaseAddress(small) else {
      throw PixelTransformError.bufferUnavailable(locked)
    }
    defer { CVPixelBufferUnlockBaseAddress(small, .readOnly) }
    clear()
    put(
      UnsafePointer(base.assumingMemoryBound(to: UInt8.self)),
      bytesPerRow: CVPixelBufferGetBytesPerRow(small), x: view.target.x, y: view.target.y,
      width: view.target.width, height: view.target.height)
    try run()
  }
}
