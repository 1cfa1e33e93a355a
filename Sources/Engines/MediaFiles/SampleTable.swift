internal import CoreMedia

/// A sample that waits to be written, or several equal ones that follow each other (uncompressed audio).
struct PendingSample {
  let data: CMBlockBuffer
  /// The number of samples, all of the same size and duration.
  let count: Int
  let size: Int
  /// In the track's timescale, on the client's timeline.
  let decoding: Int64
  let presentation: Int64
  /// Of one sample; 0 when the client did not say.
  var duration: Int64
  let isKey: Bool

  var times: SampleTimes {
    SampleTimes(count: count, decoding: decoding, presentation: presentation, duration: duration)
  }
}

/// The times of a sample that are kept once its data is written: the data's memory may be a camera's.
struct SampleTimes {
  let count: Int
  let decoding: Int64
  let presentation: Int64
  let duration: Int64
}

/// The table of written samples: their positions, sizes and times, equal ones counted together.
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
  /// The same without the newest sample.
  private var endBefore = Int64.min
  /// When what is decoded last ends.
  private var decodedEnd: Int64 = 0

  /// Bytes of its lists in a file, at most, without what `waiting` samples add to them.
  ///
  /// The first of another size makes a list of what was one size for all.
  func size(before waiting: [PendingSample]) -> Int {
    let isMixed =
      sizes.count > 1 || sizes.first.map { only in waiting.contains { $0.size != only.size } } == true
    return 8 * (durations.count + offsets.count) + 4 * keys.count + 20 * chunks.count
      + (isMixed ? 4 * count : 0)
  }

  /// How much one more sample adds to ``size(before:)``, where it is not one of several equal ones.
  static let sampleSize = 24

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
    if count == 0 { (firstDecoding, decodedEnd) = (sample.decoding, sample.decoding) }
    decodedEnd += span
    addDurations(of: sample, span)
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
    endBefore = end
    noteEnd(of: sample.times, span)
  }

  /// Says that the newest sample lasts otherwise than it was added.
  mutating func correctLast(_ sample: SampleTimes, span: Int64) {
    guard let run = durations.last else { return }
    if run.count > 1 { durations[durations.count - 1].count -= 1 } else { durations.removeLast() }
    let last = sample.count > 1 ? span - sample.duration * Int64(sample.count - 1) : span
    addDuration(last, 1)
    decodedEnd += last - run.delta
    end = endBefore
    noteEnd(of: sample, span)
  }

  private mutating func addDurations(of sample: PendingSample, _ span: Int64) {
    let each = sample.count > 1 ? sample.duration : span
    addDuration(each, sample.count - 1)
    addDuration(span - each * Int64(sample.count - 1), 1)
  }

  private mutating func noteEnd(of sample: SampleTimes, _ span: Int64) {
    let last = sample.duration > 0 ? sample.duration * Int64(sample.count) : span
    end = max(end, sample.presentation + (sample.count > 1 ? max(span, last) : last))
  }

  /// Says that what is shown last ends no earlier than at a moment, as far as a duration can say that; before ``close()``.
  mutating func hold(until moment: Int64) {
    if count > 0 { end = max(end, min(moment, decodedEnd + Int64(Int32.max))) }
  }

  /// Makes the last sample last until what is shown ends, once all were added.
  ///
  /// A track's media lasts as long as its durations together; where frames are reordered and of other durations at its beginning than
  /// at its end, that is too short for the last ones. By the table the last sample may then be shown beyond that end;
  /// ``TrackReader`` ends it there.
  mutating func close() {
    guard count > 0, end > decodedEnd, let last = durations.last else { return }
    durations[durations.count - 1].count -= 1
    if last.count == 1 { durations.removeLast() }
    addDuration(last.delta + end - decodedEnd, 1)
    decodedEnd = end
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
