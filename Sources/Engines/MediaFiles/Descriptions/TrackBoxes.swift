/// Finds what a movie's header says of a track.
struct TrackBoxes {
  private let header: BoxReader

  /// - Parameter header: The content of a movie's header.
  init(_ header: BoxReader) {
    self.header = header
  }

  private func child(_ type: String, _ box: BoxReader.Box) -> BoxReader.Box? {
    header.boxes(in: box.body).first { $0.type == type }
  }

  private func track(_ number: Int) -> BoxReader.Box? {
    header.boxes.first { box in
      guard box.type == "trak", let head = child("tkhd", box), let version = header.u8(head.body.lowerBound)
      else { return false }
      return header.u32(head.body.lowerBound + (version == 1 ? 20 : 12)) == number
    }
  }

  /// A box inside a track, by the types on the way to it.
  func box(ofTrack number: Int, at path: [String]) -> BoxReader.Box? {
    path.reduce(track(number)) { box, type in box.flatMap { child(type, $0) } }
  }

  /// The first sample description of a track.
  func entry(ofTrack number: Int) -> BoxReader.Box? {
    guard let entries = box(ofTrack: number, at: ["mdia", "minf", "stbl", "stsd"]), entries.body.count > 8
    else { return nil }
    return header.boxes(in: entries.body.lowerBound + 8..<entries.body.upperBound).first
  }

  /// The tracks that belong to a track, as numbers, by their kind of reference.
  func references(ofTrack number: Int) -> [String: [Int]] {
    guard let track = track(number), let list = child("tref", track) else { return [:] }
    var found: [String: [Int]] = [:]
    for box in header.boxes(in: list.body) {
      let numbers = stride(from: box.body.lowerBound, to: box.body.upperBound - 3, by: 4).compactMap {
        header.u32($0)
      }
      found[box.type, default: []] += numbers
    }
    return found
  }
}
