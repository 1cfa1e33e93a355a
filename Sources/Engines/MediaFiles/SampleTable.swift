internal import CoreMedia

/// A sample that waits to be written, or several equal ones that follow each other (uncompressed audio).
struct PendingSample {
  let data: CMBlockBuffer
  /// How many samples, all of the same size and duration.
  let count: Int
  let size: Int
  /// In the track's timescale, on the client's timeline.
  let decoding: Int64
  let presentation: Int64
  /// Of one sample; 0 when the client did not say.
  let duration: Int64
  let isKey: Bool

  /// When the last one ends, by its own duration.
  var end: Int64 { decoding + duration * Int64(count) }
}

/// Where each written sample lies and when it is shown, equal ones counted together.
struct SampleTable {
  struct Run {
    var count: Int
    var delta: Int64
  }

  private(set) var durations: [Run] = []
  private(set) var offsets: [Run] = []
  private(set) var sizes: [(count: Int, size: Int)] = []
  /// Numbers of key frames, from 1 on; kept only of samples that come one by one.
  private(set) var keys: [Int] = []
  /// Whether decoding can begin with every sample.
  private(set) var allAreKeys = true
  private(set) var chunks: [(position: Int, samples: Int)] = []
  private(set) var count = 0
  /// When the first sample is decoded, and the earliest is shown.
  private(set) var firstDecoding: Int64 = 0
  private(set) var firstPresentation = Int64.max
  /// When what is shown last ends.
  private(set) var end = Int64.min

  /// Begins a chunk at a place of the file.
  mutating func beginChunk(at position: Int) {
    chunks.append((position, 0))
  }

  /// Says that the samples lie elsewhere in the file.
  mutating func moveChunks(by distance: Int) {
    for index in chunks.indices { chunks[index].position += distance }
  }

  /// Adds a sample to the last chunk.
  ///
  /// - Parameter span: From the decoding of the first one to the decoding of what follows the last one.
  mutating func add(_ sample: PendingSample, span: Int64) {
    if count == 0 { firstDecoding = sample.decoding }
    let each = sample.count > 1 ? sample.duration : span
    addDuration(each, sample.count - 1)
    addDuration(span - each * Int64(sample.count - 1), 1)
    addOffset(sample.presentation - sample.decoding, sample.count)
    if let last = sizes.last, last.size == sample.size {
      sizes[sizes.count - 1].count += sample.count
    } else {
      sizes.append((sample.count, sample.size))
    }
    if !sample.isKey { allAreKeys = false }
    if sample.isKey, sample.count == 1 { keys.append(count + 1) }
    count += sample.count
    chunks[chunks.count - 1].samples += sample.count
    firstPresentation = min(firstPresentation, sample.presentation)
    let last = sample.duration > 0 ? sample.duration * Int64(sample.count) : span
    end = max(end, sample.presentation + (sample.count > 1 ? max(span, last) : last))
  }

  private mutating func addDuration(_ delta: Int64, _ count: Int) {
    guard count > 0 else { return }
    if let last = durations.last, last.delta == delta {
      durations[durations.count - 1].count += count
    } else {
      durations.append(Run(count: count, delta: delta))
    }
  }

  private mutating func addOffset(_ delta: Int64, _ count: Int) {
    if let last = offsets.last, last.delta == delta {
      offsets[offsets.count - 1].count += count
    } else {
      offsets.append(Run(count: count, delta: delta))
    }
  }
}
