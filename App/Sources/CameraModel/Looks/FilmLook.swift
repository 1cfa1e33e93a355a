import AVFoundation

/// Changes a film's pictures as photos with a filter are changed; for one thread.
final class FilmLook {
  /// The pixel format of the pictures, before and after.
  static let pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange

  private let matrix: ColorMatrix?
  private var known: (coding: String?, matrix: VideoColorMatrix)?

  init(_ filter: PhotoFilter) { matrix = filter.matrix }

  /// Returns the picture with the filter, in a buffer of the pool; without a filter, the picture itself.
  ///
  /// `nil` when the pool has no buffer of the picture's size.
  func change(_ picture: CVPixelBuffer, of pool: CVPixelBufferPool?) -> CVPixelBuffer? {
    guard let matrix else { return picture }
    guard let pool else { return nil }
    var made: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made)
    guard let made, CVPixelBufferGetWidth(made) == CVPixelBufferGetWidth(picture),
      CVPixelBufferGetHeight(made) == CVPixelBufferGetHeight(picture)
    else { return nil }
    CVBufferPropagateAttachments(picture, made)
    let coding = CVBufferCopyAttachment(picture, kCVImageBufferYCbCrMatrixKey, nil) as? String
    if known == nil || known?.coding != coding {
      known = (coding, VideoColorMatrix(matrix, coding: coding))
    }
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    CVPixelBufferLockBaseAddress(made, [])
    defer {
      CVPixelBufferUnlockBaseAddress(made, [])
      CVPixelBufferUnlockBaseAddress(picture, .readOnly)
    }
    guard let from = Planes(picture), let to = Planes(made) else { return nil }
    known?.matrix.apply(
      from: from, to: to, width: CVPixelBufferGetWidth(made), height: CVPixelBufferGetHeight(made))
    return made
  }
}

extension FilmLook {
  /// The luma plane, and the chroma plane with Cb and Cr in turn at half the resolution.
  struct Planes {
    let luma: UnsafeMutablePointer<UInt8>
    let lumaBytesPerRow: Int
    let chroma: UnsafeMutablePointer<UInt8>
    let chromaBytesPerRow: Int

    /// Those of a locked buffer; `nil` when it is something else.
    init?(_ buffer: CVPixelBuffer) {
      guard CVPixelBufferGetPixelFormatType(buffer) == FilmLook.pixelFormat,
        let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0),
        let chroma = CVPixelBufferGetBaseAddressOfPlane(buffer, 1)
      else { return nil }
      self.luma = luma.assumingMemoryBound(to: UInt8.self)
      self.chroma = chroma.assumingMemoryBound(to: UInt8.self)
      lumaBytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
      chromaBytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, 1)
    }
  }
}
