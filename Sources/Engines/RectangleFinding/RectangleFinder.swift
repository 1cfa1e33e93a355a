package import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Finds rectangles that are lighter or darker than what lies around them: documents, cards, screens.
///
/// The picture is searched at some 320 pixels a side, by parting it into two shades at several levels and following the outlines
/// of what hangs together. What touches the picture's edge is not found, for it may go on beyond. One object serves one thread.
package final class RectangleFinder {
  private let transformer = PixelTransformer(bufferLimit: 2, threads: 1)

  /// The longer side of the searched picture.
  private static let side = 320
  /// The number of levels that part light from dark, beside that which parts them best.
  private static let levels = 7
  /// Two rectangles whose corners are so near, as a part of their size, are one.
  private static let nearness = 0.08

  /// A finder.
  package init() {}

  /// The rectangles in a picture, the largest first.
  ///
  /// - Parameter least: The least length of a rectangle's longer side, in pixels of the picture.
  /// - Throws: `PixelTransformError` when the picture cannot be read.
  package func rectangles(in pixels: CVPixelBuffer, least: Double = 0) throws -> [FoundRectangle] {
    let whole = (width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    let longer = max(whole.width, whole.height)
    guard min(whole.width, whole.height) >= 8 else { return [] }
    let scale = max(1, Double(longer) / Double(Self.side))
    let (width, height) = (
      max(8, Int(Double(whole.width) / scale)), max(8, Int(Double(whole.height) / scale))
    )
    let small = try transformer.apply(
      FrameTransform(
        size: PixelSize(width: width, height: height), scaling: .stretch,
        pixelFormat: kCVPixelFormatType_OneComponent8), to: pixels)
    let luma = try Self.luma(of: small, width: width, height: height)
    let (across, down) = (Double(whole.width) / Double(width), Double(whole.height) / Double(height))

    let leastSide = max(6, Int(least / max(across, down) * 0.9))
    var found: [FoundRectangle] = []
    for level in Self.levels(of: luma) {
      for isLight in [true, false] {
        let shades = TwoShades(width: width, height: height, isInside: luma.map { ($0 > level) == isLight })
        for rectangle in shades.patches(least: leastSide).compactMap({ Outline($0).rectangle }) {
          Self.add(rectangle, to: &found)
        }
      }
    }
    return
      found.map { rectangle in
        FoundRectangle(
          corners: rectangle.corners.map { CGPoint(x: $0.x * across, y: $0.y * down) },
          score: rectangle.score)
      }
      .filter { max($0.bounds.width, $0.bounds.height) >= least }
      .sorted { $0.area > $1.area }
  }

  /// Of two that are one, the better one stays.
  private static func add(_ rectangle: FoundRectangle, to found: inout [FoundRectangle]) {
    let near = nearness * max(rectangle.bounds.width, rectangle.bounds.height)
    let same = found.firstIndex { other in
      zip(other.corners, rectangle.corners).allSatisfy { hypot($0.x - $1.x, $0.y - $1.y) <= near }
    }
    guard let same else { return found.append(rectangle) }
    if found[same].score < rectangle.score { found[same] = rectangle }
  }

  /// Levels between the shades of the picture: evenly by how many pixels are darker, and that which parts them best.
  private static func levels(of luma: [UInt8]) -> [UInt8] {
    var histogram = [Int](repeating: 0, count: 256)
    for value in luma { histogram[Int(value)] += 1 }
    guard let darkest = histogram.firstIndex(where: { $0 > 0 }),
      let lightest = histogram.lastIndex(where: { $0 > 0 }), lightest > darkest + 8
    else { return [] }
    var chosen: Set<UInt8> = [best(histogram, luma.count)]
    for step in 1...levels {
      chosen.insert(UInt8(darkest + (lightest - darkest) * step / (levels + 1)))
    }
    return chosen.sorted()
  }

  /// The level with the greatest variance between what is darker and what is lighter (Otsu 1979).
  private static func best(_ histogram: [Int], _ count: Int) -> UInt8 {
    let total = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
    var (best, level) = (-1.0, 0)
    var (weight, sum) = (0.0, 0.0)
    for (value, pixels) in histogram.enumerated() {
      weight += Double(pixels)
      sum += Double(value * pixels)
      let rest = Double(count) - weight
      guard weight > 0, rest > 0 else { continue }
      let apart = sum / weight - (total - sum) / rest
      let variance = weight * rest * apart * apart
      if variance > best { (best, level) = (variance, value) }
    }
    return UInt8(level)
  }

  private static func luma(of small: CVPixelBuffer, width: Int, height: Int) throws -> [UInt8] {
    let locked = CVPixelBufferLockBaseAddress(small, .readOnly)
    guard locked == kCVReturnSuccess, let base = CVPixelBufferGetBaseAddress(small) else {
      throw PixelTransformError.bufferUnavailable(locked)
    }
    defer { CVPixelBufferUnlockBaseAddress(small, .readOnly) }
    let stride = CVPixelBufferGetBytesPerRow(small)
    var result: [UInt8] = []
    result.reserveCapacity(width * height)
    for row in 0..<height {
      // Safe because the buffer has `height` rows of `width` bytes.
      result += UnsafeRawBufferPointer(start: base + row * stride, count: width)
    }
    return result
  }
}
