internal import CEffects
package import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// Puts people before another picture.
///
/// For 420v and 420f pictures of any size; one stream, one call at a time. The old background's colour is taken out of the edge of hair
/// and shoulders, and a little of the new one's light comes around it. Cost at 1080 lines, on one thread: 8 ms.
package final class BackgroundReplacement {
  private let threads: Int
  private var state: State?

  private struct State {
    let grid: CellGrid
    let blur: DiscBlur
    let colors: CellColors
    let person: CellColors
    let behind: CellColors
    let inside: CellField
    let scenery: CellColors
    /// The picture that ``scenery`` was made of.
    var known: CVPixelBuffer?
  }

  /// The radii, in cells, in which the colours of an edge are looked for, and from which light comes around it.
  private static let edgeRadius = 5.0
  private static let lightRadius = 12.0
  private static let wrap: Float = 0.35

  /// A replacement for one stream, which works on up to so many threads; the pictures are the same with any number.
  package init(threads: Int = 1) {
    self.threads = max(1, threads)
  }

  /// Writes the people of `source` before `scenery` into `target`; attachments stay as they are.
  ///
  /// - Parameters:
  ///   - scenery: The new background, of the same size and format. Its light is worked out once, until another buffer comes: it must
  ///     not change.
  ///   - mask: Of a picture of this size.
  ///   - target: Another buffer of the same size and format.
  /// - Throws: `PixelTransformError`.
  package func apply(
    scenery: CVPixelBuffer, mask: RefinedMask, from source: CVPixelBuffer, to target: CVPixelBuffer
  ) throws {
    let grid = CellGrid(source)
    guard mask.grid == grid, scenery !== target, EffectPicture.isAlike(source, scenery) else {
      throw PixelTransformError.destinationUnsuitable
    }
    try EffectPicture.withReading(scenery) { new in
      try EffectPicture.withPictures(from: source, to: target) { picture, target in
        let state = state(grid, scenery, new)
        state.colors.reduce(picture, grid, threads: threads)
        state.blur.run(
          state.colors, mask.mask, DiscBlur.Weights(share: Self.sure, gain: DiscBlur.Weights.even),
          radius: Self.edgeRadius, into: state.person, weight: state.inside)
        state.blur.run(
          state.colors, mask.mask, DiscBlur.Weights(share: Self.sure.reversed(), gain: DiscBlur.Weights.even),
          radius: Self.edgeRadius, into: state.behind)
        let around = effects_surroundings(
          person: state.person.colors, behind: state.behind.colors, scenery: state.scenery.colors,
          inside: state.inside.field, wrap: Self.wrap, reach: Int32(Self.edgeRadius + 1))
        grid.forEachPixelPart(threads: threads) { rows in
          grid.withRoom { room in
            withUnsafePointer(to: picture) { picture in
              withUnsafePointer(to: new) { new in
                withUnsafePointer(to: target) { target in
                  mask.withMask { mask in
                    withUnsafePointer(to: around) {
                      effects_replace(
                        picture, new, target, Int32(grid.factor), mask, $0, rows.lowerBound, rows.upperBound,
                        room)
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private func state(_ grid: CellGrid, _ scenery: CVPixelBuffer, _ picture: effects_picture) -> State {
    var state =
      state.flatMap { $0.grid == grid ? $0 : nil }
      ?? State(
        grid: grid, blur: DiscBlur(grid, threads: threads), colors: CellColors(grid),
        person: CellColors(grid),
        behind: CellColors(grid), inside: CellField(grid), scenery: CellColors(grid))
    if state.known !== scenery {
      state.colors.reduce(picture, grid, threads: threads)
      let empty = PersonMask(
        width: grid.columns, height: grid.rows, alpha: [UInt8](repeating: 0, count: grid.columns * grid.rows))
      state.blur.run(
        state.colors, empty,
        DiscBlur.Weights(share: [UInt8](repeating: 255, count: 256), gain: DiscBlur.Weights.even),
        radius: Self.lightRadius, into: state.scenery)
      state.known = scenery
    }
    self.state = state
    return state
  }

  /// The weight of a cell for the person's colour: what is surely theirs.
  private static let sure: [UInt8] = (0..<256).map { alpha in
    let share = max(0, Double(alpha) / 255 * 2 - 1)
    return UInt8((share * share * 255).rounded())
  }
}
