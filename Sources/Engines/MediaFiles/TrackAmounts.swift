internal import CFFmpeg
internal import CoreMedia

/// The amounts of a track's shown samples: their number, their bytes and their duration.
struct TrackAmounts {
  /// The bytes of all samples; 0 when unknown.
  var bytes = 0
  /// The least time between two samples, in the track's units; `nil` when unknown.
  var shortest: Int64?
  /// Samples that are shown and whose end is known, their bytes, and how many seconds they take.
  var shown = (count: 0, bytes: 0, seconds: 0.0)

  /// Bits in a second; `nil` when unknown.
  var bitRate: Double? {
    shown.seconds > 0 && shown.bytes > 0 ? Double(shown.bytes) * 8 / shown.seconds : nil
  }

  /// Samples in a second; 0 when unknown.
  ///
  /// - Parameter said: What the file says: exact where its times are rounded, and wrong where its frames vary.
  func rate(said: Double) -> Double {
    guard shown.count > 0, shown.seconds > 0 else { return said }
    let counted = Double(shown.count) / shown.seconds
    return said > 0 && abs(counted / said - 1) < 0.01 ? said : counted
  }

  /// The amounts of each stream, by its place.
  ///
  /// From the file's tables where it has them; else of the beginning, which is read.
  static func all(of movie: OpenMovie, _ header: BoxReader?, path: String) -> [TrackAmounts] {
    let streams = (0..<Int(cam_movie_stream_count(movie.pointer))).map {
      cam_movie_stream(movie.pointer, Int32($0))
    }
    if let header, let fragments = FragmentAmounts(header, path: path) {
      return streams.map { fragments.amounts[Int($0.number)]?.finished($0) ?? TrackAmounts() }
    }
    let container = String(cString: cam_movie_format(movie.pointer))
    guard container.contains("mp4") || container == "avi" else { return read(movie, streams) }
    return streams.indices.map { table(movie, $0, streams[$0]) }
  }

  private static func table(_ movie: OpenMovie, _ index: Int, _ stream: cam_stream) -> TrackAmounts {
    var amounts = TrackAmounts()
    var last: cam_entry?
    for number in 0..<Int(cam_movie_entry_count(movie.pointer, Int32(index))) {
      let entry = cam_movie_entry(movie.pointer, Int32(index), Int32(number))
      amounts.bytes += Int(max(entry.size, 0))
      if let last, !last.is_discarded, entry.decoding > last.decoding {
        amounts.show(bytes: Int(max(last.size, 0)), lasting: entry.decoding - last.decoding)
      }
      last = entry
    }
    return amounts.finished(stream)
  }

  /// Adds equal samples, which are shown unless they last for no time.
  mutating func add(_ count: Int = 1, bytes size: Int, lasting units: Int64) {
    bytes = Self.sum(bytes, count * size)
    if count > 0, units > 0 { show(count, bytes: size, lasting: units) }
  }

  /// Counts equal samples that are shown, each of so many bytes and, until ``finished(_:)``, units of the track.
  private mutating func show(_ count: Int = 1, bytes size: Int, lasting units: Int64) {
    shown.count += count
    shown.bytes = Self.sum(shown.bytes, count * size)
    shown.seconds += Double(count) * Double(units)
    shortest = min(shortest ?? .max, units)
  }

  /// Sizes are what a file claims: sums end at the largest number.
  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, isOver) = one.addingReportingOverflow(other)
    return isOver ? .max : sum
  }

  /// With seconds instead of units.
  func finished(_ stream: cam_stream) -> TrackAmounts {
    var amounts = self
    amounts.shown.seconds *= Double(stream.time_numerator) / Double(max(stream.time_denominator, 1))
    return amounts
  }

  /// Files without tables are read up to here, in bytes; how many there are is known only of those that end before.
  private static let bound = 16 << 20

  private static func read(_ movie: OpenMovie, _ streams: [cam_stream]) -> [TrackAmounts] {
    var times = [[(time: Int64, bytes: Int)]](repeating: [], count: streams.count)
    var amounts = [TrackAmounts](repeating: TrackAmounts(), count: streams.count)
    var total = 0
    var packet: OpaquePointer?
    var isEnd = false
    while total < bound {
      let status = cam_movie_read(movie.pointer, &packet)
      isEnd = status == cam_end
      guard status >= 0, let read = packet else { break }
      let facts = cam_packet_look(read)
      total += facts.size + 64
      let moment = facts.presentation == cam_no_time ? facts.decoding : facts.presentation
      if streams.indices.contains(Int(facts.stream)) {
        amounts[Int(facts.stream)].bytes += facts.size
        if moment != cam_no_time { times[Int(facts.stream)].append((moment, facts.size)) }
      }
      cam_packet_free(read)
      packet = nil
    }
    return streams.indices.map { index in
      let sorted = times[index].sorted { $0.time < $1.time }
      for (sample, next) in zip(sorted, sorted.dropFirst()) where next.time > sample.time {
        amounts[index].show(bytes: sample.bytes, lasting: next.time &- sample.time)
      }
      if !isEnd { amounts[index].bytes = 0 }
      return amounts[index].finished(streams[index])
    }
  }
}
