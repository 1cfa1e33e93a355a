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

    var isPlain: Bool { followsCamera && fits }
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
    // What most tiles need of a frame, without its objects: to count their owners for each tile took a thirtieth of the time.
    let cameras = frames.map { Camera(luma: $0.frame.planes.luma, model: $0.model) }
    work.forEach(grid.rows) { row in
      withUnsafeTemporaryAllocation(of: fusion_tile.self, capacity: 1) { memory in
        guard let tile = memory.baseAddress else { return }
        for column in 0..<grid.columns {
          let (x, y) = (TileGrid.origin(column), TileGrid.origin(row))
          withUnsafePointer(to: tiles.reference.luma) { fusion_read_tile($0, Int32(x), Int32(y), tile) }
          let variance = noise.luma[Int(tile.pointee.mean)]
          let place = entries.base + (row * grid.columns + column) * frames.count
          for index in cameras.indices {
            let still = Self.still(tiles, tile, cameras[index], x, y, variance: variance)
            let entry =
              still.isEnough
              ? Entry(motion: still.fit.motion, followsCamera: true, fits: true)
              : Self.entry(
                tiles, tile, frames[index].frame, still, column: column, row: row, variance: variance)
            (place + index).initialize(to: entry)
          }
        }
      }
    }
  }

  subscript(column: Int, row: Int, frame: Int) -> Entry {
    entries.base[(row * grid.columns + column) * frameCount + frame]
  }

  /// Whether the four tiles at the corners of a region fit the camera's motion.
  func isPlain(_ column: Int, _ row: Int, _ frame: Int) -> Bool {
    let upper = entries.base + (row * grid.columns + column) * frameCount + frame
    let lower = upper + grid.columns * frameCount
    return upper[0].isPlain && upper[frameCount].isPlain && lower[0].isPlain && lower[frameCount].isPlain
  }

  /// A frame, and the camera's motion in it.
  private struct Camera {
    var luma: fusion_plane
    var model: MotionModel
  }

  /// What the camera's motion leaves of a tile's difference.
  private struct Still {
    var fit: TileMotion.Fit
    /// Of a difference of two frames, in squares of eighths of levels.
    var noise: Float
    /// Below this energy the difference is noise alone.
    var limit: Float { MotionField.fitting * 256 * noise }
    /// Whether no other motion could leave significantly less.
    var isEnough: Bool { fit.energy < limit && fit.gain < MotionField.significance * noise }
  }

  private static func still(
    _ tiles: TileMotion, _ tile: UnsafePointer<fusion_tile>, _ camera: Camera, _ x: Int, _ y: Int,
    variance: Float
  ) -> Still {
    let motion = camera.model.motion(x + 8, y + 8)
    return Still(
      fit: tiles.fit(tile, camera.luma, x, y, motion, variance: variance), noise: 2 * 64 * variance)
  }

  private static func entry(
    _ tiles: TileMotion, _ tile: UnsafePointer<fusion_tile>, _ frame: BurstFrame, _ still: Still, column: Int,
    row: Int, variance: Float
  ) -> Entry {
    let camera = still.fit.motion
    let whole = (dx: (camera.x + 32) >> 6, dy: (camera.y + 32) >> 6)
    let own = tiles.best(
      tile, frame.planes.luma, frame.pyramid.levels[0], column: column, row: row,
      candidates: frame.candidates(column: column, row: row, whole: whole), variance: variance)
    if own.energy + significance * still.noise < still.fit.energy {
      return Entry(motion: own.motion, followsCamera: false, fits: own.energy < still.limit)
    }
    return Entry(motion: camera, followsCamera: true, fits: still.fit.energy < still.limit)
  }
}
