package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Takes back what a wide lens does to heads far from the middle of its picture, and leaves all else as it is.
///
/// Within a disc about each face the picture becomes the stereographic one, in which balls are round, of the same area and about the same
/// point; around it the change fades out smoothly, and towards the picture's edges. Lines that pass near a head bend there; all others stay
/// straight. Stateless and thread-safe; some tens of milliseconds for a megapixel of heads.
///
/// Source: the idea of Shih, Lai, Liang, "Distortion-Free Wide-Angle Portraits on Camera Phones" (SIGGRAPH 2019), without its mesh.
package enum WidePortraits {
  /// The pixel formats that can be changed.
  package static let formats = RedEyes.formats

  /// Of a face's box, half its longer side: how far the head reaches, and where the change has faded out.
  private static let headReach = 1.5
  private static let fadeReach = 3.2
  /// A head that is longer than wide by less looks right.
  private static let leastStretch = 1.04
  /// Pixels between two places at which the change is computed.
  private static let step = 8

  /// A face whose head is to become round.
  private struct Head {
    let middle: SIMD2<Double>
    let radius: Double
    /// The middle in the stereographic picture, and pixels for each unit of that.
    let rounded: SIMD2<Double>
    let scale: Double

    /// `nil` for a head that the lens has not stretched.
    init?(_ face: CGRect, _ lens: WideProjection) {
      middle = SIMD2(Double(face.midX), Double(face.midY))
      radius = Double(max(face.width, face.height)) / 2
      guard radius >= 4, radius < 1e5, abs(middle.x) < 1e6, abs(middle.y) < 1e6 else { return nil }
      let place = lens.rounded(middle)
      rounded = place
      func slope(_ direction: SIMD2<Double>) -> SIMD2<Double> {
        let small = direction * 1e-3
        return (lens.place(place + small) - lens.place(place - small)) / 2e-3
      }
      let (right, down) = (slope(SIMD2(1, 0)), slope(SIMD2(0, 1)))
      let area = abs(right.x * down.y - right.y * down.x)
      guard area > 0 else { return nil }
      scale = area.squareRoot()
      // The longer axis by the shorter one, from the sum of squares and the area.
      let mean = ((right * right).sum() + (down * down).sum()) / (2 * area)
      guard mean + max(mean * mean - 1, 0).squareRoot() >= WidePortraits.leastStretch else { return nil }
    }

    /// How much of the change a place gets, 0 to 1.
    func share(_ place: SIMD2<Double>) -> Double {
      let offset = place - middle
      let distance = (offset * offset).sum().squareRoot() / radius
      return WidePortraits.smooth(
        (WidePortraits.fadeReach - distance) / (WidePortraits.fadeReach - WidePortraits.headReach))
    }

    /// From a place to where the picture shows what belongs there.
    func change(_ place: SIMD2<Double>, _ lens: WideProjection) -> SIMD2<Double> {
      lens.place(rounded + (place - middle) / scale) - place
    }
  }

  private static func smooth(_ value: Double) -> Double {
    let place = min(max(value, 0), 1)
    return place * place * (3 - 2 * place)
  }

  /// Writes the picture with round heads into a copy of it.
  ///
  /// - Parameters:
  ///   - faces: From the hairline to the chin, in pixels.
  ///   - copy: Holds the same picture of ``formats`` and no other thread reaches it.
  /// - Returns: Whether anything was changed: not without faces, nor with faces that the lens has not stretched.
  package static func correct(
    _ picture: CVPixelBuffer, faces: [CGRect], of lens: WideProjection, into copy: CVPixelBuffer
  ) -> Bool {
    let heads = faces.compactMap { Head($0, lens) }
    guard !heads.isEmpty, formats.contains(picture.format), copy.format == picture.format,
      copy.width == picture.width, copy.height == picture.height,
      CVPixelBufferLockBaseAddress(picture, .readOnly) == kCVReturnSuccess
    else { return false }
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    guard CVPixelBufferLockBaseAddress(copy, []) == kCVReturnSuccess else { return false }
    defer { CVPixelBufferUnlockBaseAddress(copy, []) }
    let bounds = CGRect(x: 0, y: 0, width: picture.width, height: picture.height)
    // Rows of all heads together: two that overlap share their change.
    let reached = heads.reduce(CGRect.null) { rect, head in
      let reach = head.radius * fadeReach
      return rect.union(
        CGRect(x: head.middle.x - reach, y: head.middle.y - reach, width: 2 * reach, height: 2 * reach))
    }.intersection(bounds)
    guard !reached.isEmpty else { return false }
    let size = SIMD2(Double(picture.width), Double(picture.height))
    Field(reached) { change($0, size, heads, lens) }.draw(picture, into: copy)
    return true
  }

  /// Draws the stereographic picture of all of a wide one, in which faces at the edges are found as others are.
  ///
  /// - Parameter copy: Holds a picture of ``formats``, of the same size and format, and no other thread reaches it.
  /// - Returns: The way back from the drawn picture; `nil` for pictures that do not fit.
  package static func drawRoundView(
    of picture: CVPixelBuffer, _ lens: WideProjection, into copy: CVPixelBuffer
  ) -> RoundView? {
    guard formats.contains(picture.format), copy.format == picture.format, copy.width == picture.width,
      copy.height == picture.height, CVPixelBufferLockBaseAddress(picture, .readOnly) == kCVReturnSuccess
    else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    guard CVPixelBufferLockBaseAddress(copy, []) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(copy, []) }
    let view = RoundView(lens, width: Double(picture.width), height: Double(picture.height))
    let bounds = CGRect(x: 0, y: 0, width: picture.width, height: picture.height)
    Field(bounds) { view.source(of: $0) - $0 }.draw(picture, into: copy)
    return view
  }

  /// From a place to where the picture with round heads shows it.
  private static func change(
    _ place: SIMD2<Double>, _ size: SIMD2<Double>, _ heads: [Head], _ lens: WideProjection
  ) -> SIMD2<Double> {
    var sum = SIMD2<Double>.zero
    var shares = 0.0
    for head in heads {
      let share = head.share(place)
      guard share > 0 else { continue }
      // The edges stay where they are: nothing is known of what is beyond.
      let right = smooth(min(place.x, size.x - place.x) / head.radius)
      let down = smooth(min(place.y, size.y - place.y) / head.radius)
      sum += share * share * (head.change(place, lens) * SIMD2(right, down))
      shares += share
    }
    return shares > 0 ? sum / shares : .zero
  }

  /// A change of places, computed at every eighth.
  private struct Field {
    private let origin: SIMD2<Double>
    private let columns: Int
    private let rows: Int
    private var changes: [SIMD2<Float>] = []

    init(_ rect: CGRect, _ change: (SIMD2<Double>) -> SIMD2<Double>) {
      origin = SIMD2(Double(rect.minX).rounded(.down), Double(rect.minY).rounded(.down))
      columns = Int(rect.width) / WidePortraits.step + 3
      rows = Int(rect.height) / WidePortraits.step + 3
      changes.reserveCapacity(columns * rows)
      for row in 0..<rows {
        for column in 0..<columns {
          let place = origin + SIMD2(Double(column), Double(row)) * Double(WidePortraits.step)
          changes.append(SIMD2<Float>(change(place)))
        }
      }
    }

    /// Draws the changed places of a picture into a copy of it.
    func draw(_ picture: CVPixelBuffer, into copy: CVPixelBuffer) {
      if picture.format == kCVPixelFormatType_32BGRA {
        return draw(picture.planes[0], into: copy.planes[0], samples: 4, scale: 1)
      }
      draw(picture.planes[0], into: copy.planes[0], samples: 1, scale: 1)
      draw(picture.planes[1], into: copy.planes[1], samples: 2, scale: 2)
    }

    /// Draws a plane whose samples are `scale` pixels wide and high, and hold so many bytes.
    private func draw(_ from: PixelPlane, into to: PixelPlane, samples: Int, scale: Int) {
      let pixel = Double(scale)
      let (left, top) = (Int(origin.x) / scale, Int(origin.y) / scale)
      let right = min(to.width, left + (columns - 1) * WidePortraits.step / scale)
      let bottom = min(to.height, top + (rows - 1) * WidePortraits.step / scale)
      guard left < right, top < bottom else { return }
      for y in top..<bottom {
        let row = to.row(y)
        for x in left..<right {
          let middle = SIMD2((Double(x) + 0.5) * pixel, (Double(y) + 0.5) * pixel)
          let change = change(at: middle)
          if change == .zero { continue }
          let source = (middle + SIMD2<Double>(change)) / pixel - 0.5
          Self.sample(from, at: source, into: row, x * samples, samples)
        }
      }
    }

    private func change(at place: SIMD2<Double>) -> SIMD2<Float> {
      let at = (place - origin) / Double(WidePortraits.step)
      let column = min(max(Int(at.x), 0), columns - 2)
      let row = min(max(Int(at.y), 0), rows - 2)
      let (right, down) = (Float(at.x) - Float(column), Float(at.y) - Float(row))
      let first = row * columns + column
      let upper = changes[first] + (changes[first + 1] - changes[first]) * right
      let next = first + columns
      let lower = changes[next] + (changes[next + 1] - changes[next]) * right
      return upper + (lower - upper) * down
    }

    private static func sample(
      _ plane: PixelPlane, at place: SIMD2<Double>, into target: UnsafeMutableRawBufferPointer, _ first: Int,
      _ samples: Int
    ) {
      let x = min(max(place.x, 0), Double(plane.width - 1))
      let y = min(max(place.y, 0), Double(plane.height - 1))
      let (column, line) = (min(Int(x), max(plane.width - 2, 0)), min(Int(y), max(plane.height - 2, 0)))
      let (right, down) = (Float(x) - Float(column), Float(y) - Float(line))
      let (upper, lower) = (plane.row(line), plane.row(min(line + 1, plane.height - 1)))
      let beside = plane.width > 1 ? samples : 0
      for index in 0..<samples {
        let near = column * samples + index
        let high = Float(upper[near]) + (Float(upper[near + beside]) - Float(upper[near])) * right
        let low = Float(lower[near]) + (Float(lower[near + beside]) - Float(lower[near])) * right
        target[first + index] = UInt8((high + (low - high) * down).rounded())
      }
    }
  }
}
