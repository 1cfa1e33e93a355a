internal import CFusion

/// The merging of the regions between the tiles' centres, 16 × 16 pixels each.
///
/// Every region is predicted from each frame by the motions of the four tiles at its corners, each with a bilinear window
/// (overlapped block motion compensation, Orchard & Sullivan 1994); where they agree, once. A prediction is weighted by how
/// much more it differs from the reference than noise explains (Hasinoff et al. 2016, section 5, in space instead of
/// frequencies): a bias whose square is b², shared by N frames, costs least with a weight of σ²/(N b²).
struct RegionMerge: Sendable {
  let reference: FusionFrame
  let target: FusionFrame
  private let frames: [Alignment.Source]
  let field: MotionField
  let weights: Slots<Float>?
  private let lumaScales: Slots<Float>
  private let chromaScales: Slots<Float>
  private let chromaRows: Int
  private let law: fusion_law

  /// A difference of up to 1.25 times the noise's energy counts as noise; from four times on a frame has the weight 0.
  private static let law = fusion_law(margin: 1.25, slope: 8, end: 4)

  init(
    reference: FusionFrame, target: FusionFrame, _ alignment: Alignment, weights: Slots<Float>?,
    law: fusion_law = Self.law
  ) {
    self.reference = reference
    self.target = target
    frames = alignment.sources
    field = alignment.field
    let noise = alignment.noise
    self.weights = weights
    self.law = law
    let sharesRows = reference.chroma.height < reference.luma.height
    chromaRows = sharesRows ? 8 : 16
    lumaScales = Slots(count: 256)
    chromaScales = Slots(count: 256)
    for level in 0..<256 {
      // Energies are of sixteen samples, in squares of eighths; of chroma of 4 × (rows / 4).
      (lumaScales.base + level).initialize(to: 1 / (16 * 64 * noise.luma[level]))
      (chromaScales.base + level).initialize(to: 1 / (Float(chromaRows) * 64 * noise.chroma[level]))
    }
  }

  /// Regions from top to bottom.
  var rows: Int { field.grid.rows - 1 }

  /// Memory for one thread's region.
  private struct Room {
    var luma: UnsafeMutablePointer<fusion_sum>
    var chroma: UnsafeMutablePointer<fusion_sum>
    /// Factors of energies: sixteen for luma, sixteen for chroma.
    var scales: UnsafeMutablePointer<Float>
    /// Weights of luma and of chroma, by each of the motions.
    var weights: UnsafeMutablePointer<Int16>
    /// Of luma and of chroma.
    var motions: UnsafeMutablePointer<fusion_motion>
    var means: UnsafeMutablePointer<UInt8>
  }

  /// Merges one row of regions.
  func merge(row: Int) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 64) { memory in
      guard let base = memory.baseAddress else { return }
      let room = Room(
        luma: base.bindMemory(to: fusion_sum.self, capacity: 1),
        chroma: (base + 1536).bindMemory(to: fusion_sum.self, capacity: 1),
        scales: (base + 3072).bindMemory(to: Float.self, capacity: 32),
        weights: (base + 3200).bindMemory(to: Int16.self, capacity: 32 * Self.most),
        motions: (base + 3584).bindMemory(to: fusion_motion.self, capacity: 2 * Self.most),
        means: (base + 3840).bindMemory(to: UInt8.self, capacity: 16))
      for column in 0..<field.grid.columns - 1 { merge(column, row, room) }
    }
  }

  private func merge(_ column: Int, _ row: Int, _ room: Room) {
    let (x, y) = (Int32(column * TileGrid.side), Int32(row * TileGrid.side))
    let (chromaX, chromaY) = (x / 2, y * Int32(chromaRows) / 16)
    withUnsafePointer(to: reference.luma) { fusion_begin($0, x, y, 16, room.luma) }
    withUnsafePointer(to: reference.chroma) {
      fusion_begin($0, chromaX, chromaY, Int32(chromaRows), room.chroma)
    }
    fusion_block_means(room.luma, room.means)
    for index in 0..<16 {
      room.scales[index] = lumaScales.base[Int(room.means[index])]
      room.scales[16 + index] = chromaScales.base[Int(room.means[index])]
    }
    for frame in frames.indices {
      let count = collect(column, row, frame, room)
      for index in 0..<count {
        let motion = room.motions[index]
        room.motions[Self.most + index] = Self.described(
          Motion(x: motion.mx, y: motion.my).ofChroma(sharesRows: chromaRows == 8), motion.corners)
      }
      add(frames[frame], Int32(count), x, y, chromaX, chromaY, room)
    }
    withUnsafePointer(to: target.luma) { fusion_finish(room.luma, 16, $0, x, y) }
    withUnsafePointer(to: target.chroma) {
      fusion_finish(room.chroma, Int32(chromaRows), $0, chromaX, chromaY)
    }
    if let weights {
      (weights.base + row * (field.grid.columns - 1) + column).initialize(
        to: 1 + fusion_mean_weight(room.luma, 16))
    }
  }

  private static let most = Int(FUSION_MOTIONS)

  /// Writes down the motions that a region may have in a frame; returns how many they are, at least one.
  private func collect(_ column: Int, _ row: Int, _ frame: Int, _ room: Room) -> Int {
    let side = TileGrid.side
    let camera = frames[frame].model.motion(column * side + side / 2, row * side + side / 2)
    if field.isPlain(column, row, frame) {
      room.motions[0] = Self.described(camera, 15)
      return 1
    }
    var count = 0
    func insert(_ motion: Motion, _ corner: Int32) {
      for index in 0..<count {
        let known = room.motions[index]
        // A motion of the tiles around that is nearly known has nothing to add.
        let far = abs(known.mx - motion.x) + abs(known.my - motion.y)
        if far == 0 || (corner == 0 && far < Motion.unit / 4) {
          room.motions[index].corners |= corner
          return
        }
      }
      guard count < Self.most else { return }
      room.motions[count] = Self.described(motion, corner)
      count += 1
    }
    for corner in 0..<4 {
      let entry = field[column + corner & 1, row + corner >> 1, frame]
      insert(entry.followsCamera ? camera : entry.motion, 1 << Int32(corner))
    }
    insert(camera, 0)
    for y in max(0, row - 1)...min(field.grid.rows - 1, row + 2) {
      for x in max(0, column - 1)...min(field.grid.columns - 1, column + 2) {
        let entry = field[x, y, frame]
        if !entry.followsCamera, entry.fits { insert(entry.motion, 0) }
      }
    }
    return count
  }

  private static func described(_ motion: Motion, _ corners: Int32) -> fusion_motion {
    fusion_motion(
      mx: motion.x, my: motion.y, corners: corners,
      scale: 1 / (1 + fusion_noise_gain(motion.x, motion.y)))
  }

  private func add(
    _ frame: Alignment.Source, _ count: Int32, _ x: Int32, _ y: Int32, _ chromaX: Int32, _ chromaY: Int32,
    _ room: Room
  ) {
    var law = law
    withUnsafePointer(to: frame.luma) {
      fusion_add(
        $0, x, y, room.motions, count, 16, room.scales, &law, nil, room.weights, room.luma)
    }
    withUnsafePointer(to: frame.chroma) {
      fusion_add(
        $0, chromaX, chromaY, room.motions + Self.most, count, Int32(chromaRows), room.scales + 16, &law,
        room.weights,
        room.weights + 16 * Self.most, room.chroma)
    }
  }
}
