internal import Foundation
internal import GraphicsCore

/// A picture as comics were printed: black outlines, and colours of few levels with dots of each ink between them.
struct ComicWork: PictureWork {
  /// How far the picture is blurred first, so that noise draws no lines.
  static let softness = 1.5
  /// How far dots are from each other, in pixels, and how many levels a colour has without them.
  private static let pitch = 6.0
  private static let levels: Float = 4
  /// Cosine and sine of the angles of printers' screens for cyan, magenta and yellow.
  private static let screens = [15.0, 75, 0].map { SIMD2(cos($0 * .pi / 180), sin($0 * .pi / 180)) }

  /// The blurred picture, which goes on beyond its edges.
  var soft: Recipe
  /// The picture whose alpha stays.
  var alpha: Recipe

  var sources: [Recipe] {
    get { [soft, alpha] }
    set { (soft, alpha) = (newValue[0], newValue[1]) }
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let seen = renderer.tile(soft, rect.grown(by: 1))
    for index in 0..<seen.rect.width * seen.rect.height {
      let pixel = seen.pixels[index]
      let straight = pixel.w > 0 ? pixel / pixel.w : .zero
      let shown = straight.mapColors { ScreenCurve.stored(min(1, max(0, $0))) }
      // Brightness lies where alpha was: lines are drawn by it.
      seen.pixels[index] = shown.withAlpha(shown.luminance)
    }
    let result = renderer.tile(alpha, rect)
    for y in rect.y..<rect.maxY {
      let (row, out) = (seen.row(y) + 1, result.row(y))
      for x in 0..<rect.width {
        let paper =
          printed(row[x], x: Double(rect.x + x), y: Double(y)) * (1 - outline(row + x, seen.rect.width))
        out[x] = paper.mapColors(ScreenCurve.light).withAlpha(out[x].w).premultiplied
      }
    }
    return result
  }

  /// How much of a line lies on a pixel: by Sobel's operator on the pixels around it.
  private func outline(_ pixel: UnsafeMutablePointer<SIMD4<Float>>, _ stride: Int) -> Float {
    let (above, below) = (pixel + stride, pixel - stride)
    let across =
      above[1].w + 2 * pixel[1].w + below[1].w - above[-1].w - 2 * pixel[-1].w - below[-1].w
    let along =
      above[-1].w + 2 * above[0].w + above[1].w - below[-1].w - 2 * below[0].w - below[1].w
    let strength = (across * across + along * along).squareRoot()
    let share = min(1, max(0, (strength - 0.3) / 0.3))
    return share * share * (3 - 2 * share)
  }

  /// The colour as three inks print it, each with a screen of dots of its own angle.
  private func printed(_ color: SIMD4<Float>, x: Double, y: Double) -> SIMD4<Float> {
    var result = SIMD4<Float>(repeating: 0)
    for ink in 0..<3 {
      let screen = Self.screens[ink] / Self.pitch
      let (u, v) = (x * screen.x + y * screen.y, y * screen.x - x * screen.y)
      let threshold = Float(0.5 + 0.175 * (cos(2 * .pi * u) + cos(2 * .pi * v)))
      // Inks are purer than the things that they print.
      let vivid = min(1, max(0, color.w + (color[ink] - color.w) * 1.4))
      let place = vivid * (Self.levels - 1)
      let level = min(place.rounded(.down), Self.levels - 2)
      let share = min(1, max(0, (place - level - threshold) / 0.3 + 0.5))
      result[ink] = (level + share) / (Self.levels - 1)
    }
    return result
  }
}
