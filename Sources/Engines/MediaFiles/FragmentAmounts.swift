internal import Foundation
internal import Glibc
internal import Linux

/// Counts the samples of a fragmented movie with an index of segments (`sidx`), of which FFmpeg reads only the first fragment before
/// it plays.
///
/// Source: ISO/IEC 14496-12, 8.8.
struct FragmentAmounts {
  /// By the number of the track; durations in units of the track.
  private(set) var amounts: [Int: TrackAmounts] = [:]
  /// The samples' defaults where a fragment has no values, by the number of the track.
  private var defaults: [Int: (duration: Int, size: Int)] = [:]
  /// A fragment's header is a table of some seconds.
  private static let headerBound = 16 << 20

  /// `nil` for files without such an index.
  ///
  /// - Parameter header: The content of the movie's header.
  init?(_ header: BoxReader, path: String) {
    guard let extends = header.boxes.first(where: { $0.type == "mvex" }) else { return nil }
    for box in header.boxes(in: extends.body) where box.type == "trex" {
      let at = box.body.lowerBound
      guard let number = header.u32(at + 4), let duration = header.u32(at + 12),
        let size = header.u32(at + 16)
      else { continue }
      defaults[number] = (duration, size)
    }
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(adopting: number)
    var hasIndex = false
    for box in TopBoxes(descriptor) {
      if box.type == "sidx" { hasIndex = true }
      guard box.type == "moof" else { continue }
      guard hasIndex, (8...Self.headerBound).contains(box.size) else { return nil }
      var bytes = [UInt8](repeating: 0, count: box.size)
      guard pread(descriptor.number, &bytes, bytes.count, off_t(box.place)) == bytes.count else { break }
      add(BoxReader(Data(bytes)))
    }
    guard hasIndex else { return nil }
  }

  private mutating func add(_ fragment: BoxReader) {
    guard let whole = fragment.boxes.first else { return }
    for part in fragment.boxes(in: whole.body) where part.type == "traf" {
      let boxes = fragment.boxes(in: part.body)
      guard let head = boxes.first(where: { $0.type == "tfhd" }),
        let flags = fragment.u32(head.body.lowerBound),
        let number = fragment.u32(head.body.lowerBound + 4)
      else { continue }
      var (duration, size) = defaults[number] ?? (0, 0)
      var at = head.body.lowerBound + 8
      // Base offset, description, duration, size.
      if flags & 0x1 != 0 { at += 8 }
      if flags & 0x2 != 0 { at += 4 }
      if flags & 0x8 != 0 {
        duration = fragment.u32(at) ?? duration
        at += 4
      }
      if flags & 0x10 != 0 { size = fragment.u32(at) ?? size }
      for run in boxes where run.type == "trun" { add(run, of: number, fragment, duration, size) }
    }
  }

  private mutating func add(
    _ run: BoxReader.Box, of number: Int, _ fragment: BoxReader, _ duration: Int, _ size: Int
  ) {
    guard let flags = fragment.u32(run.body.lowerBound), let count = fragment.u32(run.body.lowerBound + 4)
    else {
      return
    }
    var at = run.body.lowerBound + 8
    // Data offset, flags of the first sample.
    for flag in [0x1, 0x4] where flags & flag != 0 { at += 4 }
    let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }
    guard !fields.isEmpty else {
      // What a file claims may be more than it holds.
      amounts[number, default: TrackAmounts()].add(min(count, 1 << 20), bytes: size, lasting: Int64(duration))
      return
    }
    for _ in 0..<min(count, max(0, run.body.upperBound - at) / (4 * fields.count)) {
      var (length, bytes) = (duration, size)
      for field in fields {
        let value = fragment.u32(at) ?? 0
        at += 4
        if field == 0x100 { length = value }
        if field == 0x200 { bytes = value }
      }
      amounts[number, default: TrackAmounts()].add(bytes: bytes, lasting: Int64(length))
    }
  }
}
