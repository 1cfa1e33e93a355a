internal import CoreMedia

/// A fragment (`moof` and `mdat`): what some tracks have for a while.
struct MovieFragment {
  /// A track's part.
  struct Part {
    let number: Int
    let samples: [(sample: PendingSample, span: Int64)]
    /// When the first sample is decoded in the track's media; `nil` for a track that the header does not have.
    let begin: Int64?
  }

  let sequence: Int
  let parts: [Part]

  /// The bytes of the header, and where each part's samples begin behind the start of the fragment.
  func header() -> (bytes: [UInt8], places: [Int]) {
    var out = BoxWriter()
    var patches: [Int] = []
    out.box("moof") { out in
      out.fullBox("mfhd") { $0.u32(sequence) }
      for part in parts where part.begin != nil { patches.append(writePart(part, to: &out)) }
    }
    let dataSize = parts.reduce(0) { $0 + $1.samples.reduce(0) { $0 + $1.sample.data.dataLength } }
    let start = out.count + 8
    out.u32(dataSize + 8)
    out.code("mdat")
    var places: [Int] = []
    var place = start
    var remaining = patches[...]
    for part in parts {
      places.append(place)
      if part.begin != nil, let patch = remaining.popFirst() { out.patch32(patch, place) }
      place += part.samples.reduce(0) { $0 + $1.sample.data.dataLength }
    }
    return (out.bytes, places)
  }

  /// Writes a `traf`, and returns where its data offset lies.
  private func writePart(_ part: Part, to out: inout BoxWriter) -> Int {
    var patch = 0
    out.box("traf") { out in
      // Offsets count from the start of the `moof`. What all samples share is said once: of uncompressed audio, a sample is
      // smaller than what is said of it.
      let isUniform = part.samples.contains { $0.sample.count > 1 }
      let count = part.samples.reduce(0) { $0 + $1.sample.count }
      out.fullBox("tfhd", flags: isUniform ? 0x20038 : 0x20000) { out in
        out.u32(part.number)
        guard isUniform, let first = part.samples.first?.sample else { return }
        out.u32(Int(first.duration))
        out.u32(first.size)
        out.u32(Self.keyFlags)
      }
      out.fullBox("tfdt", version: 1) { $0.u64(Int(part.begin ?? 0)) }
      // Data offset; else also duration, size, flags and composition offset of each sample.
      out.fullBox("trun", version: 1, flags: isUniform ? 1 : 0xF01) { out in
        out.u32(count)
        patch = out.count
        out.u32(0)
        guard !isUniform else { return }
        for (sample, span) in part.samples {
          out.u32(Int(span))
          out.u32(sample.size)
          out.u32(sample.isKey ? Self.keyFlags : 0x101_0000)
          out.u32(Int(sample.presentation - sample.decoding))
        }
      }
    }
    return patch
  }

  /// Depends on no other sample.
  private static let keyFlags = 0x200_0000
}
