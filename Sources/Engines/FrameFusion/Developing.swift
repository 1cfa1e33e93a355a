internal import CFusion

/// Denoises and sharpens a merged picture and maps its tones: luma is denoised and sharpened, chroma is denoised.
///
/// The strength follows the noise that merging left: it is greater where fewer frames were merged.
struct Developing: Sendable {
  private let source: FusionFrame
  private let target: FusionFrame
  private let luma: Step
  private let chroma: Step
  private let grid: (columns: Int, rows: Int)

  /// The processing of one plane, with the noise's standard deviation in each part.
  private struct Step: Sendable {
    var strengths: fusion_development
    var deviations: Slots<Int16>
  }

  /// The standard deviation of white noise in each scale of the B3 spline wavelet, in two dimensions (Starck & Murtagh 1994, table 1).
  private static let gains = (0.889, 0.200, 0.086)

  /// - Parameter weights: The number of frames in each part, `columns` times `rows`; `nil` is one everywhere.
  init(
    _ development: Development, from source: FusionFrame, to target: FusionFrame, noise: NoiseCurve,
    weights: Slots<Float>?, _ work: RowWork
  ) {
    let side = TileGrid.side
    let columns = (Int(source.luma.width) + side - 1) / side
    let rows = (Int(source.luma.height) + side - 1) / side
    let lumaDeviations = Slots<Int16>(count: columns * rows)
    let chromaDeviations = Slots<Int16>(count: columns * rows)
    work.forEach(rows) { row in
      withUnsafeTemporaryAllocation(of: fusion_tile.self, capacity: 1) { memory in
        guard let tile = memory.baseAddress else { return }
        for column in 0..<columns {
          withUnsafePointer(to: source.luma) {
            fusion_read_tile($0, Int32(column * side), Int32(row * side), tile)
          }
          let place = row * columns + column
          let share = 1 / (weights.map { $0.base[place] } ?? 1)
          func deviation(_ curve: [Float]) -> Int16 {
            Int16(min(2000, (curve[Int(tile.pointee.mean)] * share).squareRoot() * 64))
          }
          (lumaDeviations.base + place).initialize(to: deviation(noise.luma))
          (chromaDeviations.base + place).initialize(to: deviation(noise.chroma))
        }
      }
    }
    let sharpening = development.sharpening
    luma = Step(
      strengths: Self.strengths(
        shrink: (2.4, 2.2, 1.8), development.denoising, raise: (0.9 * sharpening, 0.5 * sharpening)),
      deviations: lumaDeviations)
    chroma = Step(
      strengths: Self.strengths(shrink: (3.2, 3, 2.8), development.chromaDenoising, raise: (0, 0)),
      deviations: chromaDeviations)
    (self.source, self.target, grid) = (source, target, (columns, rows))
  }

  private static func strengths(
    shrink: (Double, Double, Double), _ strength: Double, raise: (Double, Double)
  ) -> fusion_development {
    func fixed(_ value: Double, _ unit: Double) -> Int16 {
      Int16(max(0, min(32767, (value * unit).rounded())))
    }
    let strength = max(0, min(1, strength))
    return fusion_development(
      gain: (fixed(gains.0, 32768), fixed(gains.1, 32768), fixed(gains.2, 32768)),
      shrink: (
        fixed(shrink.0 * strength, 8192), fixed(shrink.1 * strength, 8192), fixed(shrink.2 * strength, 8192)
      ),
      raise: (fixed(raise.0, 32768), fixed(raise.1, 32768), 0), cap: fixed(raise.0, 10 * 64))
  }

  /// Develops both planes in parts that stay in a processor's cache; `nil` leaves the tones as they are.
  func run(_ tones: ToneMap?, _ work: RowWork) {
    let sharesRows = source.chroma.height < source.luma.height
    develop(luma, source.luma, target.luma, cellRows: 16, tones, work)
    develop(chroma, source.chroma, target.chroma, cellRows: sharesRows ? 8 : 16, tones, work)
  }

  private func develop(
    _ step: Step, _ source: fusion_plane, _ target: fusion_plane, cellRows: Int, _ tones: ToneMap?,
    _ work: RowWork
  ) {
    let (columns, rows) = (Int32(grid.columns), Int32(grid.rows))
    let width = FUSION_DEVELOP_WIDTH / source.step
    work.forEachStrip(rows: Int(source.height), height: Int(FUSION_DEVELOP_HEIGHT)) { strip in
      withUnsafeTemporaryAllocation(of: Int16.self, capacity: Int(FUSION_DEVELOP_ROOM)) { room in
        var strengths = step.strengths
        func develop(_ tone: UnsafePointer<fusion_tone>?) {
          withUnsafePointer(to: source) { source in
            withUnsafePointer(to: target) { target in
              for x in stride(from: 0, to: source.pointee.width, by: Int(width)) {
                fusion_develop(
                  source, target, x, Int32(strip.lowerBound), min(width, source.pointee.width - x),
                  Int32(strip.count), &strengths, step.deviations.base, columns, rows, Int32(cellRows),
                  tone, room.baseAddress)
              }
            }
          }
        }
        if let tones { tones.withTone(develop) } else { develop(nil) }
      }
    }
  }
}
