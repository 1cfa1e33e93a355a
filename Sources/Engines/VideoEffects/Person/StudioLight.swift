internal import CEffects
package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Lights faces softly from the upper left, and dims what is behind people.
///
/// For 420v and 420f pictures of any size; one stream, one call at a time. What is bright already gains little, so that no skin burns
/// out. The light follows faces with a delay of 0.3 s. Cost at 1080 lines, on one thread: 3 ms.
package final class StudioLight {
  private let threads: Int
  private var state: State?

  private struct State {
    let grid: CellGrid
    let wanted: CellField
    let light: CellField
    var time: Int64
  }

  static let followingNanoseconds = 300_000_000.0
  private static let longestGap: Int64 = 1_000_000_000
  /// How much of the background's brightness goes at full strength.
  private static let dimming: Float = 0.25

  /// A light for one stream, which works on up to so many threads; the pictures are the same with any number.
  package init(threads: Int = 1) {
    self.threads = max(1, threads)
  }

  /// Writes the lit picture into `target`; attachments stay as they are.
  ///
  /// - Parameters:
  ///   - strength: From 0, which copies, to 1.
  ///   - faces: From the hairline to the chin, in the picture's own width and height from the top left. None only dims the background.
  ///   - mask: Of a picture of this size.
  ///   - nanoseconds: When the picture was taken, on any clock. Earlier than the one before, or a second later, the light does not
  ///     follow but is there.
  ///   - target: Another buffer of the same size and format.
  /// - Throws: `PixelTransformError`.
  package func apply(
    strength: Double, faces: [CGRect], mask: RefinedMask, at nanoseconds: Int64, from source: CVPixelBuffer,
    to target: CVPixelBuffer
  ) throws {
    let grid = CellGrid(source)
    guard mask.grid == grid else { throw PixelTransformError.destinationUnsuitable }
    let isFull = CVPixelBufferGetPixelFormatType(source) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    let (black, span): (Float, Float) = isFull ? (0, 255) : (16, 219)
    try EffectPicture.withPictures(from: source, to: target) { picture, target in
      guard strength > 0 else { return EffectPicture.copy(picture, to: target) }
      let light = follow(faces, strength: min(1, strength), grid, nanoseconds).field
      let dimming = Self.dimming * Float(min(1, strength))
      grid.forEachPixelPart(threads: threads) { rows in
        grid.withRoom { room in
          withUnsafePointer(to: picture) { picture in
            withUnsafePointer(to: target) { target in
              mask.withMask { mask in
                withUnsafePointer(to: light) {
                  effects_light(
                    picture, target, Int32(grid.factor), mask, $0, dimming, black, span, rows.lowerBound,
                    rows.upperBound, room)
                }
              }
            }
          }
        }
      }
    }
  }

  /// The light at a time: brought nearer to what the faces want.
  private func follow(_ faces: [CGRect], strength: Double, _ grid: CellGrid, _ time: Int64) -> CellField {
    let known = state.flatMap { state in
      state.grid == grid && time >= state.time && time - state.time < Self.longestGap ? state : nil
    }
    var state = known ?? State(grid: grid, wanted: CellField(grid), light: CellField(grid), time: time)
    let lamps = faces.filter { $0.width > 0 && $0.height > 0 }.flatMap { Lamp.around($0) }
    let (wanted, light) = (state.wanted, state.light)
    wanted.clear()
    let share = known == nil ? 1 : Float(1 - exp(-Double(time - state.time) / Self.followingNanoseconds))
    let glows = lamps.map { $0.glow(in: grid, strength: strength) }
    grid.forEachPart(threads: threads) { rows in
      withUnsafePointer(to: wanted.field) { wanted in
        for glow in glows { effects_glow(wanted, glow.across, glow.down, rows.lowerBound, rows.upperBound) }
        withUnsafePointer(to: light.field) {
          effects_approach($0, wanted, nil, share, $0, rows.lowerBound, rows.upperBound)
        }
      }
    }
    state.time = time
    self.state = state
    return light
  }
}

/// A soft light: an ellipse that fades from its middle, in the picture's own width and height.
struct Lamp: Sendable, Hashable {
  let center: CGPoint
  let spread: CGSize
  let strength: Double

  /// The lights for a face: a key light from the upper left, and a weak one for neck and shoulders.
  static func around(_ face: CGRect) -> [Lamp] {
    [
      Lamp(
        center: CGPoint(x: face.midX - 0.25 * face.width, y: face.midY - 0.15 * face.height),
        spread: CGSize(width: 0.6 * face.width, height: 0.65 * face.height), strength: 0.85),
      Lamp(
        center: CGPoint(x: face.midX - 0.1 * face.width, y: face.midY + 0.8 * face.height),
        spread: CGSize(width: 1.6 * face.width, height: 1.5 * face.height), strength: 0.4),
    ]
  }

  /// The light's share in each column and row of cells; their products are the light.
  func glow(in grid: CellGrid, strength factor: Double) -> (across: [Float], down: [Float]) {
    func bell(_ count: Int, pixels: Int, _ middle: CGFloat, _ spread: CGFloat, _ height: Double) -> [Float] {
      (0..<count).map { cell in
        let place = (Double(cell) + 0.5) * Double(grid.factor) / Double(pixels)
        let way = (place - middle) / spread
        return Float(height * exp(-way * way / 2))
      }
    }
    return (
      bell(grid.columns, pixels: grid.width, center.x, spread.width, strength * factor),
      bell(grid.rows, pixels: grid.height, center.y, spread.height, 1)
    )
  }
}
