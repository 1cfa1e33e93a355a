internal import CoreVideo
internal import Foundation

/// The pictures of a JPEG file that holds several, one behind the other.
enum JPEGPictures {
  /// The bytes of each picture; of all of the file without an index of pictures.
  ///
  /// The index may name pictures beyond the end of a file that was cut off; those are left out.
  private static func ranges(in file: Data) -> [Range<Int>] {
    let whole = file.startIndex..<file.endIndex
    guard let index = MultiPictureIndex(in: file), index.entries.count > 1 else { return [whole] }
    // Where pixels begin: no other picture lies before.
    let scan = JPEGSegments(file).first { $0.marker == 0xDA }?.body.upperBound ?? file.endIndex
    let others = index.entries.dropFirst().compactMap { entry -> Range<Int>? in
      let start = index.header + entry.offset
      guard start > scan, entry.size >= 4, start + entry.size <= file.endIndex,
        file[start] == 0xFF, file[start + 1] == 0xD8
      else { return nil }
      return start..<start + entry.size
    }
    let first = others.map(\.lowerBound).min() ?? file.endIndex
    return [file.startIndex..<first] + others
  }

  /// The facts of the pictures behind the first.
  static func facts(_ file: Data) -> [AuxiliaryPicture.Facts] {
    ranges(in: file).enumerated().dropFirst().compactMap { index, range in
      guard let facts = try? StillFacts(Data(file[range])) else { return nil }
      return AuxiliaryPicture.Facts(
        name: nil, xmp: facts.xmp, width: facts.width, height: facts.height, place: index)
    }
  }

  /// The pixels of one of the pictures behind the first.
  static func decode(_ place: Int, in file: Data) throws -> CVPixelBuffer {
    let ranges = ranges(in: file)
    guard ranges.indices.contains(place), place > 0 else {
      throw StillCodecError.damagedJPEG("picture \(place) does not exist")
    }
    return try JPEGDecoder.decode(Data(file[ranges[place]]), to: kCVPixelFormatType_OneComponent8)
  }

  /// The file with more pictures behind those that it has.
  static func add(_ pictures: [AuxiliaryPicture], to file: Data) throws -> Data {
    var parts = ranges(in: file).map { Data(file[$0]) }
    for picture in pictures {
      var options = JPEGEncoder.Options()
      options.quality = 1
      options.xmp = picture.xmp
      parts.append(try JPEGEncoder.encode(picture.picture, options: options))
    }
    return joined(parts, attributes: attributes(in: file), tail: tail(of: file))
  }

  /// The file without the pictures at `places`.
  static func remove(_ places: Set<Int>, from file: Data) -> Data {
    let kept = ranges(in: file).enumerated().filter { !places.contains($0.offset) }
    let attributes = attributes(in: file)
    return joined(
      kept.map { Data(file[$0.element]) },
      attributes: kept.map { attributes.indices.contains($0.offset) ? attributes[$0.offset] : 0 },
      tail: tail(of: file))
  }

  /// What stands behind the last picture, such as a film.
  private static func tail(of file: Data) -> Data {
    file[(ranges(in: file).map(\.upperBound).max() ?? file.endIndex)...]
  }

  /// What the index says that each picture is; empty without an index.
  private static func attributes(in file: Data) -> [Int] {
    MultiPictureIndex(in: file)?.entries.map(\.attributes) ?? []
  }

  /// The pictures as one file with an index; the first alone has none.
  private static func joined(_ parts: [Data], attributes: [Int], tail: Data) -> Data {
    var first = parts[0]
    if let old = MultiPictureIndex(in: first) { first.removeSubrange(old.segment) }
    guard parts.count > 1 else { return first + tail }
    let place = indexPlace(in: first)
    var entries = parts.enumerated().map { index, part in
      let attributes = attributes.indices.contains(index) ? attributes[index] : index == 0 ? 0x03_0000 : 0
      return MultiPictureIndex.Entry(attributes: attributes, size: part.count, offset: 0)
    }
    let length = MultiPictureIndex.segment(entries).count
    entries[0].size = first.count + length
    // The TIFF header stands behind the marker, the length and the prefix.
    let header = place - first.startIndex + 4 + MultiPictureIndex.prefix.count
    var position = entries[0].size
    for index in entries.indices.dropFirst() {
      entries[index].offset = position - header
      position += entries[index].size
    }
    var file = Data(capacity: position)
    file.append(first[first.startIndex..<place])
    file.append(MultiPictureIndex.segment(entries))
    file.append(first[place...])
    for part in parts.dropFirst() { file.append(part) }
    file.append(tail)
    return file
  }

  /// Where the index stands: behind all segments that are applications' own.
  private static func indexPlace(in file: Data) -> Int {
    let first = JPEGSegments(file).first { !(0xE0...0xEF).contains($0.marker) }
    return first?.start ?? file.startIndex + 2
  }
}
