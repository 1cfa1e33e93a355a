package import Foundation
internal import MediaFiles

/// Changes the metadata of a HEIC file without touching its picture.
package enum HEICMetadata {
  /// The file with `block` as its EXIF block; its own rotation stays, whatever the block says.
  ///
  /// The compressed picture stays bit for bit, and where it was. The old block is overwritten with zeros, so that nothing of it
  /// can be read any more; the new one stands at the end.
  ///
  /// - Throws: ``StillCodecError``: `unsuitable` for a file without an EXIF block of one piece.
  package static func replace(in file: Data, with block: ExifBlock) throws -> Data {
    var result = Data(file)
    guard let place = ItemPlace(ofExifIn: result) else {
      throw StillCodecError(
        .unsuitable, "The HEIC file's metadata cannot be replaced: it has no EXIF block of one piece.")
    }
    // Four bytes say how far behind them the TIFF header begins.
    let item = try Data(count: 4) + block.data()
    result.resetBytes(in: place.bytes)
    let start = result.count + 8
    result.append(bigEndian(item.count + 8, bytes: 4))
    result.append(contentsOf: "mdat".utf8)
    result.append(item)
    result.replaceSubrange(
      place.offsetField, with: bigEndian(start - place.base, bytes: place.offsetField.count))
    result.replaceSubrange(place.lengthField, with: bigEndian(item.count, bytes: place.lengthField.count))
    return result
  }

  private static func bigEndian(_ number: Int, bytes: Int) -> Data {
    Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }
}

/// The place of an item's bytes in a file, and of the numbers that give it (ISO/IEC 14496-12, `iloc`).
private struct ItemPlace {
  var bytes: Range<Int>
  var base = 0
  /// The bytes of the numbers that say where the item begins and how long it is.
  var offsetField: Range<Int>
  var lengthField: Range<Int>

  /// The place of the EXIF block; `nil` when there is none, or it lies in pieces or elsewhere than in the file itself.
  init?(ofExifIn file: Data) {
    let reader = BoxReader(file)
    guard let meta = reader.boxes.first(where: { $0.type == "meta" }) else { return nil }
    let children = reader.children(of: meta)
    guard let iinf = children.first(where: { $0.type == "iinf" }),
      let iloc = children.first(where: { $0.type == "iloc" }),
      let id = Self.exifItem(in: iinf.body, reader)
    else { return nil }
    self.init(of: id, in: iloc.body, reader, fileSize: file.count)
  }

  private static func exifItem(in iinf: Range<Int>, _ reader: BoxReader) -> Int? {
    guard let version = reader.u8(iinf.lowerBound) else { return nil }
    let start = iinf.lowerBound + (version == 0 ? 6 : 8)
    guard start <= iinf.upperBound else { return nil }
    for infe in reader.boxes(in: start..<iinf.upperBound) where infe.type == "infe" {
      let at = infe.body.lowerBound
      switch reader.u8(at) {
      case 2 where reader.text(at + 8) == "Exif": return reader.u16(at + 4).map(Int.init)
      case 3 where reader.text(at + 10) == "Exif": return reader.u32(at + 4)
      default: continue
      }
    }
    return nil
  }

  private init?(of id: Int, in iloc: Range<Int>, _ reader: BoxReader, fileSize: Int) {
    var at = iloc.lowerBound + 4
    /// The next number of so many bytes; 0 of none.
    func number(_ bytes: Int) -> Int? {
      var value = 0
      for _ in 0..<bytes {
        guard let byte = reader.u8(at), at < iloc.upperBound, value < 1 << 54 else { return nil }
        value = value << 8 | Int(byte)
        at += 1
      }
      return value
    }
    guard let version = reader.u8(iloc.lowerBound), let sizes = number(1), let more = number(1),
      let count = number(version < 2 ? 2 : 4)
    else { return nil }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 4, sizes & 15, more >> 4)
    let indexSize = version == 0 ? 0 : more & 15
    for _ in 0..<min(count, 65536) {
      guard let item = number(version < 2 ? 2 : 4), let method = version == 0 ? 0 : number(2),
        number(2) != nil, let base = number(baseSize), let extents = number(2)
      else { return nil }
      for _ in 0..<extents {
        guard number(indexSize) != nil else { return nil }
        let offsetStart = at
        guard let offset = number(offsetSize) else { return nil }
        let lengthStart = at
        guard let length = number(lengthSize) else { return nil }
        guard item == id else { continue }
        let start = base + offset
        guard extents == 1, method & 15 == 0, offsetSize >= 4, lengthSize >= 4, start + length <= fileSize,
          start > iloc.upperBound
        else { return nil }
        self.base = base
        bytes = start..<start + length
        offsetField = offsetStart..<lengthStart
        lengthField = lengthStart..<at
        return
      }
    }
    return nil
  }
}
