internal import CPainting
internal import CaptureDevice
internal import Foundation

/// A layer as it lies in one frame: from output pixels to the drawing's own coordinates and back.
struct PlacedLayer {
  let drawing: any Drawing
  /// The rows and columns that it may touch, inside the frame.
  let columns: Range<Int>
  let rows: Range<Int>
  /// The drawing's coordinates at the middle of pixel (0, 0).
  private let origin: SIMD2<Float>
  /// Their change from one column to the next, and from one row to the next.
  private let perColumn: SIMD2<Float>
  private let perRow: SIMD2<Float>
  /// The width of a pixel in the drawing.
  private let pixel: Float

  /// A drawing whose middle is at `center`, `width` by `height` pixels large, turned clockwise by `degrees`;
  /// an endless one covers the frame whatever its size.
  init(
    _ drawing: any Drawing, center: CGPoint, width: Double, height: Double, degrees: Double, frame: FrameSize,
    isEndless: Bool = false
  ) {
    self.drawing = drawing
    // Right angles must be exact: a sine of 90° that is not 1 blurs text.
    let turns = (degrees / 90).truncatingRemainder(dividingBy: 4)
    let (sine, cosine): (Double, Double) =
      switch turns {
      case 0: (0, 1)
      case 1, -3: (1, 0)
      case 2, -2: (0, -1)
      case 3, -1: (-1, 0)
      default: (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      }
    let halfWidth = (abs(cosine) * width + abs(sine) * height) / 2 + 1
    let halfHeight = (abs(sine) * width + abs(cosine) * height) / 2 + 1
    columns = isEndless ? 0..<frame.width : Self.range(center.x, halfWidth, frame.width)
    rows = isEndless ? 0..<frame.height : Self.range(center.y, halfHeight, frame.height)
    perColumn = SIMD2(Float(cosine / width), Float(-sine / height))
    perRow = SIMD2(Float(sine / width), Float(cosine / height))
    let x = 0.5 - center.x
    let y = 0.5 - center.y
    origin = SIMD2(
      Float((x * cosine + y * sine) / width + 0.5), Float((y * cosine - x * sine) / height + 0.5))
    pixel = Float(1 / width)
  }

  private static func range(_ middle: Double, _ half: Double, _ count: Int) -> Range<Int> {
    let low = min(max((middle - half).rounded(.down), 0), Double(count))
    let high = min(max((middle + half).rounded(.up), low), Double(count))
    return Int(low)..<Int(high)
  }

  /// Lays the layer's part of one row over `colors`, which holds the frame's row from column 0 on.
  func blend(row: Int, over colors: UnsafeMutablePointer<SIMD4<Float>>) {
    blend(row: row, onto: colors + columns.lowerBound)
  }

  /// Lays the layer's part of one row over `colors`, which holds the frame's row from the layer's own columns on.
  func blend(row: Int, onto colors: UnsafeMutablePointer<SIMD4<Float>>) {
    guard rows.contains(row), !columns.isEmpty else { return }
    let start = origin + perRow * Float(row) + perColumn * Float(columns.lowerBound)
    let run = painting_run(u: start.x, v: start.y, du: perColumn.x, dv: perColumn.y, pixel: pixel)
    drawing.paint(run, over: colors, count: columns.count)
  }

  /// Whether it is more than half opaque at a place of the frame, in pixels from the top left corner.
  func covers(x: Double, y: Double) -> Bool {
    guard Double(rows.lowerBound) <= y, y <= Double(rows.upperBound), Double(columns.lowerBound) <= x,
      x <= Double(columns.upperBound)
    else { return false }
    let place = origin + perRow * Float(y - 0.5) + perColumn * Float(x - 0.5)
    return isOpaque(at: place)
  }

  /// From places of the frame, in pixels from its top left corner, to the drawing's coordinates.
  var map: (origin: SIMD2<Float>, perColumn: SIMD2<Float>, perRow: SIMD2<Float>) {
    (origin - (perColumn + perRow) * 0.5, perColumn, perRow)
  }

  /// Writes how far the places of a row stand out, see ``Relief``.
  ///
  /// - Parameters:
  ///   - places: In pixels of the frame; of which each is as far from the next as the first from the second where `isEven`.
  ///   - width: The drawing's width in metres.
  func relief(
    _ relief: any Relief, at places: UnsafeBufferPointer<SIMD2<Float>>, isEven: Bool, width: Float,
    into metres: UnsafeMutablePointer<Float>
  ) {
    let map = self.map
    func run(_ index: Int, step: SIMD2<Float>) -> painting_run {
      let place = map.origin + map.perColumn * places[index].x + map.perRow * places[index].y
      let way = map.perColumn * step.x + map.perRow * step.y
      return painting_run(u: place.x, v: place.y, du: way.x, dv: way.y, pixel: pixel)
    }
    if isEven, places.count > 1 {
      relief.relief(run(0, step: places[1] - places[0]), width: width, into: metres, count: places.count)
    } else {
      for index in places.indices {
        relief.relief(run(index, step: .zero), width: width, into: metres + index, count: 1)
      }
    }
  }

  /// Whether the drawing is more than half opaque at a place of its own coordinates.
  func isOpaque(at place: SIMD2<Float>) -> Bool {
    drawing.color(u: place.x, v: place.y, pixel: pixel).w > 0.5
  }
}
