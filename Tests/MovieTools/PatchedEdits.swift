internal import Foundation

/// Edit lists as other programs write them.
package enum PatchedEdits {
  /// Writes other parts into the edit list of a movie's first track; the tables must come behind the media.
  ///
  /// - Parameter parts: How long each is shown, in units of the movie, and from which time of the media on, in units of the track.
  package static func write(_ parts: [(duration: Int, media: Int)], into path: String) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    func start(_ type: String, before end: Int? = nil) throws -> Int {
      let range =
        if let end { data.range(of: Data(type.utf8), options: .backwards, in: 0..<end) } else {
          data.range(of: Data(type.utf8))
        }
      guard let range else { throw Program.Failure(text: "\(path) has no box '\(type)'.") }
      return range.lowerBound - 4
    }
    func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) } }
    func number(_ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let list = try start("elst")
    let around = try [start("edts", before: list), start("trak", before: list), start("moov", before: list)]
    let old = number(list)
    let content =
      bytes(0) + bytes(parts.count) + parts.flatMap { bytes($0.duration) + bytes($0.media) + bytes(1 << 16) }
    let new = bytes(content.count + 8) + Array("elst".utf8) + content
    for box in around { data.replaceSubrange(box..<box + 4, with: bytes(number(box) + new.count - old)) }
    data.replaceSubrange(list..<list + old, with: new)
    try data.write(to: URL(fileURLWithPath: path))
  }
}
