package import Foundation
internal import MediaFiles
internal import PixelTransforms

/// The boxes of a HEIF file that say what its primary picture is, read without decoding (ISO/IEC 23008-12).
package struct HEIFBoxes {
  /// Size before rotation: that of the part which is shown, where the picture is cut to one.
  package private(set) var width = 0
  package private(set) var height = 0
  /// 1…8 as in EXIF: what `irot` and `imir` together ask of a viewer.
  var orientation = 1
  /// The part of the coded picture that is shown (`clap`); `nil` for all of it.
  private(set) var crop: PixelRect?
  /// The size of the picture in the file that has most pixels: what a decoder may have to make on its way.
  package private(set) var largest = (width: 0, height: 0)

  /// Whether the file's brands promise HEVC pictures.
  static func isHEIC(_ data: Data) -> Bool {
    guard let first = BoxReader(data).boxes.first, first.type == "ftyp"
    else {
      return false
    }
    let brands = stride(from: 0, to: first.body.count - 3, by: 4).compactMap { offset in
      // The second four bytes are the minor version.
      offset == 4 ? nil : BoxReader(data).text(first.body.lowerBound + offset)
    }
    return brands.contains { ["heic", "heix", "heim", "heis"].contains($0) }
  }

  /// Reads the primary picture's properties; `nil` when the file has none or breaks before them.
  package init?(_ data: Data) {
    let reader = BoxReader(data)
    guard let meta = reader.boxes.first(where: { $0.type == "meta" }) else { return nil }
    let children = reader.children(of: meta)
    guard let pitm = children.first(where: { $0.type == "pitm" }),
      let version = reader.u8(pitm.body.lowerBound),
      let primary = version == 0
        ? reader.u16(pitm.body.lowerBound + 4).map(Int.init) : reader.u32(pitm.body.lowerBound + 4),
      let iprp = children.first(where: { $0.type == "iprp" })
    else { return nil }
    let parts = reader.boxes(in: iprp.body)
    guard let ipco = parts.first(where: { $0.type == "ipco" }) else { return nil }
    let properties = reader.boxes(in: ipco.body)
    for ipma in parts where ipma.type == "ipma" {
      for index in reader.associations(in: ipma.body)[primary] ?? []
      where properties.indices.contains(index - 1) {
        apply(properties[index - 1], reader)
      }
    }
    guard width > 0, height > 0 else { return nil }
    if let crop { (width, height) = (crop.width, crop.height) }
    let coded = properties.filter { $0.type == "ispe" }.compactMap {
      reader.size(at: $0.body.lowerBound + 4, isWide: true)
    }
    var most = 0
    for size in coded + reader.derivedSizes(children) {
      let (count, overflow) = size.width.multipliedReportingOverflow(by: size.height)
      guard overflow || count > most else { continue }
      (most, largest) = (overflow ? .max : count, size)
    }
  }

  private mutating func apply(_ property: BoxReader.Box, _ reader: BoxReader) {
    let start = property.body.lowerBound
    switch property.type {
    case "ispe":
      width = reader.u32(start + 4) ?? 0
      height = reader.u32(start + 8) ?? 0
    case "irot":
      // Quarter turns anticlockwise; as EXIF: 6 is 90° clockwise, 8 is 90° anticlockwise.
      let turned = [1, 8, 3, 6][Int(reader.u8(start) ?? 0) & 3]
      orientation = ExifOrientation.composed(orientation, then: turned)
    case "imir":
      let mirrored = (reader.u8(start) ?? 0) & 1 == 0 ? Self.axisZero : Self.axisOne
      orientation = ExifOrientation.composed(orientation, then: mirrored)
    case "clap" where orientation == 1:
      crop = reader.cleanAperture(at: start, width: width, height: height)
    default:
      break
    }
  }

  /// EXIF's numbers of `imir` axis 0 and 1: top and bottom, left and right change places.
  ///
  /// The first edition of the standard could be read the other way; the second edition and every reader agree on this.
  private static let axisZero = 4
  private static let axisOne = 2
}

extension BoxReader {
  /// The part of a picture of `width` by `height` that is shown; `nil` when it is all, or nothing of it (ISO/IEC 14496-12, 12.1.4).
  fileprivate func cleanAperture(at start: Int, width: Int, height: Int) -> PixelRect? {
    /// A number, which may be negative, over another.
    func fraction(_ at: Int) -> Double? {
      guard let over = u32(at), let under = u32(at + 4), under > 0 else { return nil }
      return Double(Int32(truncatingIfNeeded: over)) / Double(under)
    }
    guard let across = fraction(start), let down = fraction(start + 8), let right = fraction(start + 16),
      let lower = fraction(start + 24)
    else { return nil }
    /// The range of the part, of `whole` pixels: `moved` is from middle to middle.
    func part(_ length: Double, _ moved: Double, of whole: Int) -> Range<Int>? {
      guard length >= 1, length <= Double(whole), abs(moved) <= Double(whole) else { return nil }
      let first = Int((moved + (Double(whole) - length) / 2).rounded())
      let range = (first..<first + Int(length.rounded())).clamped(to: 0..<whole)
      return range.isEmpty ? nil : range
    }
    guard let x = part(across, right, of: width), let y = part(down, lower, of: height),
      x.count < width || y.count < height
    else { return nil }
    return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }

  /// For each item the numbers, from 1, of its properties in the order they apply.
  func associations(in ipma: Range<Int>) -> [Int: [Int]] {
    guard let version = u8(ipma.lowerBound), let flags = u8(ipma.lowerBound + 3),
      let count = u32(ipma.lowerBound + 4)
    else { return [:] }
    var at = ipma.lowerBound + 8
    let isWide = flags & 1 != 0
    var items: [Int: [Int]] = [:]
    for _ in 0..<min(count, 65536) {
      guard let id = version == 0 ? u16(at).map(Int.init) : u32(at) else { return items }
      at += version == 0 ? 2 : 4
      guard let properties = u8(at) else { return items }
      at += 1
      var numbers: [Int] = []
      for _ in 0..<properties {
        guard let number = isWide ? u16(at).map({ Int($0 & 0x7FFF) }) : u8(at).map({ Int($0 & 0x7F) })
        else {
          return items
        }
        numbers.append(number)
        at += isWide ? 2 : 1
      }
      items[id] = numbers
    }
    return items
  }
}
