internal import CoreMedia
internal import Foundation
internal import GraphicsCore

/// Writes a movie's header (`moov`): one that says that fragments follow, or the final one with all tables.
struct MovieHeader {
  let container: MovieContainer
  let timescale: Int32
  let sessionStart: CMTime
  /// When the movie ends, where the client has said so.
  let sessionEnd: CMTime?
  let metadata: [MovieMetadata]
  /// Whether fragments follow.
  let isFragmented: Bool
  /// Seconds since 1904.
  let created: Int

  /// A date as headers have it: in seconds since 1904.
  static func seconds(of date: Date) -> Int { Int(date.timeIntervalSince1970) + 2_082_844_800 }

  private var isQuickTime: Bool { container == .quickTime }

  /// The header's bytes; tracks keep their numbers, whichever are left out.
  func bytes(_ tracks: [(number: Int, track: MovieTrack)]) -> [UInt8] {
    var out = BoxWriter()
    out.box("moov") { out in
      let longest = tracks.map { duration(of: $0.track) }.max() ?? 0
      writeMovieHeader(longest, next: (tracks.map(\.number).max() ?? 0) + 1, to: &out)
      let numbers = Set(tracks.map(\.number))
      for (number, track) in tracks {
        writeTrack(track, number: number, among: numbers, to: &out)
      }
      if isFragmented {
        out.box("mvex") { out in
          for (number, _) in tracks {
            out.fullBox("trex") {
              $0.u32(number)
              $0.u32(1)
              $0.zeros(12)
            }
          }
        }
      }
      MetadataBoxes(container: container).write(metadata, to: &out)
    }
    return out.bytes
  }

  /// The duration of a track in units of the movie, from the session's start on.
  private func duration(of track: MovieTrack) -> Int {
    guard !isFragmented, track.table.count > 0 else { return 0 }
    let edit = Edit(track, sessionStart: sessionStart, sessionEnd: sessionEnd)
    return edit.delay(timescale) + edit.duration(timescale)
  }

  private func writeMovieHeader(_ duration: Int, next: Int, to out: inout BoxWriter) {
    let isLong = duration > Int(UInt32.max)
    out.fullBox("mvhd", version: isLong ? 1 : 0) { out in
      writeDates(isLong, to: &out)
      out.u32(Int(timescale))
      if isLong { out.u64(duration) } else { out.u32(duration) }
      out.u32(0x1_0000)
      out.u16(0x100)
      out.zeros(10)
      writeMatrix(.identity, to: &out)
      out.zeros(24)
      out.u32(next)
    }
  }

  private func writeDates(_ isLong: Bool, to out: inout BoxWriter) {
    for _ in 0..<2 { if isLong { out.u64(created) } else { out.u32(created) } }
  }

  private func writeMatrix(_ transform: CGAffineTransform, to out: inout BoxWriter) {
    func fixed(_ value: CGFloat) -> Int { Int((value * 65536).rounded()) }
    for value in [fixed(transform.a), fixed(transform.b), 0] { out.u32(value) }
    for value in [fixed(transform.c), fixed(transform.d), 0] { out.u32(value) }
    for value in [fixed(transform.tx), fixed(transform.ty), 0x4000_0000] { out.u32(value) }
  }

  private func writeTrack(
    _ track: MovieTrack, number: Int, among numbers: Set<Int>, to out: inout BoxWriter
  ) {
    out.box("trak") { out in
      writeTrackHeader(track, number: number, to: &out)
      writeEdits(track, to: &out)
      writeReferences(track, among: numbers, to: &out)
      out.box("mdia") { out in
        writeMediaHeader(track, to: &out)
        let (handler, name) = handler(of: track.settings.mediaType)
        writeHandler(handler, name, to: &out)
        out.box("minf") { out in
          writeMediaInformation(handler, to: &out)
          out.box("dinf") { out in
            out.fullBox("dref") { out in
              out.u32(1)
              out.fullBox("url ", flags: 1) { _ in }
            }
          }
          TableBoxes(track: track, container: container, isEmpty: isFragmented).write(to: &out)
        }
      }
      MetadataBoxes(container: container).write(track.settings.metadata, to: &out)
    }
  }

  private func writeTrackHeader(_ track: MovieTrack, number: Int, to out: inout BoxWriter) {
    let duration = duration(of: track)
    let isLong = duration > Int(UInt32.max)
    // In the movie, and in its preview.
    out.fullBox("tkhd", version: isLong ? 1 : 0, flags: track.settings.isEnabled ? 0xF : 0xE) { out in
      writeDates(isLong, to: &out)
      out.u32(number)
      out.u32(0)
      if isLong { out.u64(duration) } else { out.u32(duration) }
      out.zeros(8)
      out.u16(0)
      out.u16(track.settings.mediaType == kCMMediaType_Audio ? 1 : 0)
      out.u16(track.settings.mediaType == kCMMediaType_Audio ? Int(track.settings.volume * 256) : 0)
      out.u16(0)
      writeMatrix(track.settings.transform, to: &out)
      let size = shownSize(of: track)
      out.u32(Int((size.width * 65536).rounded()))
      out.u32(Int((size.height * 65536).rounded()))
    }
  }

  private func shownSize(of track: MovieTrack) -> CGSize {
    if let size = track.settings.size { return size }
    guard track.settings.mediaType == kCMMediaType_Video, let format = track.format else { return .zero }
    return CMVideoFormatDescriptionGetPresentationDimensions(
      format, usePixelAspectRatio: true, useCleanAperture: true)
  }

  /// Where media that begins later than the session, that a decoder needs only to begin, or that is cut off at the end differs
  /// from what is shown.
  private func writeEdits(_ track: MovieTrack, to out: inout BoxWriter) {
    var edits: [(duration: Int, begin: Int64)] = []
    if isFragmented {
      guard let lead = track.lead, lead > 0 else { return }
      edits = [(0, lead)]
    } else {
      guard track.table.count > 0 else { return }
      let edit = Edit(track, sessionStart: sessionStart, sessionEnd: sessionEnd)
      if edit.delay(timescale) > 0 { edits.append((edit.delay(timescale), -1)) }
      edits.append((edit.duration(timescale), edit.mediaStart))
    }
    out.box("edts") { out in
      out.fullBox("elst", version: 1) { out in
        out.u32(edits.count)
        for edit in edits {
          out.u64(edit.duration)
          out.u64(Int(edit.begin))
          out.u32(0x1_0000)
        }
      }
    }
  }

  /// The other tracks that belong to this one.
  private func writeReferences(_ track: MovieTrack, among numbers: Set<Int>, to out: inout BoxWriter) {
    let known = track.references.filter { numbers.contains($0.track + 1) }
    guard !known.isEmpty else { return }
    out.box("tref") { out in
      for type in Set(known.map(\.type)).sorted() {
        out.box(type) { out in
          for reference in known where reference.type == type { out.u32(reference.track + 1) }
        }
      }
    }
  }

  private func writeMediaHeader(_ track: MovieTrack, to out: inout BoxWriter) {
    let duration = isFragmented ? 0 : track.table.durations.reduce(0) { $0 + $1.count * Int($1.delta) }
    let isLong = duration > Int(UInt32.max)
    out.fullBox("mdhd", version: isLong ? 1 : 0) { out in
      writeDates(isLong, to: &out)
      out.u32(Int(track.timescale))
      if isLong { out.u64(duration) } else { out.u32(duration) }
      let letters = Array((track.settings.language ?? "und").utf8)
      let isCode = letters.count == 3 && letters.allSatisfy { (0x61...0x7A).contains($0) }
      out.u16((isCode ? letters : Array("und".utf8)).reduce(0) { $0 << 5 | Int($1 - 0x60) })
      out.u16(0)
    }
  }

  private func handler(of mediaType: CMMediaType) -> (String, String) {
    switch mediaType {
    case kCMMediaType_Audio: ("soun", "Audio")
    case kCMMediaType_Metadata: ("meta", "Metadata")
    case kCMMediaType_TimeCode: ("tmcd", "Time Code")
    default: ("vide", "Video")
    }
  }

  private func writeHandler(_ type: String, _ name: String, to out: inout BoxWriter) {
    out.fullBox("hdlr") { out in
      if isQuickTime { out.code("mhlr") } else { out.u32(0) }
      out.code(type)
      out.zeros(12)
      if isQuickTime { out.u8(name.utf8.count) }
      out.add(name.utf8)
      if !isQuickTime { out.u8(0) }
    }
  }

  private func writeMediaInformation(_ handler: String, to out: inout BoxWriter) {
    switch handler {
    case "vide": out.fullBox("vmhd", flags: 1) { $0.zeros(8) }
    case "soun": out.fullBox("smhd") { $0.zeros(4) }
    default:
      guard isQuickTime else { return out.fullBox("nmhd") { _ in } }
      out.box("gmhd") { out in
        out.fullBox("gmin") {
          $0.u16(0x40)
          for _ in 0..<3 { $0.u16(0x8000) }
          $0.u32(0)
        }
        if handler == "tmcd" { TimeCodeEntry.writeInformation(to: &out) }
      }
    }
  }
}

/// The edit of a track: the part that is shown, and its start in the movie.
struct Edit {
  /// The beginning of the part, in the track's media.
  let mediaStart: Int64
  private let begin: Int64
  private let end: Int64
  private let origin: Int64
  private let trackTimescale: Int32

  init(_ track: MovieTrack, sessionStart: CMTime, sessionEnd: CMTime?) {
    origin = track.ticks(sessionStart)
    trackTimescale = track.timescale
    begin = max(track.table.firstPresentation, origin)
    end = max(begin, min(track.table.end, sessionEnd.map(track.ticks) ?? .max))
    mediaStart = begin - track.table.firstDecoding
  }

  /// The delay after the session's start, in units of the movie.
  func delay(_ timescale: Int32) -> Int { scaled(begin - origin, timescale) }

  /// The duration, in units of the movie; the end is rounded, so that errors do not add up.
  func duration(_ timescale: Int32) -> Int { scaled(end - origin, timescale) - delay(timescale) }

  private func scaled(_ value: Int64, _ timescale: Int32) -> Int {
    Int(
      CMTime(value: value, timescale: trackTimescale).convertScale(timescale, method: .roundHalfAwayFromZero)
        .value)
  }
}
