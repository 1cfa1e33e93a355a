internal import CEffects

/// A mask as a line over colours around each cell: what the guided filter says.
///
/// A pixel's share of a person follows from its own colour, so that edges are as sharp as the picture's.
struct MaskLines: Sendable {
  let slopes: CellColors
  let base: CellField
  /// Shares below this count as background, above it as person.
  let range: ClosedRange<Float>

  private var lines: effects_lines {
    effects_lines(slopes: slopes.colors, base: base.field, low: range.lowerBound, high: range.upperBound)
  }

  /// The mask of cells of these colours.
  ///
  /// - Parameter centered: Gets the base of lines over chroma that counts from these colours.
  func cells(_ colors: CellColors, centered: CellField, _ grid: CellGrid, threads: Int) -> PersonMask {
    let (lines, colors, centered) = (lines, colors.colors, centered.field)
    let count = grid.columns * grid.rows
    let alpha = [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
      nonisolated(unsafe) let first = bytes.baseAddress  // Safe because each part writes rows of its own.
      grid.forEachPart(threads: threads) { rows in
        withUnsafePointer(to: lines) { lines in
          withUnsafePointer(to: colors) { colors in
            withUnsafePointer(to: centered) {
              effects_cut(lines, colors, $0, first, rows.lowerBound, rows.upperBound)
            }
          }
        }
      }
      written = count
    }
    return PersonMask(width: grid.columns, height: grid.rows, alpha: alpha)
  }

  /// The mask of a picture's pixels, in rows of an even width; worked out where `cells` leave it open.
  ///
  /// - Parameters:
  ///   - colors: The colours that these lines, with their centered base, count from.
  ///   - known: The mask before, and how far it goes from there to the new one; `nil` goes all the way.
  func pixels(
    _ picture: effects_picture, _ cells: PersonMask, around colors: CellColors,
    from known: (before: [UInt8], share: CellField)?,
    _ grid: CellGrid, threads: Int
  ) -> [UInt8] {
    let (lines, colors, share) = (lines, colors.colors, known?.share.field)
    let count = grid.evenWidth * grid.height
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
      nonisolated(unsafe) let first = bytes.baseAddress  // Safe because each part writes rows of its own.
      cells.alpha.withUnsafeBufferPointer { cells in
        nonisolated(unsafe) let cells = cells.baseAddress  // Safe because it is only read.
        func run(_ before: UnsafePointer<UInt8>?, _ share: UnsafePointer<effects_field>?) {
          nonisolated(unsafe) let known = (before: before, share: share)  // Safe because both are only read.
          grid.forEachPixelPart(threads: threads) { rows in
            var mask = effects_mask(
              cells: cells, columns: Int32(grid.columns), rows: Int32(grid.rows), pixels: first)
            grid.withRoom { room in
              withUnsafePointer(to: picture) { picture in
                withUnsafePointer(to: lines) { lines in
                  withUnsafePointer(to: colors) {
                    effects_matte(
                      picture, Int32(grid.factor), lines, $0, known.share, known.before, &mask,
                      rows.lowerBound,
                      rows.upperBound, room)
                  }
                }
              }
            }
          }
        }
        if let known, let share {
          known.before.withUnsafeBufferPointer { before in
            withUnsafePointer(to: share) { run(before.baseAddress, $0) }
          }
        } else {
          run(nil, nil)
        }
      }
      written = count
    }
  }
}
