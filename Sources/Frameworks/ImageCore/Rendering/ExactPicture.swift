internal import CoreVideo
internal import Foundation
internal import GraphicsCore
internal import PixelTransforms

/// A region of a recipe that is nothing but stored pixels, cut and turned: what needs no arithmetic in light.
struct ExactPicture {
  let picture: Picture
  let buffer: CVPixelBuffer
  /// Crop and orientation from the buffer to the region.
  let transform: FrameTransform

  /// `region` of `recipe`, if it lies within one picture and every pixel of it is one of the picture's.
  init?(_ recipe: Recipe, region: GridRect) {
    var matrix = CGAffineTransform.identity
    var step = recipe
    let wanted = CGRect(x: region.x, y: region.y, width: region.width, height: region.height)
    search: while true {
      guard step.extent.isInfiniteExtent || step.extent.contains(wanted.applying(matrix.inverted())) else {
        return nil
      }
      switch step.step {
      case .crop(let inner, _):
        step = inner
      case .transform(let inner, let change, _):
        guard change.isPixelExact else { return nil }
        matrix = change.concatenating(matrix)
        step = inner
      case .clamp(let inner, _):
        step = inner
      case .over(let top, _):
        // Whatever lies below an opaque picture is not seen.
        guard top.isOpaque, top.extent.contains(wanted.applying(matrix.inverted())) else { return nil }
        step = top
      case .picture:
        break search
      case .nothing, .color, .alpha, .work:
        return nil
      }
    }
    guard case .picture(let picture) = step.step, case .buffer(let buffer) = picture.memory else {
      return nil
    }
    // The region in the picture's own coordinates, then with rows from the top.
    let source = wanted.applying(matrix.inverted()).allPixels
    guard source.x >= 0, source.y >= 0, source.maxX <= picture.size.width, source.maxY <= picture.size.height
    else { return nil }
    let crop = PixelRect(
      x: source.x, y: picture.size.height - source.maxY, width: source.width, height: source.height)
    let subsamples = CVPixelBufferIsPlanar(buffer) || !buffer.isRGB
    if subsamples, crop.x % 2 != 0 || crop.y % 2 != 0 { return nil }
    self.picture = picture
    self.buffer = buffer
    let (rotation, isMirrored) = ExactPicture.orientation(of: matrix)
    transform = FrameTransform(crop: crop, rotation: rotation, isMirrored: isMirrored)
  }

  /// The turn (clockwise as seen) and the mirroring after it that `matrix`, with `y` upwards, stands for.
  private static func orientation(of matrix: CGAffineTransform) -> (QuarterTurn, Bool) {
    switch (matrix.a.rounded(), matrix.b.rounded(), matrix.c.rounded(), matrix.d.rounded()) {
    case (1, 0, 0, 1): (.none, false)
    case (-1, 0, 0, 1): (.none, true)
    case (-1, 0, 0, -1): (.half, false)
    case (1, 0, 0, -1): (.half, true)
    case (0, -1, 1, 0): (.clockwise90, false)
    case (0, -1, -1, 0): (.clockwise90, true)
    case (0, 1, -1, 0): (.clockwise270, false)
    default: (.clockwise270, true)
    }
  }
}

extension CVBuffer {
  /// Whether pixels are whole red, green and blue, or gray.
  var isRGB: Bool {
    switch CVPixelBufferGetPixelFormatType(self) {
    case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB,
      kCVPixelFormatType_24RGB, kCVPixelFormatType_OneComponent8:
      true
    default: false
    }
  }
}
