package import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Writes QuickTime movies and MP4 files.
///
/// While samples come, the file is fragmented: killed at any moment, it opens, and lacks at most its last fragment, which is a
/// quarter of a second of arriving samples; the first one is written as soon as there is a sample. Each fragment is brought to the
/// disk on another thread, so that a power cut takes little more. A clean end appends a header with all tables, waits for the disk,
/// and then turns everything before it into one box of media, by overwriting sixteen bytes: the file is then a plain movie,
/// nothing was copied, and it opens at every moment between. Times are written as they come, in the track's timescale.
///
/// Before each fragment, and at the end, the path is compared with the file that was opened: one that was removed, moved, replaced
/// or cut off is an error, `displaced`, and what can be kept is. Not thread-safe; writing blocks for the disk's memory.
package final class MovieWriter: SampleFile {
  /// The settings of a file.
  package struct Settings: Sendable {
    /// The dialect.
    package var container: MovieContainer
    /// The duration of fragments where that is shorter than ``MovieWriter/longestFragment``.
    package var fragmentInterval = CMTime.invalid
    /// Units of time in a second of the movie; 0 takes that of a track.
    package var timescale: Int32 = 0
    /// The movie's metadata.
    package var metadata: [MovieMetadata] = []
    /// Whether the file appears in its folder only when it opens as a movie.
    package var appearsWithHeader = false
    /// Whether a file that is there gives way once this one opens as a movie; else it must not be there.
    package var replacesFile = false
    /// Whether the last picture is shown, and the last metadata holds, until the moment that ``MovieWriter/finish(at:)`` is given,
    /// however much later that is.
    package var holdsLastSample = false
    /// Whether the tables come before the media in the end, for which the media is copied; where that fails they stay behind it.
    package var putsTablesFirst = false
    /// Called once, on another thread, when the disk did not take what was written; the next call that writes throws it, too.
    package var diskFailed: @Sendable (MovieFileError) -> Void = { _ in }

    /// Settings for a dialect.
    package init(container: MovieContainer) {
      self.container = container
    }
  }

  /// The file.
  package let path: String
  /// The file's settings; metadata may be added until the end.
  package var settings: Settings

  let file: GrowingMovieFile
  var tracks: [MovieTrack] = []
  private(set) var sessionStart = CMTime.zero
  private var sequence = 0
  /// The position of the header; `nil` before there is one.
  private var headerPlace: Range<Int>?
  /// Bytes of the header of the tracks that are known, without what it says of samples.
  private(set) var headerSize = 0
  /// When the oldest sample is decoded that waits, and when it came.
  private var fragmentStart: CMTime?
  private var fragmentArrival: MonotonicInstant?
  private var isClosed = false
  /// The number of boxes before the first fragment.
  private static let boxesBeforeMedia = 2
  /// The most media that waits in memory, however slowly time passes for it.
  package static let longestFragment = CMTime(value: 1, timescale: 2)
  /// The longest that samples wait in memory while others come.
  private static let longestWaitNanoseconds: Int64 = 250_000_000
  /// The time of the world in which it was made.
  private let world = WorldTime.current
  private let created: Int

  /// Makes the file, which must not be there unless the settings say that it is replaced.
  ///
  /// - Throws: ``MovieFileError``: `system`.
  package init(path: String, settings: Settings) throws(MovieFileError) {
    self.path = path
    self.settings = settings
    created = MovieHeader.seconds(of: world.date)
    file = try GrowingMovieFile(
      path: path, isHidden: settings.appearsWithHeader, replaces: settings.replacesFile,
      failed: settings.diskFailed)
    try file.append(Self.start(settings.container))
  }

  /// Adds a track; before the first sample.
  ///
  /// - Returns: Its number, by which samples are appended.
  /// - Throws: ``MovieFileError``: `unsuitable` when the container cannot hold the format.
  package func addTrack(_ settings: MovieTrackSettings) throws(MovieFileError) -> Int {
    if let format = settings.format { try self.settings.container.check(format) }
    tracks.append(MovieTrack(settings))
    return tracks.count - 1
  }

  /// Says that a track belongs to another one; before the first sample.
  ///
  /// - Parameter type: What it is to the other one, such as `tmcd` for its time codes.
  package func associate(_ other: Int, with number: Int, as type: String) {
    tracks[number].references.append((type, other))
  }

  /// Says which time of the samples is the movie's beginning; before the first sample.
  package func begin(at time: CMTime) {
    sessionStart = time
  }

  /// Appends a sample buffer: one coded picture, packets of audio, or uncompressed audio.
  ///
  /// Samples of a track come in the order of decoding. The data is not copied and must not change.
  ///
  /// - Throws: ``MovieFileError``: `unsuitable` for other media than the track's and for times that go back; `system` when
  ///   writing fails: the file then ends with its last whole fragment, and ``finish(at:)`` may still be called; `displaced`.
  package func append(_ sample: CMSampleBuffer, to number: Int) throws(MovieFileError) {
    try tracks[number].takeFormat(of: sample, in: settings.container)
    let pending = try tracks[number].pendingSamples(sample)
    for sample in pending { try append(sample, number) }
  }

  private func append(_ sample: PendingSample, _ number: Int) throws(MovieFileError) {
    try tracks[number].take(sample)
    let time = CMTime(value: sample.decoding, timescale: tracks[number].timescale)
    let start = fragmentStart.map { min($0, time) } ?? time
    let arrival = fragmentArrival ?? world.now
    (fragmentStart, fragmentArrival) = (start, arrival)
    if isDue(time - start, since: arrival) { try writeFragment() }
  }

  /// Whether what waits is to be written, so that a kill takes little.
  private func isDue(_ length: CMTime, since arrival: MonotonicInstant) -> Bool {
    // Each track's first one at once, for until then the file holds nothing of it.
    if tracks.contains(where: { $0.lastWritten == nil && $0.closedCount(all: false) > 0 }) { return true }
    let asked = settings.fragmentInterval
    let interval = asked.isNumeric && asked > .zero ? min(asked, Self.longestFragment) : Self.longestFragment
    return length >= interval
      || world.now >= arrival.advanced(byNanoseconds: Self.longestWaitNanoseconds)
  }

  /// Writes all that waits, also the newest samples, of which it is not known yet how long they last.
  ///
  /// For sources from which nothing more may come for a while. Throws as ``append(_:to:)`` does.
  package func flush() throws(MovieFileError) {
    guard !isClosed, tracks.contains(where: { !$0.pending.isEmpty }) else { return }
    try writeFragment(all: true)
  }

  /// Says that no samples come for a track any more.
  package func finishTrack(_ number: Int) {
    tracks[number].isFinished = true
  }

  // MARK: Writing

  private var movieTimescale: Int32 {
    if settings.timescale > 0 { return settings.timescale }
    let video = tracks.filter { $0.settings.mediaType == kCMMediaType_Video }.map(\.timescale).max() ?? 0
    return video > 0 ? video : max(600, tracks.map(\.timescale).max() ?? 600)
  }

  private func header(isFragmented: Bool, end: CMTime?) -> MovieHeader {
    MovieHeader(
      container: settings.container, timescale: movieTimescale, sessionStart: sessionStart, sessionEnd: end,
      metadata: settings.metadata, isFragmented: isFragmented, created: created)
  }

  /// Writes the header of the tracks that have begun, with room for those of which nothing has come yet.
  private func writeHeader() throws(MovieFileError) {
    guard let place = headerPlace else {
      var out = BoxWriter()
      out.add(headerOfBegunTracks())
      headerSize = header(isFragmented: true, end: nil).bytes(known).count
      let missing = tracks.count { $0.lead == nil }
      let room = missing * Self.roomForTrack + headerSize - out.count
      if missing > 0 { out.box("free") { $0.zeros(room) } }
      let start = file.size
      try file.append(out.bytes)
      headerPlace = start..<file.size
      return
    }
    // Players would not know the samples of a track that is not in the header.
    guard tracks.contains(where: { $0.lead == nil && $0.format != nil && !$0.pending.isEmpty }) else {
      return
    }
    let old = tracks
    var out = BoxWriter()
    out.add(headerOfBegunTracks())
    let left = place.count - out.count
    guard left == 0 || left >= 8 else {
      tracks = old
      return
    }
    if left > 0 { out.box("free") { $0.zeros(left - 8) } }
    try file.overwrite(out.bytes, at: place.lowerBound)
    headerSize = header(isFragmented: true, end: nil).bytes(known).count
  }

  /// Bytes that the header of a track needs, with some to spare.
  private static let roomForTrack = 4096

  /// The tracks whose format is known.
  private var known: [(number: Int, track: MovieTrack)] {
    tracks.enumerated().filter { $0.element.format != nil }.map { ($0.offset + 1, $0.element) }
  }

  private func headerOfBegunTracks() -> [UInt8] {
    for index in tracks.indices where tracks[index].format != nil && tracks[index].lead == nil {
      // Where its media begins is known with its first sample; in the end none comes.
      guard isClosed || !tracks[index].pending.isEmpty else { continue }
      tracks[index].completeTimescale()
      // Media that is decoded before the session begins needs room before its start.
      let first = tracks[index].pending.first.map { tracks[index].ticks(sessionStart) - $0.decoding }
      tracks[index].lead = max(0, first ?? 0)
    }
    let present = tracks.enumerated().filter { $0.element.lead != nil }.map { ($0.offset + 1, $0.element) }
    return header(isFragmented: true, end: nil).bytes(present)
  }

  private func writeFragment(all: Bool = false) throws(MovieFileError) {
    try writeHeader()
    var parts: [MovieFragment.Part] = []
    var owners: [Int] = []
    for index in tracks.indices {
      let track = tracks[index]
      let origin = track.ticks(sessionStart) - (track.lead ?? 0)
      for part in track.parts(track.closedCount(all: all), number: index + 1, origin: origin) {
        parts.append(part)
        owners.append(index)
      }
    }
    guard !parts.isEmpty else { return }
    let fragment = MovieFragment(sequence: sequence + 1, parts: parts)
    let (bytes, places) = fragment.header()
    let filling = Self.filling(at: file.size, before: bytes.count)
    let start = file.size + filling.count
    try file.append(filling + bytes, parts.flatMap { $0.samples.map(\.sample.data) })
    sequence += 1
    for (part, (owner, place)) in zip(parts, zip(owners, places)) {
      tracks[owner].table.beginChunk(at: start + place)
      for entry in part.samples { tracks[owner].noteWritten(entry.sample, span: entry.span) }
      tracks[owner].pending.removeFirst(part.samples.count)
    }
    fragmentStart =
      tracks.compactMap { track in
        track.pending.first.map { CMTime(value: $0.decoding, timescale: track.timescale) }
      }.min()
    fragmentArrival = fragmentStart == nil ? nil : world.now
    if isPresentable {
      try file.publish()
      isPlayable = true
    }
    file.beginSync()
  }

  /// Whether what was written is worth a name, by which another file may be replaced: a picture, where there are to be some, or
  /// more sound than comes before the first one.
  private var isPresentable: Bool {
    let pictures = tracks.filter { $0.settings.mediaType == kCMMediaType_Video }
    return pictures.isEmpty || pictures.contains { $0.lastWritten != nil }
      || tracks.contains { track in
        guard let last = track.lastWritten else { return false }
        return last.decoding - track.ticks(sessionStart) >= track.ticks(Self.longestFragment)
      }
  }

  // MARK: The end

  /// Writes what is left and makes the file a plain movie.
  ///
  /// - Parameter end: When the movie ends; `nil` when its longest track does.
  /// - Throws: ``MovieFileError``: `system` and `unsuitable`, after which the file is a fragmented movie with all that was written,
  ///   and `displaced`, with where the movie is. ``isPlayable`` says whether it is at ``path``.
  package func finish(at end: CMTime? = nil) throws(MovieFileError) {
    guard !isClosed else { return }
    isClosed = true
    var failure: MovieFileError?
    func attempt(_ body: () throws(MovieFileError) -> Void) {
      do throws(MovieFileError) { try body() } catch { failure = failure ?? error }
    }
    attempt(file.confirm)
    attempt { () throws(MovieFileError) in try writeFragment(all: true) }
    let media = Self.start(settings.container).count - 16..<file.size
    let isNamed = failure == nil || isPresentable
    attempt { () throws(MovieFileError) in try writeTables(end, media: media, isNamed: isNamed) }
    // Without room for tables the movie stays fragmented.
    if !isWhole { attempt(file.finishSync) }
    attempt(file.confirm)
    if let failure = settle(failure) { throw failure }
    if settings.putsTablesFirst { putTablesFirst(media, end) }
  }

  /// The tables are on the disk before what is in front of them says that they are needed.
  private func writeTables(_ end: CMTime?, media: Range<Int>, isNamed: Bool) throws(MovieFileError) {
    for index in tracks.indices {
      tracks[index].completeTimescale()
      if settings.holdsLastSample, tracks[index].settings.mediaType != kCMMediaType_Audio, let end {
        tracks[index].table.hold(until: tracks[index].ticks(end))
      }
      tracks[index].table.close()
    }
    try file.append(header(isFragmented: false, end: end).bytes(known))
    try file.finishSync()
    var large = BoxWriter()
    large.u32(1)
    large.code("mdat")
    large.u64(media.count)
    try file.overwrite(large.bytes, at: media.lowerBound)
    isWhole = true
    try file.syncAgain()
    guard isNamed else { return }
    try file.publish()
    try file.finishSync()
    isPlayable = true
  }

  /// Ends writing after a failure, and keeps what can be kept: a fragmented movie.
  ///
  /// - Parameter failure: What failed, where that was writing.
  /// - Returns: The failure, with where the movie is when it was displaced.
  package func abandon(_ failure: MovieFileError?) -> MovieFileError? {
    guard !isClosed else { return failure }
    isClosed = true
    var failure = failure
    do throws(MovieFileError) {
      try writeFragment(all: true)
      try file.finishSync()
    } catch {
      failure = failure ?? error
    }
    return settle(failure)
  }

  /// Whether there is a movie at ``path`` that can be played: what was written so far, or what is left after a failure.
  package private(set) var isPlayable = false
  /// Whether media was written, wherever it is now.
  package var hasMedia: Bool { sequence > 0 }
  /// Whether it is a plain movie.
  private var isWhole = false

  /// Brings order into what a failure left.
  private func settle(_ failure: MovieFileError?) -> MovieFileError? {
    if let displacement = file.displacement {
      let kept = file.settle(displacement).flatMap { $0.boxes > Self.boxesBeforeMedia ? $0 : nil }
      isPlayable = kept?.isInPlace == true
      let place = kept.map { $0.isInPlace ? path : $0.path }
      return MovieFileError(.displaced, displacement.sentence(path, kept: place))
    }
    if failure?.reason == .system, !isWhole, file.hasLostBytes {
      let boxes = file.cutToSynced()
      isPlayable =
        isPlayable && boxes > Self.boxesBeforeMedia
        && ((try? MovieFile(path: path))?.tracks.isEmpty == false)
    }
    return failure
  }

  /// The file is whole already, so that it is no error when there is no room for a copy.
  private func putTablesFirst(_ media: Range<Int>, _ end: CMTime?) {
    var present = known
    var moved = 0
    // The header says where the media is, which depends on the header's size.
    for _ in 0..<3 {
      let size = header(isFragmented: false, end: end).bytes(present).count
      guard size != moved else { break }
      for index in present.indices { present[index].track.table.moveChunks(by: size - moved) }
      moved = size
    }
    let bytes = header(isFragmented: false, end: end).bytes(present)
    guard bytes.count == moved else { return }
    try? TablesFirst.rewrite(path, media: media, header: bytes)
  }

  /// Removes the file; never another one that has its name.
  package func cancel() {
    isClosed = true
    file.remove()
  }
}
