internal import CoreVideo
internal import Foundation
internal import PixelTransforms

/// The part of a picture that Center Stage shows, and where; both in fractions of the picture's width and height from its top left.
struct StageView: Sendable, Equatable {
  /// The part that is shown.
  let part: CGRect
  /// Where it is shown; around it is black.
  let place: CGRect

  /// Whether the picture is shown as it is.
  var isWhole: Bool {
    let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
    return place == whole && part.insetBy(dx: -1e-4, dy: -1e-4).contains(whole)
  }

  /// Where a place of the picture is shown.
  func place(of point: CGPoint) -> CGPoint {
    CGPoint(
      x: place.minX + (point.x - part.minX) / part.width * place.width,
      y: place.minY + (point.y - part.minY) / part.height * place.height)
  }

  /// What of the picture is shown at a place.
  func source(of point: CGPoint) -> CGPoint {
    CGPoint(
      x: part.minX + (point.x - place.minX) / place.width * part.width,
      y: part.minY + (point.y - place.minY) / place.height * part.height)
  }

  /// What all of the shown picture corresponds to: beyond the picture where there is black.
  var whole: CGRect {
    let (first, last) = (source(of: CGPoint(x: 0, y: 0)), source(of: CGPoint(x: 1, y: 1)))
    return CGRect(x: first.x, y: first.y, width: last.x - first.x, height: last.y - first.y)
  }

  /// Where a part of the picture is shown.
  func place(of rect: CGRect) -> CGRect {
    let corner = place(of: CGPoint(x: rect.minX, y: rect.minY))
    return CGRect(
      x: corner.x, y: corner.y, width: rect.width / part.width * place.width,
      height: rect.height / part.height * place.height)
  }

  /// Draws the view into `target`, a buffer of the same size and pixel format.
  ///
  /// - Throws: `PixelTransformError`.
  func draw(_ picture: CVPixelBuffer, into target: CVPixelBuffer, by transformer: PixelTransformer) throws {
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    let (across, down) = (Double(width), Double(height))
    // From even pixels on, where samples of colour begin.
    let left = min(Int((place.minX * across / 2).rounded()) * 2, (width - 1) & ~1)
    let top = min(Int((place.minY * down / 2).rounded()) * 2, (height - 1) & ~1)
    let right = max(min(Int((place.maxX * across).rounded()), width), left + 1)
    let bottom = max(min(Int((place.maxY * down).rounded()), height), top + 1)
    try transformer.show(
      PixelPlace(
        x: part.minX * across, y: part.minY * down, width: part.width * across, height: part.height * down),
      of: picture, in: PixelRect(x: left, y: top, width: right - left, height: bottom - top), of: target)
  }
}
