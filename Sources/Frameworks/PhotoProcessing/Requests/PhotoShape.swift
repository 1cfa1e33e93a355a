package import CaptureDevice
internal import PixelTransforms

/// The shape that a photo is cut to around its middle, as large as fits.
package struct PhotoShape: Sendable, Hashable, Codable {
  /// The longer side by the shorter one, from 1 on.
  package let aspectRatio: Double

  /// Sensors of nominal shapes miss them by a few pixels, which are worth no cut.
  private static let tolerance = 0.005

  /// A shape; `nil` for a ratio below 1 or above 100, and for what is no number.
  package init?(aspectRatio: Double) {
    guard (1...100).contains(aspectRatio) else { return nil }
    self.aspectRatio = aspectRatio
  }

  /// The size of the part of a picture that is kept; its sides are even, unless it is the whole picture.
  ///
  /// Its longer side lies along the picture's longer side, so that an upright picture gives an upright part; along the width in a
  /// square picture.
  package func size(in size: FrameSize) -> FrameSize {
    let (long, short) = (Double(max(size.width, size.height)), Double(min(size.width, size.height)))
    guard short >= 4, abs(long / short / aspectRatio - 1) > Self.tolerance else { return size }
    // Codecs halve the resolution of colours, so that an odd side would lose half a pixel of it.
    func even(_ side: Double) -> Int { max(2, Int((side / 2 + 0.001).rounded(.down)) * 2) }
    let isTooLong = long / short > aspectRatio
    let (longer, shorter) =
      isTooLong ? (even(short * aspectRatio), even(short)) : (even(long), even(long / aspectRatio))
    return size.width >= size.height
      ? FrameSize(width: longer, height: shorter) : FrameSize(width: shorter, height: longer)
  }

  /// The part itself, from where samples of colour begin; `nil` when it is the whole picture.
  func part(of picture: FrameSize) -> PixelRect? {
    let kept = size(in: picture)
    guard kept != picture else { return nil }
    return PixelRect(
      x: (picture.width - kept.width) / 4 * 2, y: (picture.height - kept.height) / 4 * 2, width: kept.width,
      height: kept.height)
  }
}
