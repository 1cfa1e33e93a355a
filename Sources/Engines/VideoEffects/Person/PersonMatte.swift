internal import CEffects
package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Turns what a model says of people into a mask with the picture's own edges, steady from picture to picture.
///
/// For one stream of 420v or 420f pictures, one call at a time. The picture is reduced to cells, about 270 on its shorter side, and
/// averaged over 0.25 s where little moves, as is the model's mask: noise then neither moves the edge nor wavers in it. Where something
/// moves the newest counts alone. Cost at 1080 lines, on one thread: 5 ms, of which 1.2 ms to reduce.
package final class PersonMatte {
  private let threads: Int
  private let confidence: ClosedRange<Float>
  private var state: MatteState?
  private let transformer = PixelTransformer(bufferLimit: 8, threads: 1)

  /// Where little moves, an average forgets half of what it knows in two thirds of this.
  static let settlingNanoseconds = 250_000_000.0
  /// After a gap as long as this the next picture is as good as the first.
  static let longestGap: Int64 = 1_000_000_000
  /// What a model says below and above this is certain.
  package static let confidence: ClosedRange<Float> = 0.25...0.75
  /// The refined mask below this counts as background, above it as person, which removes what the filter leaves beside edges.
  static let range: ClosedRange<Float> = 0.2...0.8
  static let variance: Float = 30

  /// A matte for one stream, which works on up to so many threads; the answers are the same with any number.
  ///
  /// - Parameter confidence: What is said below and above this is certain.
  package init(threads: Int = 1, confidence: ClosedRange<Float> = PersonMatte.confidence) {
    self.threads = max(1, threads)
    self.confidence = confidence
  }

  /// The next picture, reduced and averaged over time where little moves: what the model should see.
  ///
  /// A new 420v or 420f buffer of about 480 × 270 pixels. Then call ``mask(from:part:of:at:)`` with the same picture and time, which
  /// does not reduce it once more.
  ///
  /// - Parameter nanoseconds: When it was taken, on any clock. Earlier than the picture before, or a second later, begins anew.
  /// - Throws: `PixelTransformError` for other formats.
  package func reduced(_ picture: CVPixelBuffer, at nanoseconds: Int64) throws -> CVPixelBuffer {
    let state = try take(picture, at: nanoseconds)
    let format = CVPixelBufferGetPixelFormatType(picture)
    let target = try transformer.makeBuffer(
      size: PixelSize(width: state.grid.columns, height: state.grid.rows), pixelFormat: format)
    CVBufferPropagateAttachments(picture, target)
    try state.steady.write(to: target)
    return target
  }

  /// The mask of the people in a picture.
  ///
  /// - Parameters:
  ///   - raw: What a model says, in any number of pixels.
  ///   - part: What `raw` covers, in pixels of the picture; `nil` is all of it. Beyond it everything is background.
  ///   - nanoseconds: As in ``reduced(_:at:)``.
  /// - Throws: `PixelTransformError` for other formats than 420v and 420f.
  package func mask(
    from raw: PersonMask, part: CGRect? = nil, of picture: CVPixelBuffer, at nanoseconds: Int64
  ) throws -> RefinedMask {
    let state = try take(picture, at: nanoseconds)
    let grid = state.grid
    MaskPlacement(of: raw, part: part, in: grid, range: confidence).fill(
      state.placed, grid, threads: threads)
    if !state.isFirst { state.approach([(state.mask, state.placed, state.placed)], threads: threads) }
    let lines = MaskLines(slopes: state.fresh.slopes, base: state.fresh.base, range: Self.range)
    state.filter.run(
      state.steady, state.placed, variance: Self.variance, slopes: lines.slopes, base: lines.base)
    if !state.isFirst { state.average(lines, threads: threads) }
    let centered = MaskLines(slopes: lines.slopes, base: state.centered, range: Self.range)
    let cells = lines.cells(state.steady, centered: state.centered, grid, threads: threads)
    let pixels = try EffectPicture.withReading(picture) {
      centered.pixels($0, cells, around: state.steady, from: state.known, grid, threads: threads)
    }
    self.state?.keep(pixels)
    return RefinedMask(mask: cells, grid: grid, pixels: pixels)
  }

  /// The mask of the people in one picture alone, such as a photo.
  ///
  /// See ``mask(from:part:of:at:)``.
  package static func mask(
    from raw: PersonMask, part: CGRect? = nil, of picture: CVPixelBuffer, threads: Int = 1
  ) throws -> RefinedMask {
    try PersonMatte(threads: threads).mask(from: raw, part: part, of: picture, at: 0)
  }

  /// Drops what is known: the next picture has nothing to do with the last.
  package func forget() {
    state = nil
  }

  /// Reduces a picture and brings the averages up to it, unless that is done.
  private func take(_ picture: CVPixelBuffer, at nanoseconds: Int64) throws -> MatteState {
    let grid = CellGrid(picture)
    if let state, state.grid == grid, state.time == nanoseconds, state.picture === picture { return state }
    let known = state.flatMap { isContinued($0, grid, nanoseconds) ? $0 : nil }
    var state = known ?? MatteState(grid, threads, nanoseconds)
    let elapsed = Double(nanoseconds - state.time)
    try EffectPicture.withReading(picture) { state.now.reduce($0, grid, threads: threads) }
    if known == nil {
      state.steady.copy(from: state.now)
    } else {
      state.settle(least: Float(1 - exp(-elapsed / Self.settlingNanoseconds)), threads: threads)
    }
    (state.time, state.picture) = (nanoseconds, picture)
    self.state = state
    return state
  }

  private func isContinued(_ state: MatteState, _ grid: CellGrid, _ time: Int64) -> Bool {
    state.grid == grid && time >= state.time && time - state.time < Self.longestGap
  }
}
