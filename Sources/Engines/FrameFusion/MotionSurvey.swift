internal import CFusion

/// A sample of tiles, each searched by itself.
///
/// From them follow the camera's motion, the noise, and the frames that are left out.
struct MotionSurvey {
  let noise: NoiseCurve
  /// The frames that are merged, and the camera's motion in each.
  let frames: [(frame: BurstFrame, model: MotionModel)]

  /// The most tiles that are sampled.
  private static let enough = 350
  /// A frame is left out when less than this part of its tiles matches the reference.
  private static let leastShare = 0.2

  /// One tile in one frame.
  private struct Found {
    var sample: MotionModel.Sample
    var noise: NoiseSample
  }

  init(_ tiles: TileMotion, _ frames: [BurstFrame], given: NoiseCurve?, _ work: RowWork) {
    let grid = TileGrid(tiles.reference.luma)
    var step = 1
    while grid.count / (step * step) > 2 * Self.enough { step += 1 }
    let columns = (grid.columns + step - 1) / step
    let rows = (grid.rows + step - 1) / step
    let spacing = step
    if frames.isEmpty {
      noise = given ?? Self.noise(of: tiles.reference, columns: columns, rows: rows, spacing: step)
      self.frames = []
      return
    }
    let found = Slots<Found>(count: columns * rows * frames.count)
    work.forEach(rows) { row in
      withUnsafeTemporaryAllocation(of: fusion_tile.self, capacity: 2) { pair in
        guard let luma = pair.baseAddress else { return }
        for column in 0..<columns {
          Self.look(
            tiles, frames, column: column * spacing, row: row * spacing, luma, luma + 1, given,
            into: found.base + (row * columns + column) * frames.count)
        }
      }
    }
    let all = found.array
    func of(_ frame: Int) -> [Found] {
      stride(from: frame, to: all.count, by: frames.count).map { all[$0] }
    }
    func curve(_ kept: [Int]) -> NoiseCurve {
      given ?? NoiseCurve(samples: kept.flatMap { of($0).map(\.noise) })
    }
    var kept = Array(frames.indices)
    var noise = curve(kept)
    // Without a frame that fits nowhere the curve is another, by which others may fit no more: until nothing changes.
    while !kept.isEmpty {
      let fitting = kept.filter { frame in
        let samples = of(frame)
        let good = samples.count { $0.noise.luma < 3 * noise.luma[$0.noise.level] + 0.5 }
        return Double(good) >= Self.leastShare * Double(samples.count)
      }
      if fitting.count == kept.count { break }
      kept = fitting
      noise = curve(kept)
    }
    if kept.isEmpty, given == nil {
      noise = Self.noise(of: tiles.reference, columns: columns, rows: rows, spacing: step)
    }
    self.noise = noise
    let limit = noise
    self.frames = kept.map { frame in
      let trusted = of(frame).filter { $0.noise.luma < 4 * limit.luma[$0.noise.level] + 1 }
      return (frames[frame], MotionModel((trusted.isEmpty ? of(frame) : trusted).map(\.sample)))
    }
  }

  /// The noise, estimated from one frame.
  private static func noise(of frame: FusionFrame, columns: Int, rows: Int, spacing: Int) -> NoiseCurve {
    var samples: [NoiseSample] = []
    let sharesRows = frame.chroma.height < frame.luma.height
    withUnsafeTemporaryAllocation(of: fusion_tile.self, capacity: 1) { memory in
      guard let tile = memory.baseAddress else { return }
      for row in 0..<rows {
        for column in 0..<columns {
          let (x, y) = (TileGrid.origin(column * spacing), TileGrid.origin(row * spacing))
          withUnsafePointer(to: frame.luma) { fusion_read_tile($0, Int32(x), Int32(y), tile) }
          let (level, luma) = (Int(tile.pointee.mean), fusion_tile_noise(tile, 1))
          withUnsafePointer(to: frame.chroma) {
            fusion_read_tile($0, Int32(x / 2), Int32(sharesRows ? y / 2 : y), tile)
          }
          samples.append(NoiseSample(level: level, luma: luma, chroma: fusion_tile_noise(tile, 2)))
        }
      }
    }
    return NoiseCurve(ofOne: samples)
  }

  private static func look(
    _ tiles: TileMotion, _ frames: [BurstFrame], column: Int, row: Int,
    _ luma: UnsafeMutablePointer<fusion_tile>, _ chroma: UnsafeMutablePointer<fusion_tile>,
    _ given: NoiseCurve?, into found: UnsafeMutablePointer<Found>
  ) {
    let (x, y) = (TileGrid.origin(column), TileGrid.origin(row))
    let chromaPlane = tiles.reference.chroma
    let sharesRows = chromaPlane.height < tiles.reference.luma.height
    let (chromaX, chromaY) = (x / 2, sharesRows ? y / 2 : y)
    withUnsafePointer(to: tiles.reference.luma) { fusion_read_tile($0, Int32(x), Int32(y), luma) }
    withUnsafePointer(to: chromaPlane) { fusion_read_tile($0, Int32(chromaX), Int32(chromaY), chroma) }
    let level = Int(luma.pointee.mean)
    for (index, frame) in frames.enumerated() {
      let best = tiles.best(
        luma, frame.planes.luma, frame.pyramid.levels[0], column: column, row: row,
        candidates: frame.candidates(column: column, row: row, whole: frame.whole),
        variance: given?.luma[level] ?? 0)
      let motion = best.motion.ofChroma(sharesRows: sharesRows)
      var residual = fusion_residual()
      withUnsafePointer(to: frame.planes.chroma) {
        fusion_compare(chroma, $0, Int32(chromaX), Int32(chromaY), motion.x, motion.y, &residual)
      }
      let chromaGain = 1 + fusion_noise_gain(motion.x, motion.y)
      let tile = luma.pointee
      (found + index).initialize(
        to: Found(
          sample: MotionModel.Sample(
            px: Double(x + 8), py: Double(y + 8), motion: best.motion, xx: Double(tile.xx),
            xy: Double(tile.xy), yy: Double(tile.yy)),
          noise: NoiseSample(
            level: level, luma: best.energy / (256 * 64 * 2),
            chroma: residual.energy / (256 * 64 * chromaGain))))
    }
  }
}

extension Motion {
  /// The same motion in pairs of chroma samples.
  func ofChroma(sharesRows: Bool) -> Motion {
    Motion(x: x >> 1, y: sharesRows ? y >> 1 : y)
  }
}
