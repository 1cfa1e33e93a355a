internal import CFusion

/// Where another camera's picture shows what blocks of 16 × 16 pixels of a picture show.
///
/// Found at a quarter of the size, where both have as much detail: what only one of them has would count as noise, which draws motions
/// to whole pixels. What follows the camera is refined at full size, by steps of Lucas & Kanade, to which it is no matter that one picture
/// is the sharper one.
struct DetailMotion: Sendable {
  private let field: MotionField
  /// In pixels of a quarter of the size.
  private let coarse: MotionModel
  private let fine: MotionModel

  /// `nil` when the two do not show one scene.
  init?(_ part: FusionFrame, _ patch: FusionFrame, _ work: RowWork) {
    let small = [part, patch].map { FusionFrame(halving: FusionFrame(halving: $0, work), work) }
    let alignment = Alignment(small, candidates: [0], exposures: nil, noise: nil, work)
    guard let source = alignment.sources.first else { return nil }
    (field, coarse) = (alignment.field, source.model)
    fine = Self.refined(source.model, part, patch)
  }

  /// The motion of a block: the camera's, or read between the tiles around where these agree, or that of the nearest.
  func ofBlock(_ column: Int, _ row: Int) -> Motion {
    // In eighths of the distance of tiles, two pixels of theirs.
    let (across, down) = (2 * column + 1, 2 * row + 1)
    let (left, top) = (min(across / 8, field.grid.columns - 2), min(down / 8, field.grid.rows - 2))
    let camera = fine.motion(8 * across, 8 * down)
    let corners = (0..<4).map { corner in field[left + corner & 1, top + corner >> 1, 0] }
    if corners.allSatisfy(\.followsCamera) { return camera }
    // How much farther things move than the camera has it.
    let base = coarse.motion(2 * across, 2 * down)
    let motions = corners.map(\.motion)
    func reach(_ values: [Int32]) -> Int32 { (values.max() ?? 0) - (values.min() ?? 0) }
    let (u, v) = (Int32(min(across - 8 * left, 8)), Int32(min(down - 8 * top, 8)))
    guard max(reach(motions.map(\.x)), reach(motions.map(\.y))) <= Motion.unit / 4 else {
      let nearest = motions[(u >= 4 ? 1 : 0) + (v >= 4 ? 2 : 0)]
      return Motion(x: camera.x + 4 * (nearest.x - base.x), y: camera.y + 4 * (nearest.y - base.y))
    }
    func between(_ value: (Motion) -> Int32) -> Int32 {
      let upper = value(motions[0]) * (8 - u) + value(motions[1]) * u
      let lower = value(motions[2]) * (8 - u) + value(motions[3]) * u
      return (upper * (8 - v) + lower * v) / 16
    }
    return Motion(x: camera.x + between(\.x) - 4 * base.x, y: camera.y + between(\.y) - 4 * base.y)
  }

  /// The most tiles that are looked at.
  private static let enough = 600
  private static let rounds = 3

  /// The camera's motion in pixels of full size.
  private static func refined(_ coarse: MotionModel, _ part: FusionFrame, _ patch: FusionFrame) -> MotionModel
  {
    let grid = TileGrid(part.luma)
    var step = 1
    while grid.count / (step * step) > enough { step += 1 }
    var model: MotionModel?
    for _ in 0..<rounds {
      var samples: [MotionModel.Sample] = []
      withUnsafeTemporaryAllocation(of: fusion_tile.self, capacity: 1) { memory in
        guard let tile = memory.baseAddress else { return }
        for row in stride(from: 1, to: grid.rows - 1, by: step) {
          for column in stride(from: 1, to: grid.columns - 1, by: step) {
            let (x, y) = (TileGrid.origin(column), TileGrid.origin(row))
            let rough = coarse.motion((x + 8) / 4, (y + 8) / 4)
            let now = model?.motion(x + 8, y + 8) ?? Motion(x: 4 * rough.x, y: 4 * rough.y)
            withUnsafePointer(to: part.luma) { fusion_read_tile($0, Int32(x), Int32(y), tile) }
            samples += sample(tile.pointee, patch.luma, x, y, now)
          }
        }
      }
      guard samples.count >= 8 else { break }
      model = MotionModel(samples)
    }
    return model ?? coarse.enlarged(4)
  }

  /// A tile's next step; none of a tile without texture in both directions.
  private static func sample(
    _ tile: fusion_tile, _ luma: fusion_plane, _ x: Int, _ y: Int, _ now: Motion
  ) -> [MotionModel.Sample] {
    let (xx, xy, yy) = (tile.xx, tile.xy, tile.yy)
    let determinant = xx * yy - xy * xy
    guard min(xx, yy) > 4096, determinant > 0.05 * xx * yy else { return [] }
    var residual = fusion_residual()
    withUnsafePointer(to: tile) { tile in
      withUnsafePointer(to: luma) { fusion_compare(tile, $0, Int32(x), Int32(y), now.x, now.y, &residual) }
    }
    func moved(_ value: Int32, _ step: Float) -> Int32 {
      value + Int32((max(-1, min(1, step)) * Float(Motion.unit)).rounded())
    }
    let motion = Motion(
      x: moved(now.x, -(yy * residual.bx - xy * residual.by) / determinant),
      y: moved(now.y, -(xx * residual.by - xy * residual.bx) / determinant))
    return [
      MotionModel.Sample(
        px: Double(x + 8), py: Double(y + 8), motion: motion, xx: Double(xx), xy: Double(xy), yy: Double(yy))
    ]
  }
}
