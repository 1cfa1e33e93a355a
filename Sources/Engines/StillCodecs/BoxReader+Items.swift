internal import Foundation
internal import MediaFiles

extension BoxReader {
  /// Width and height at a position, of four bytes each, or of two.
  func size(at start: Int, isWide: Bool) -> (width: Int, height: Int)? {
    let step = isWide ? 4 : 2
    guard let width = number(at: start, bytes: step), let height = number(at: start + step, bytes: step)
    else { return nil }
    return (width, height)
  }

  /// The sizes of pictures that are put together of others: grids and overlays, which state their own.
  ///
  /// - Parameter children: Those of the file's `meta` box.
  func derivedSizes(_ children: [Box]) -> [(width: Int, height: Int)] { derivedItems(children).map(\.size) }

  /// Pictures that are put together of others, and the sizes that they state.
  func derivedItems(_ children: [Box]) -> [(item: Int, size: (width: Int, height: Int))] {
    guard let iinf = children.first(where: { $0.type == "iinf" }), let version = u8(iinf.body.lowerBound)
    else { return [] }
    let first = iinf.body.lowerBound + (version == 0 ? 6 : 8)
    guard first <= iinf.body.upperBound else { return [] }
    let places = positions(children)
    return boxes(in: first..<iinf.body.upperBound).compactMap { entry in
      let start = entry.body.lowerBound
      guard entry.type == "infe", let version = u8(start), version >= 2,
        let item = number(at: start + 4, bytes: version == 2 ? 2 : 4),
        let type = text(start + (version == 2 ? 8 : 10)), type == "grid" || type == "iovl",
        let place = places[item], let flags = u8(place + 1)
      else { return nil }
      // Behind version and flags a grid has its rows and columns, an overlay the four numbers of a colour.
      return size(at: place + (type == "grid" ? 4 : 10), isWide: flags & 1 != 0).map { (item, $0) }
    }
  }

  /// The positions of the items' first bytes (`iloc`, ISO/IEC 14496-12, 8.11.3).
  private func positions(_ children: [Box]) -> [Int: Int] {
    guard let iloc = children.first(where: { $0.type == "iloc" }), let version = u8(iloc.body.lowerBound),
      let sizes = u16(iloc.body.lowerBound + 4).map(Int.init)
    else { return [:] }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    let idat = children.first { $0.type == "idat" }?.body.lowerBound
    var at = iloc.body.lowerBound + 6
    func next(_ bytes: Int) -> Int? {
      defer { at += bytes }
      return number(at: at, bytes: bytes)
    }
    var places: [Int: Int] = [:]
    for _ in 0..<min(next(version < 2 ? 2 : 4) ?? 0, 65_536) {
      guard let item = next(version < 2 ? 2 : 4), let method = version == 0 ? 0 : next(2), next(2) != nil,
        let base = next(baseSize), let extents = next(2)
      else { return places }
      for extent in 0..<extents {
        guard next(indexSize) != nil, let offset = next(offsetSize), next(lengthSize) != nil else {
          return places
        }
        let origin = method & 15 == 0 ? 0 : method & 15 == 1 ? idat : nil
        if extent == 0, let origin, base < 1 << 40, offset < 1 << 40 { places[item] = origin + base + offset }
      }
    }
    return places
  }

  /// A number of 0, 2, 4 or 8 bytes; one that does not fit is as large as can be.
  private func number(at: Int, bytes: Int) -> Int? {
    switch bytes {
    case 0: return 0
    case 2: return u16(at).map(Int.init)
    case 4: return u32(at)
    case 8:
      guard let high = u32(at), let low = u32(at + 4) else { return nil }
      return high > 1 << 30 ? .max : high << 32 | low
    default: return nil
    }
  }
}
