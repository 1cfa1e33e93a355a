internal import CEffects
package import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// Blurs what is behind people, as a lens with a wide aperture does.
///
/// For 420v and 420f pictures of any size; one stream, one call at a time. Only the background's own colours are blurred, so that people
/// do not glow into it, and bright lights become discs. Cost at 1080 lines, on one thread: 5 ms.
package final class PortraitBlur {
  private let threads: Int
  private var state: State?

  private struct State {
    let grid: CellGrid
    let blur: DiscBlur
    let colors: CellColors
    let blurred: CellColors
  }

  /// The radius of a disc at full strength, as a share of the picture's shorter side.
  static let widestRadius = 0.04
  /// Up to this radius, in cells, the sharp picture still shows.
  private static let leastRadius = 2.5

  /// A blur for one stream, which works on up to so many threads; the pictures are the same with any number.
  package init(threads: Int = 1) {
    self.threads = max(1, threads)
  }

  /// Writes the picture with its background blurred into `target`; attachments stay as they are.
  ///
  /// - Parameters:
  ///   - strength: From 0, which copies, to 1, the widest aperture: a disc's radius is 0.04 of the picture's shorter side.
  ///   - mask: Of a picture of this size.
  ///   - target: Another buffer of the same size and format.
  /// - Throws: `PixelTransformError`.
  package func apply(
    strength: Double, mask: RefinedMask, from source: CVPixelBuffer, to target: CVPixelBuffer
  ) throws {
    let grid = CellGrid(source)
    guard mask.grid == grid else { throw PixelTransformError.destinationUnsuitable }
    try EffectPicture.withPictures(from: source, to: target) { picture, target in
      guard strength > 0 else { return EffectPicture.copy(picture, to: target) }
      let state = state(grid)
      state.colors.reduce(picture, grid, threads: threads)
      let shorter = Double(min(grid.columns, grid.rows))
      let radius = min(1, strength) * Self.widestRadius * shorter
      state.blur.run(
        state.colors, mask.mask, DiscBlur.Weights(share: Self.background, gain: Self.bloom),
        radius: max(1, radius), into: state.blurred)
      let blurred = state.blurred.colors
      let share = Float(min(1, radius / Self.leastRadius))
      grid.forEachPixelPart(threads: threads) { rows in
        grid.withRoom { room in
          withUnsafePointer(to: picture) { picture in
            withUnsafePointer(to: target) { target in
              mask.withMask { mask in
                withUnsafePointer(to: blurred) {
                  effects_portrait(
                    picture, target, Int32(grid.factor), mask, $0, share, rows.lowerBound, rows.upperBound,
                    room)
                }
              }
            }
          }
        }
      }
    }
  }

  private func state(_ grid: CellGrid) -> State {
    if let state, state.grid == grid { return state }
    let state = State(
      grid: grid, blur: DiscBlur(grid, threads: threads), colors: CellColors(grid), blurred: CellColors(grid))
    self.state = state
    return state
  }

  /// The weight of a cell by its share of a person: at the edge the person's colour would come with it.
  private static let background: [UInt8] = (0..<256).map { alpha in
    let rest = max(0, 1 - Double(alpha) / 32)
    return UInt8((rest * rest * 255).rounded())
  }

  /// How much more than its level a cell counts by its luma: a light is brighter than white paper, but no picture says so.
  private static let bloom: [UInt8] = (0..<256).map { luma in
    let above = max(0, Double(luma) - 165) / 75
    return UInt8(min(255, 16 * (1 + 13 * above * above)))
  }
}
