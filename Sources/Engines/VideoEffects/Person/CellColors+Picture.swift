internal import CEffects
internal import CoreVideo

extension CellColors {
  /// Writes the colours as a picture of a pixel for each cell.
  ///
  /// - Throws: `PixelTransformError`.
  func write(to target: CVPixelBuffer) throws {
    let colors = colors
    try EffectPicture.withWriting(target) { picture in
      withUnsafePointer(to: picture) { picture in
        withUnsafePointer(to: colors) { effects_write($0, picture, 0, picture.pointee.height) }
      }
    }
  }
}
