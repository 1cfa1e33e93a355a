internal import CFusion

/// The middle of a picture and another camera's picture of it at the same scale, aligned and compared.
struct DetailMerge: Sendable {
  private let part: FusionFrame
  /// The other's picture, moved to where the part shows the same.
  private let detail: FusionFrame
  private let shares: DetailShares

  /// Makes `patch` as bright as `part`, aligns it and compares; `nil` when it does not show the same scene.
  init?(_ part: FusionFrame, _ patch: FusionFrame, _ range: LumaRange, _ work: RowWork) {
    guard let gain = Self.gain(part.luma, over: patch.luma, range) else { return nil }
    if abs(gain - 1) > 0.01 { Self.brighten(patch, by: gain, range, work) }
    guard let motion = DetailMotion(part, patch, work) else { return nil }
    let detail = FusionFrame(like: patch)
    Self.move(patch, to: detail, motion, work)
    self.part = part
    self.detail = detail
    shares = DetailShares(part, detail, work)
  }

  /// Writes the part with the other's detail to `target`.
  func run(into target: FusionFrame, _ work: RowWork) {
    transfer(part.luma, detail.luma, target.luma, cellRows: 16, work)
    transfer(part.chroma, detail.chroma, target.chroma, cellRows: 8, work)
  }

  private func transfer(
    _ source: fusion_plane, _ detail: fusion_plane, _ target: fusion_plane, cellRows: Int, _ work: RowWork
  ) {
    let (shares, columns, rows) = (shares.values, Int32(shares.columns), Int32(shares.rows))
    let width = FUSION_DEVELOP_WIDTH / source.step
    work.forEachStrip(rows: Int(source.height), height: Int(FUSION_DEVELOP_HEIGHT)) { strip in
      withUnsafeTemporaryAllocation(of: Int16.self, capacity: Int(FUSION_DEVELOP_ROOM)) { room in
        withUnsafePointer(to: source) { source in
          withUnsafePointer(to: detail) { detail in
            withUnsafePointer(to: target) { target in
              for x in stride(from: 0, to: source.pointee.width, by: Int(width)) {
                fusion_transfer(
                  source, detail, target, x, Int32(strip.lowerBound), min(width, source.pointee.width - x),
                  Int32(strip.count), shares.base, columns, rows, Int32(cellRows), room.baseAddress)
              }
            }
          }
        }
      }
    }
  }

  // MARK: Light

  /// How many times brighter `luma` is than `other`, in coded values; `nil` when that is no difference of exposures.
  private static func gain(_ luma: fusion_plane, over other: fusion_plane, _ range: LumaRange) -> Double? {
    func brightness(_ plane: fusion_plane) -> Double {
      let (step, top) = (Int(plane.bytes), Int(plane.bytes) - 1)
      var (sum, count) = (0, 0)
      for y in stride(from: 0, to: Int(plane.height), by: 4) {
        let row = plane.base + y * plane.stride + top
        for x in stride(from: y / 4 % 4, to: Int(plane.width), by: 4) { sum += Int(row[x * step]) }
        count += (Int(plane.width) - y / 4 % 4 + 3) / 4
      }
      return Double(sum) / Double(count) - Double(range.black)
    }
    let (own, its) = (brightness(luma), brightness(other))
    guard own > 1, its > 1 else { return nil }
    return 0.6...1.6 ~= own / its ? own / its : nil
  }

  /// Multiplies a frame's coded values.
  private static func brighten(_ frame: FusionFrame, by gain: Double, _ range: LumaRange, _ work: RowWork) {
    for (plane, middle) in [(frame.luma, range.black), (frame.chroma, 128)] {
      let isDeep = plane.bytes == 2
      let (count, zero) = isDeep ? (1024, middle * 4) : (256, middle)
      let table = (0..<count).map { value -> UInt16 in
        let new = (Double(value - zero) * gain).rounded() + Double(zero)
        return UInt16(max(0, min(Double(count - 1), new)))
      }
      work.forEachStrip(rows: Int(plane.height), height: 64) { rows in
        table.withUnsafeBufferPointer { table in
          for y in rows {
            let row = plane.base + y * plane.stride
            let samples = Int(plane.width * plane.step)
            if isDeep {
              row.withMemoryRebound(to: UInt16.self, capacity: samples) { row in
                for x in 0..<samples { row[x] = table[Int(row[x] >> 6)] << 6 }
              }
            } else {
              for x in 0..<samples { row[x] = UInt8(table[Int(row[x])]) }
            }
          }
        }
      }
    }
  }

  /// Writes what `patch` has of each block of the other picture.
  private static func move(
    _ patch: FusionFrame, to target: FusionFrame, _ motion: DetailMotion, _ work: RowWork
  ) {
    let side = TileGrid.side
    work.forEach((Int(patch.luma.height) + side - 1) / side) { row in
      for column in 0..<(Int(patch.luma.width) + side - 1) / side {
        let motion = motion.ofBlock(column, row)
        let (x, y) = (Int32(column * side), Int32(row * side))
        withUnsafePointer(to: patch.luma) { patch in
          withUnsafePointer(to: target.luma) { fusion_move(patch, x, y, motion.x, motion.y, 16, $0) }
        }
        let chroma = motion.ofChroma(sharesRows: true)
        withUnsafePointer(to: patch.chroma) { patch in
          withUnsafePointer(to: target.chroma) { fusion_move(patch, x / 2, y / 2, chroma.x, chroma.y, 8, $0) }
        }
      }
    }
  }
}
