package import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Writes QuickTime movies and MP4 files.
///
/// While samples come, the file is fragmented: killed at any moment, it opens, and lacks at most its last fragment. A clean end
/// appends a header with all tables and turns everything before it into one box of media, by overwriting sixteen bytes: the
/// file is then a plain movie, and nothing was copied. Times are written as they come, in the track's timescale. Not
/// thread-safe; blocks for the disk.
package final class MovieWriter {
  /// What a file is made with.
  package struct Settings: Sendable {
    /// The dialect.
    package var container: MovieContainer
    /// How long fragments are.
    package var fragmentInterval = CMTime(value: 1, timescale: 1)
    /// Units of time in a second of the movie; 0 takes that of a track.
    package var timescale: Int32 = 0
    /// What the movie says about itself.
    package var metadata: [MovieMetadata] = []
    /// Whether the file appears in its folder only when it opens as a movie, where the file system can do that.
    package var appearsWithHeader = false
    /// Whether the tables come before the media in the end, for which the media is copied; where that fails they stay behind it.
    package var putsTablesFirst = false

    /// Settings for a dialect.
    package init(container: MovieContainer) {
      self.container = container
    }
  }

  /// The file.
  package let path: String
  /// What the file is made with; metadata may be added until the end.
  package var settings: Settings

  private let file: MovieOutput
  private var tracks: [MovieTrack] = []
  private var sessionStart = CMTime.zero
  private var sequence = 0
  private var hasHeader = false
  private var fragmentStart: CMTime?
  private var isClosed = false
  private let created = Int(Date().timeIntervalSince1970) + 2_082_844_800

  /// Makes the file, which must not be there.
  ///
  /// - Throws: ``MovieFileError``: `system`.
  package init(path: String, settings: Settings) throws(MovieFileError) {
    self.path = path
    self.settings = settings
    file = try MovieOutput(path: path, isHidden: settings.appearsWithHeader)
    try file.append(Self.start(settings.container))
  }

  /// The file type, and room for the large box's header.
  private static func start(_ container: MovieContainer) -> [UInt8] {
    var out = BoxWriter()
    out.box("ftyp") { out in
      let brands: [String]
      switch container {
      case .quickTime:
        out.code("qt  ")
        out.u32(0)
        brands = ["qt  "]
      case .mpeg4:
        out.code("mp42")
        out.u32(1)
        brands = ["isom", "iso5", "mp41", "mp42"]
      case .appleVideo:
        out.code("M4V ")
        out.u32(1)
        brands = ["M4V ", "isom", "iso5", "mp42"]
      case .appleAudio:
        out.code("M4A ")
        out.u32(0)
        brands = ["M4A ", "isom", "iso5", "mp42"]
      }
      for brand in brands { out.code(brand) }
    }
    out.box("free") { $0.zeros(8) }
    return out.bytes
  }

  /// Bytes of the file so far.
  package var fileSize: Int { file.size }

  /// Adds a track; before the first sample.
  ///
  /// - Returns: Its number, by which samples are appended.
  /// - Throws: ``MovieFileError``: `unsuitable` when the container cannot hold the format.
  package func addTrack(_ settings: MovieTrackSettings) throws(MovieFileError) -> Int {
    if let format = settings.format { try check(format) }
    tracks.append(MovieTrack(settings))
    return tracks.count - 1
  }

  /// Says that a track belongs to another one; before the first sample.
  ///
  /// - Parameter type: What it is to the other one, such as `tmcd` for its time codes.
  package func associate(_ other: Int, with number: Int, as type: String) {
    tracks[number].references.append((type, other))
  }

  private func check(_ format: CMFormatDescription) throws(MovieFileError) {
    if let refusal = SampleEntry(format: format, container: settings.container).refusal {
      throw MovieFileError(.unsuitable, "The file cannot hold the media: \(refusal).")
    }
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
  ///   writing fails: the file then ends with its last whole fragment, and ``finish(at:)`` may still be called.
  package func append(_ sample: CMSampleBuffer, to number: Int) throws(MovieFileError) {
    try takeFormat(of: sample, number)
    let pending = try pendingSamples(sample, number)
    for sample in pending { try append(sample, number) }
  }

  private func takeFormat(of sample: CMSampleBuffer, _ number: Int) throws(MovieFileError) {
    guard let format = sample.formatDescription,
      CMFormatDescriptionGetMediaType(format) == tracks[number].settings.mediaType
    else { throw MovieFileError(.unsuitable, "The sample is of another kind of media than its track.") }
    if let known = tracks[number].format {
      guard known === format || Self.isSame(known, format) else {
        throw MovieFileError(.unsuitable, "The format of the media changed within a track.")
      }
    } else {
      try check(format)
      tracks[number].format = format
    }
    if tracks[number].timescale == 0 {
      let rate = format.audioStreamBasicDescription.flatMap { Int32(exactly: $0.mSampleRate) }
      tracks[number].timescale = rate ?? MovieTrackSettings.timescale(for: sample.presentationTimeStamp)
    }
  }

  private static func isSame(_ left: CMFormatDescription, _ right: CMFormatDescription) -> Bool {
    CMFormatDescriptionGetMediaSubType(left) == CMFormatDescriptionGetMediaSubType(right)
      && CMFormatDescriptionGetExtension(
        left, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms) as? [String: Data]
        == CMFormatDescriptionGetExtension(
          right, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
        as? [String: Data]
      && left.audioStreamBasicDescription == right.audioStreamBasicDescription
      && CMVideoFormatDescriptionGetDimensions(left) == CMVideoFormatDescriptionGetDimensions(right)
  }

  private func pendingSamples(
    _ sample: CMSampleBuffer, _ number: Int
  ) throws(MovieFileError) -> [PendingSample] {
    let track = tracks[number]
    guard sample.numSamples > 0 else { return [] }
    guard let data = sample.dataBuffer, sample.presentationTimeStamp.isNumeric, data.dataLength > 0 else {
      throw MovieFileError(.unsuitable, "A sample without data or time cannot be written.")
    }
    let basic = sample.formatDescription?.audioStreamBasicDescription
    let isPCM = basic?.mFormatID == kAudioFormatLinearPCM
    if isPCM || sample.numSamples == 1 {
      let presentation = track.ticks(sample.presentationTimeStamp)
      let decode = sample.decodeTimeStamp
      let one = sample.numSamples == 1 ? sample.duration : CMTime(value: 1, timescale: track.timescale)
      return [
        PendingSample(
          data: data, count: sample.numSamples, size: data.dataLength / sample.numSamples,
          decoding: decode.isNumeric ? track.ticks(decode) : presentation, presentation: presentation,
          duration: one.isNumeric ? track.ticks(one) : 0, isKey: sample.isKeyFrame())
      ]
    }
    do {
      var samples: [PendingSample] = []
      for single in try sample.singleSampleBuffers() {
        samples += try pendingSamples(single, number)
      }
      return samples
    } catch let error as MovieFileError {
      throw error
    } catch {
      throw MovieFileError(.unsuitable, "The samples of a buffer cannot be separated: \(error)")
    }
  }

  private func append(_ sample: PendingSample, _ number: Int) throws(MovieFileError) {
    guard !tracks[number].isFinished else {
      throw MovieFileError(.unsuitable, "The track was finished.")
    }
    if let last = tracks[number].pending.last, sample.decoding < last.decoding {
      throw MovieFileError(
        .unsuitable, "A sample is to be decoded before the one that was appended before it.")
    }
    tracks[number].pending.append(sample)
    let time = CMTime(value: sample.decoding, timescale: tracks[number].timescale)
    let start = fragmentStart.map { min($0, time) } ?? time
    fragmentStart = start
    if !hasHeader, tracks.allSatisfy({ $0.format != nil && !$0.pending.isEmpty }) { try writeHeader() }
    let interval = settings.fragmentInterval
    if interval.isNumeric, time - start >= interval, mayBreak(sample, number, time - start) {
      try writeFragment()
    }
  }

  /// Fragments begin with a key frame of the video, unless none comes for another interval.
  private func mayBreak(_ sample: PendingSample, _ number: Int, _ length: CMTime) -> Bool {
    let hasVideo = tracks.contains { $0.settings.mediaType == kCMMediaType_Video && !$0.isFinished }
    let isVideo = tracks[number].settings.mediaType == kCMMediaType_Video
    return !hasVideo || (isVideo && sample.isKey) || length.seconds >= 1.5 * settings.fragmentInterval.seconds
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

  private func writeHeader() throws(MovieFileError) {
    for index in tracks.indices where tracks[index].format != nil {
      if tracks[index].timescale == 0 {
        let rate = tracks[index].format?.audioStreamBasicDescription.flatMap {
          Int32(exactly: $0.mSampleRate)
        }
        tracks[index].timescale = rate ?? 90_000
      }
      // Media that is decoded before the session begins needs room before its start.
      let first = tracks[index].pending.first.map { tracks[index].ticks(sessionStart) - $0.decoding }
      tracks[index].lead = max(0, first ?? 0)
    }
    let present = tracks.enumerated().filter { $0.element.lead != nil }.map { ($0.offset + 1, $0.element) }
    try file.append(header(isFragmented: true, end: nil).bytes(present))
    try file.publish()
    hasHeader = true
  }

  private func writeFragment(all: Bool = false) throws(MovieFileError) {
    if !hasHeader { try writeHeader() }
    fragmentStart = nil
    var parts: [MovieFragment.Part] = []
    var owners: [Int] = []
    for index in tracks.indices {
      for part in self.parts(of: index, all: all) {
        parts.append(part)
        owners.append(index)
      }
    }
    guard !parts.isEmpty else { return }
    let fragment = MovieFragment(sequence: sequence + 1, parts: parts)
    let (bytes, places) = fragment.header()
    let start = file.size
    try file.append(bytes, parts.flatMap { $0.samples.map(\.sample.data) })
    sequence += 1
    for (part, (owner, place)) in zip(parts, zip(owners, places)) {
      tracks[owner].table.beginChunk(at: start + place)
      for entry in part.samples { tracks[owner].table.add(entry.sample, span: entry.span) }
      tracks[owner].pending.removeFirst(part.samples.count)
    }
    fragmentStart =
      tracks.compactMap { track in
        track.pending.first.map { CMTime(value: $0.decoding, timescale: track.timescale) }
      }.min()
  }

  /// What of a track may be written, in parts without gaps where samples are counted and not listed.
  private func parts(of index: Int, all: Bool) -> [MovieFragment.Part] {
    let track = tracks[index]
    let origin = track.ticks(sessionStart) - (track.lead ?? 0)
    var parts: [MovieFragment.Part] = []
    var samples: [(sample: PendingSample, span: Int64)] = []
    func close() {
      guard let first = samples.first?.sample else { return }
      parts.append(
        MovieFragment.Part(
          number: index + 1, samples: samples,
          begin: track.lead == nil ? nil : max(0, first.decoding - origin)))
      samples = []
    }
    for place in 0..<track.closedCount(all: all) {
      let sample = track.pending[place]
      if let last = samples.last?.sample, (last.count > 1) != (sample.count > 1) { close() }
      let span = track.span(of: place)
      samples.append((sample, span))
      if sample.count > 1, span != sample.duration * Int64(sample.count) { close() }
    }
    close()
    return parts
  }

  /// Writes what is left and makes the file a plain movie.
  ///
  /// - Parameter end: When the movie ends; `nil` when its longest track does.
  /// - Throws: ``MovieFileError``: `system`; the file is then still a fragmented movie with all that was written.
  package func finish(at end: CMTime? = nil) throws(MovieFileError) {
    guard !isClosed else { return }
    isClosed = true
    var failure: MovieFileError?
    do throws(MovieFileError) {
      try writeFragment(all: true)
    } catch {
      failure = error
    }
    let present = tracks.enumerated().filter { $0.element.format != nil }.map { ($0.offset + 1, $0.element) }
    let start = Self.start(settings.container).count - 16
    let mediaEnd = file.size
    try file.append(header(isFragmented: false, end: end).bytes(present))
    var large = BoxWriter()
    large.u32(1)
    large.code("mdat")
    large.u64(mediaEnd - start)
    try file.overwrite(large.bytes, at: start)
    try file.sync()
    try file.publish()
    if settings.putsTablesFirst, failure == nil { putTablesFirst(start..<mediaEnd, end) }
    if let failure { throw failure }
  }

  /// Whether the file holds media that can be played if it ends here.
  package var hasFragments: Bool { hasHeader && sequence > 0 }

  /// The file is whole already, so that it is no error when there is no room for a copy.
  private func putTablesFirst(_ media: Range<Int>, _ end: CMTime?) {
    var present = tracks.enumerated().filter { $0.element.format != nil }.map { ($0.offset + 1, $0.element) }
    var moved = 0
    // The header says where the media is, which depends on the header's size.
    for _ in 0..<3 {
      let size = header(isFragmented: false, end: end).bytes(present).count
      guard size != moved else { break }
      for index in present.indices { present[index].1.table.moveChunks(by: size - moved) }
      moved = size
    }
    let bytes = header(isFragmented: false, end: end).bytes(present)
    guard bytes.count == moved else { return }
    try? TablesFirst.rewrite(path, media: media, header: bytes)
  }

  /// Removes the file.
  package func cancel() {
    isClosed = true
    file.remove()
  }
}
