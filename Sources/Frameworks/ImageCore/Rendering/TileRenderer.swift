internal import CoreVideo
internal import Foundation
internal import GraphicsCore
internal import PixelTransforms

/// Evaluates recipes for rectangles of pixels.
///
/// Every pixel is a pure function of the recipe, so tiles may be cut in any way. Thread-bound: one per tile.
struct TileRenderer {
  let color: WorkingColor

  /// The largest part of a picture that is held to make one tile; more costs memory, less costs repeated edges.
  private static let partLimit = 1 << 20

  /// The pixels of `recipe` in `rect`.
  func tile(_ recipe: Recipe, _ rect: GridRect) -> Tile {
    let covered = recipe.extent.pixels(within: rect)
    if covered.isEmpty { return Tile(rect) }
    switch recipe.step {
    case .nothing:
      return Tile(rect)
    case .color(let color):
      let tile = Tile(rect, isClear: false)
      fill(tile, color)
      return tile
    case .picture(let picture):
      let tile = Tile(rect, isClear: covered != rect)
      draw(picture, on: tile, covered)
      return tile
    case .crop(let inner, let limits):
      return self.tile(inner, limits.pixelCenters(within: rect), in: rect)
    case .transform(let inner, let matrix, let sampling):
      let tile = Tile(rect)
      TransformSampler(renderer: self, source: inner, matrix: matrix, sampling: sampling)
        .draw(on: tile, covered, limit: TileRenderer.partLimit)
      return tile
    case .clamp(let inner, let limits):
      let edges = limits.allPixels
      if rect.intersection(edges) == rect { return self.tile(inner, rect) }
      let tile = Tile(rect, isClear: false)
      extend(inner, edges, on: tile)
      return tile
    case .over(let top, let bottom):
      return compose(top, over: bottom, rect)
    case .alpha(let inner, let change):
      return changeAlpha(inner, change, rect, covered)
    case .work(let work):
      if covered == rect { return work.tile(rect, self) }
      let whole = Tile(rect)
      whole.copy(work.tile(covered, self))
      return whole
    }
  }

  /// Renders what of `recipe` lies within `rect`, tile by tile: for what is counted or summed over a picture.
  ///
  /// - Returns: What that is; nothing for a rectangle without end.
  func forEachTile(of recipe: Recipe, within rect: CGRect, _ body: (Tile) -> Void) -> GridRect {
    guard !rect.isInfiniteExtent else { return GridRect(x: 0, y: 0, width: 0, height: 0) }
    let part = (recipe.extent.isInfiniteExtent ? rect : rect.intersection(recipe.extent)).allPixels
    for piece in part.tiles { body(tile(recipe, piece)) }
    return part
  }

  /// The pixels of `recipe` in `part`, clear in the rest of `rect`.
  private func tile(_ recipe: Recipe, _ part: GridRect, in rect: GridRect) -> Tile {
    if part == rect { return tile(recipe, rect) }
    let whole = Tile(rect)
    if !part.isEmpty { whole.copy(tile(recipe, part)) }
    return whole
  }

  private func fill(_ tile: Tile, _ color: CIColor) {
    let straight = SIMD4<Float>(Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha))
    var pixel = self.color.entry(from: color.colorSpace).working(straight)
    let alpha = pixel.w
    pixel *= alpha
    pixel.w = alpha
    tile.pixels.update(repeating: pixel, count: tile.rect.width * tile.rect.height)
  }

  private func draw(_ picture: Picture, on tile: Tile, _ covered: GridRect) {
    let entry = color.entry(from: picture.colorSpace)
    // Core Image counts rows from the bottom, memory from the top.
    let rows = PixelRect(
      x: covered.x, y: picture.size.height - covered.maxY, width: covered.width, height: covered.height)
    switch picture.memory {
    case .nothing:
      tile.clear()
    case .words(let words):
      for y in covered.y..<covered.maxY {
        let from = (picture.size.height - 1 - y) * picture.size.width
        let row = tile.row(y) - tile.rect.x
        for x in covered.x..<covered.maxX {
          let at = 4 * (from + x)
          let premultiplied =
            SIMD4<Float>(Float(words[at]), Float(words[at + 1]), Float(words[at + 2]), Float(words[at + 3]))
            / 65535
          row[x] = premultiplied.changingColor(entry.working)
        }
      }
    case .floats(let floats):
      floats.read(rows: rows.y..<rows.y + rows.height, from: rows.x, rows.width) { row, pixels in
        let to = tile.row(picture.size.height - 1 - row) + covered.x - tile.rect.x
        for x in 0..<covered.width { to[x] = pixels[x].changingColor(entry.working) }
      }
    case .buffer(let buffer):
      do {
        try picture.withRows(buffer, rows) { rows in
          entry.table.withUnsafeBufferPointer { table in
            for y in covered.y..<covered.maxY {
              TileRenderer.readRow(
                rows.base + (covered.maxY - 1 - y) * rows.stride, red: rows.red,
                tile.row(y) + covered.x - tile.rect.x, covered.width, table, entry, isOpaque: picture.isOpaque
              )
            }
          }
        }
      } catch {
        tile.clear()
        RenderLog.report("A part of a picture of \(picture.size) was left clear: \(error)")
      }
    }
  }

  private static func readRow(
    _ bytes: UnsafePointer<UInt8>, red: Int, _ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int,
    _ table: UnsafeBufferPointer<Float>, _ entry: WorkingColor.Entry, isOpaque: Bool
  ) {
    guard let table = table.baseAddress else { return }
    let isPlain = entry.matrix == nil && entry.stored == nil
    var x = 0
    while x < count {
      let first = x
      x += PixelRows.read(
        bytes + 4 * x, red: red, ignoresAlpha: isOpaque, by: table, into: row + x, count - x)
      if let matrix = entry.matrix, entry.stored == nil {
        PixelRows.multiply(row + first, x - first, by: matrix.columns)
      } else if !isPlain {
        for x in first..<x { row[x] = entry.mixed(row[x]) }
      }
      if x == count { return }
      let pixel = bytes + 4 * x
      let premultiplied =
        SIMD4<Float>(Float(pixel[red]), Float(pixel[1]), Float(pixel[2 - red]), Float(pixel[3])) / 255
      row[x] = premultiplied.changingColor(entry.working)
      x += 1
    }
  }

  private func extend(_ inner: Recipe, _ edges: GridRect, on tile: Tile) {
    let needed = tile.rect.nearest(in: edges)
    let source = self.tile(inner, needed)
    func nearest(_ value: Int, _ low: Int, _ high: Int) -> Int { min(max(value, low), high - 1) }
    // Columns before the picture, within it, and after it.
    let left = min(max(edges.x - tile.rect.x, 0), tile.rect.width)
    let right = min(max(edges.maxX - tile.rect.x, left), tile.rect.width)
    for row in tile.rect.y..<tile.rect.maxY {
      let from = source.row(nearest(row, edges.y, edges.maxY))
      let to = tile.row(row)
      to.update(repeating: from[0], count: left)
      if right > left {
        (to + left).update(from: from + (tile.rect.x + left - needed.x), count: right - left)
      }
      (to + right).update(repeating: from[needed.width - 1], count: tile.rect.width - right)
    }
  }

  private func compose(_ top: Recipe, over bottom: Recipe, _ rect: GridRect) -> Tile {
    let covered = top.extent.pixels(within: rect)
    if covered.isEmpty { return tile(bottom, rect) }
    let upper = tile(top, covered)
    if covered == rect, top.isOpaque, top.extent.isWhole { return upper }
    let tile = tile(bottom, rect)
    for y in covered.y..<covered.maxY {
      let from = upper.row(y)
      let to = tile.row(y) + covered.x - tile.rect.x
      // Porter and Duff 1984: what the upper one lets through, plus the upper one.
      for x in 0..<covered.width { to[x] = from[x] + to[x] * (1 - from[x].w) }
    }
    return tile
  }

  private func changeAlpha(
    _ inner: Recipe, _ change: Recipe.AlphaStep, _ rect: GridRect, _ covered: GridRect
  ) -> Tile {
    var part = covered
    if case .setOne(let limits) = change { part = limits.pixelCenters(within: rect) }
    let tile = tile(inner, part, in: rect)
    if part.isEmpty { return tile }
    for y in part.y..<part.maxY {
      let row = tile.row(y) + part.x - tile.rect.x
      for x in 0..<part.width {
        let alpha = row[x].w
        switch change {
        case .setOne:
          row[x].w = 1
        case .premultiply:
          row[x] *= alpha
          row[x].w = alpha
        case .unpremultiply:
          if alpha > 0 {
            row[x] /= alpha
            row[x].w = alpha
          }
        }
      }
    }
    return tile
  }
}

extension SIMD4<Float> {
  /// A premultiplied pixel whose colours go through `body` as if they were not.
  func changingColor(_ body: (SIMD4<Float>) -> SIMD4<Float>) -> SIMD4<Float> {
    let alpha = w
    if alpha <= 0 { return .zero }
    var straight = self / alpha
    straight.w = alpha
    var result = body(straight) * alpha
    result.w = alpha
    return result
  }
}

extension CGRect {
  /// Whether all sides lie between pixels.
  var isWhole: Bool {
    isInfiniteExtent
      || (minX == minX.rounded() && minY == minY.rounded() && maxX == maxX.rounded()
        && maxY == maxY.rounded())
  }

  /// Every pixel that the rectangle touches.
  var allPixels: GridRect {
    if isNull || isEmpty { return GridRect(x: 0, y: 0, width: 0, height: 0) }
    // Beyond this, numbers would not fit; no picture is so large.
    func bounded(_ value: CGFloat) -> Int { value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -1e15), 1e15)) }
    let x = bounded((minX + 1e-9).rounded(.down))
    let y = bounded((minY + 1e-9).rounded(.down))
    return GridRect(
      x: x, y: y, width: bounded((maxX - 1e-9).rounded(.up)) - x,
      height: bounded((maxY - 1e-9).rounded(.up)) - y)
  }

  /// The pixels of `rect` that this rectangle touches.
  func pixels(within rect: GridRect) -> GridRect {
    isInfiniteExtent ? rect : allPixels.intersection(rect)
  }

  /// The pixels of `rect` whose middle lies in this rectangle.
  func pixelCenters(within rect: GridRect) -> GridRect {
    if isInfiniteExtent { return rect }
    if isNull || isEmpty { return GridRect(x: 0, y: 0, width: 0, height: 0) }
    return CGRect(
      x: (minX - 0.5).rounded(.up), y: (minY - 0.5).rounded(.up),
      width: (maxX - 0.5).rounded(.up) - (minX - 0.5).rounded(.up),
      height: (maxY - 0.5).rounded(.up) - (minY - 0.5).rounded(.up)
    ).allPixels.intersection(rect)
  }
}
