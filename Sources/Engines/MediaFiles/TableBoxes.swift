internal import CoreMedia

/// Writes the tables of a track (`stbl`).
struct TableBoxes {
  let track: MovieTrack
  let container: MovieContainer
  /// Whether the samples are in fragments.
  let isEmpty: Bool

  func write(to out: inout BoxWriter) {
    let table = isEmpty ? SampleTable() : track.table
    out.box("stbl") { out in
      out.fullBox("stsd") { out in
        out.u32(track.format == nil ? 0 : 1)
        if let format = track.format { SampleEntry(format: format, container: container).write(to: &out) }
      }
      out.fullBox("stts") { out in
        out.u32(table.durations.count)
        for run in table.durations {
          out.u32(run.count)
          out.u32(Int(run.delta))
        }
      }
      writeOffsets(table, to: &out)
      if !table.allAreKeys {
        out.fullBox("stss") { out in
          out.u32(table.keys.count)
          for key in table.keys { out.u32(key) }
        }
      }
      writeChunks(table, to: &out)
      writeSizes(table, to: &out)
      writePositions(table, to: &out)
    }
  }

  private func writeOffsets(_ table: SampleTable, to out: inout BoxWriter) {
    guard table.offsets.contains(where: { $0.delta != 0 }) else { return }
    let isSigned = table.offsets.contains { $0.delta < 0 }
    out.fullBox("ctts", version: isSigned ? 1 : 0) { out in
      out.u32(table.offsets.count)
      for run in table.offsets {
        out.u32(run.count)
        out.u32(Int(run.delta))
      }
    }
  }

  private func writeChunks(_ table: SampleTable, to out: inout BoxWriter) {
    var entries: [(first: Int, samples: Int)] = []
    for (index, chunk) in table.chunks.enumerated() where entries.last?.samples != chunk.samples {
      entries.append((index + 1, chunk.samples))
    }
    out.fullBox("stsc") { out in
      out.u32(entries.count)
      for entry in entries {
        out.u32(entry.first)
        out.u32(entry.samples)
        out.u32(1)
      }
    }
  }

  private func writeSizes(_ table: SampleTable, to out: inout BoxWriter) {
    out.fullBox("stsz") { out in
      if table.sizes.count == 1, let only = table.sizes.first {
        out.u32(only.size)
        out.u32(only.count)
      } else {
        out.u32(0)
        out.u32(table.count)
        for run in table.sizes { for _ in 0..<run.count { out.u32(run.size) } }
      }
    }
  }

  private func writePositions(_ table: SampleTable, to out: inout BoxWriter) {
    let isLong = table.chunks.contains { $0.position > Int(UInt32.max) }
    out.fullBox(isLong ? "co64" : "stco") { out in
      out.u32(table.chunks.count)
      for chunk in table.chunks { if isLong { out.u64(chunk.position) } else { out.u32(chunk.position) } }
    }
  }
}
