internal import CFusion

/// The motion of every tile in every frame that is merged.
struct MotionField: Sendable {
  /// A tile's motion in one frame.
  struct Entry: BitwiseCopyable {
    var motion: Motion
    /// Whether it moves as the camera's motion has it, so that neighbours may share one motion.
    var followsCamera: Bool
    /// Whether the difference that is left is noise alone.
    var fits: Bool
  }

  let grid: TileGrid
  private let frameCount: Int
  private let entries: Slots<Entry>

  /// A tile's own motion is used when it lowers the difference by more than this, in variances of the noise.
  private static let significance: Float = 10
  /// A tile follows the camera when its difference is below this many times the noise.
  private static let fitting: Float = 1.3

  init(_ tiles: TileMotion, _ survey: MotionSurvey, _ work: RowWork) {
    let grid = TileGrid(tiles.reference.luma)
    let frames = survey.frames
    let entries = Slots<Entry>(count: grid.count * frames.count)
    let noise = survey.noise
    self.grid = grid
    frameCount = frames.count
    self.entries = entries
    if frames.isEmpty { return }
    work.forEach(grid.rows) { row in
      withUnsafeTemporaryAllocation(of: fusion_tile.self, capacity: 1) { memory in
        guard let tile = memory.baseAddress else { return }
        for column in 0..<grid.columns {
          let (x, y) = (TileGrid.origin(column), TileGrid.origin(row))
          withUnsafePointer(to: tiles.reference.luma) { fusion_read_tile($0, Int32(x), Int32(y), tile) }
          let variance = noise.luma[Int(tile.pointee.mean)]
          let place = entries.base + (row * grid.columns + column) * frames.count
          for (index, (frame, model)) in frames.enumerated() {
            (place + index).initialize(
              to: Self.entry(tiles, tile, frame, model, column: column, row: row, variance: variance))
          }
        }
      }
    }
  }

  subscript(column: Int, row: Int, frame: Int) -> Entry {
    entries.base[(row * grid.columns + column) * frameCount + frame]
  }

  private static func entry(
    _ tiles: TileMotion, _ tile: UnsafePointer<fusion_tile>, _ frame: BurstFrame, _ model: MotionModel,
    column: Int, row: Int, variance: Float
  ) -> Entry {
    let (x, y) = (TileGrid.origin(column), TileGrid.origin(row))
    let camera = model.motion(x + 8, y + 8)
    let still = tiles.fit(tile, frame.planes, x, y, camera, variance: variance)
    // Of a difference of two frames, in squares of eighths of levels.
    let noise = 2 * 64 * variance
    let limit = fitting * 256 * noise
    if still.energy < limit, still.gain < significance * noise {
      return Entry(motion: camera, followsCamera: true, fits: true)
    }
    let whole = (dx: (camera.x + 32) >> 6, dy: (camera.y + 32) >> 6)
    let own = tiles.best(
      tile, frame.planes, frame.pyramid.levels[0], column: column, row: row,
      candidates: frame.candidates(column: column, row: row, whole: whole), variance: variance)
    if own.energy + significance * noise < still.energy {
      return Entry(motion: own.motion, followsCamera: false, fits: own.energy < limit)
    }
    return Entry(motion: camera, followsCamera: true, fits: still.energy < limit)
  }
}
