internal import Foundation
internal import MediaFiles

extension HEIFContainer {
  /// Reads a file that ``HEIFItems`` has found sound.
  ///
  /// - Throws: ``StillCodecError``: `damaged`; `unsuitable` where positions stand that are not understood here.
  init(_ file: Data) throws(StillCodecError) {
    let reader = BoxReader(file)
    let boxes = reader.boxes
    guard let ftyp = boxes.first, ftyp.type == "ftyp", let meta = boxes.first(where: { $0.type == "meta" })
    else { throw .damagedHEIC("it has no meta box") }
    guard !boxes.contains(where: { ["moov", "moof", "mdia"].contains($0.type) }) else {
      throw Self.unsuitable("it holds a movie, too")
    }
    let children = reader.children(of: meta)
    func one(_ type: String) -> BoxReader.Box? { children.first { $0.type == type } }
    guard let pitm = one("pitm"), let version = reader.u8(pitm.body.lowerBound),
      let primary = reader.number(pitm.body.lowerBound + 4, isLong: version > 0), let iinf = one("iinf"),
      let hdlr = one("hdlr"), let iprp = one("iprp")
    else { throw .damagedHEIC("it does not say which of its items are pictures") }
    self.primary = primary
    brands = reader.whole(ftyp)
    handler = reader.whole(hdlr)
    items = try Self.items(iinf, reader)
    let parts = reader.boxes(in: iprp.body)
    guard let ipco = parts.first(where: { $0.type == "ipco" }) else {
      throw .damagedHEIC("it has no box of properties")
    }
    properties = reader.boxes(in: ipco.body).map(reader.whole)
    references = one("iref").map { Self.references($0, reader) } ?? []
    let known: Set<String> = ["pitm", "iinf", "hdlr", "iprp", "iref", "iloc", "idat", "free", "skip"]
    otherMeta = children.filter { !known.contains($0.type) }.map(reader.whole)
    let beside: Set<String> = ["ftyp", "meta", "mdat", "free", "skip", "wide"]
    others = boxes.filter { !beside.contains($0.type) }.map(reader.whole)
    for ipma in parts where ipma.type == "ipma" { associate(ipma.body, reader) }
    if let iloc = one("iloc") { try locate(iloc.body, idat: one("idat")?.body, file, reader) }
    guard item(primary) != nil else { throw .damagedHEIC("its primary picture does not exist") }
  }

  private static func unsuitable(_ reason: String) -> StillCodecError {
    StillCodecError(.unsuitable, "The HEIC file's pictures cannot be rearranged: \(reason).")
  }

  private static func items(_ iinf: BoxReader.Box, _ reader: BoxReader) throws(StillCodecError) -> [Item] {
    guard let version = reader.u8(iinf.body.lowerBound) else { return [] }
    let start = iinf.body.lowerBound + (version == 0 ? 6 : 8)
    guard start <= iinf.body.upperBound else { return [] }
    var items: [Item] = []
    for infe in reader.boxes(in: start..<iinf.body.upperBound) where infe.type == "infe" {
      let at = infe.body.lowerBound
      guard let version = reader.u8(at), version >= 2, let flags = reader.u8(at + 3),
        let id = reader.number(at + 4, isLong: version > 2)
      else { throw unsuitable("one of its items is of an old kind") }
      let behind = at + (version > 2 ? 8 : 6)
      guard let protection = reader.u16(behind), let type = reader.text(behind + 2),
        behind + 6 <= infe.body.upperBound
      else { throw .damagedHEIC("one of its items ends too early") }
      items.append(
        Item(
          id: id, type: type, isHidden: flags & 1 != 0,
          description: reader.bytes(behind + 6..<infe.body.upperBound), protection: Int(protection)))
    }
    return items
  }

  private static func references(_ iref: BoxReader.Box, _ reader: BoxReader) -> [Reference] {
    let isLong = (reader.u8(iref.body.lowerBound) ?? 0) > 0
    let step = isLong ? 4 : 2
    return reader.children(of: iref).compactMap { box in
      let start = box.body.lowerBound
      guard let from = reader.number(start, isLong: isLong), let count = reader.u16(start + step) else {
        return nil
      }
      let to = (0..<Int(count)).compactMap { reader.number(start + step + 2 + $0 * step, isLong: isLong) }
      return Reference(type: box.type, from: from, to: to)
    }
  }

  /// Takes over which item has which properties.
  private mutating func associate(_ ipma: Range<Int>, _ reader: BoxReader) {
    guard let version = reader.u8(ipma.lowerBound), let flags = reader.u8(ipma.lowerBound + 3),
      let count = reader.u32(ipma.lowerBound + 4)
    else { return }
    let (isLong, isWide) = (version > 0, flags & 1 != 0)
    var at = ipma.lowerBound + 8
    for _ in 0..<min(count, 65_536) {
      guard let id = reader.number(at, isLong: isLong), let number = reader.u8(at + (isLong ? 4 : 2)) else {
        return
      }
      at += isLong ? 5 : 3
      var own: [Association] = []
      for _ in 0..<number {
        guard
          let entry = isWide
            ? reader.u16(at) : reader.u8(at).map({ UInt16($0 & 0x7F) | UInt16($0 & 0x80) << 8 })
        else { return }
        at += isWide ? 2 : 1
        let index = Int(entry & 0x7FFF) - 1
        if properties.indices.contains(index) {
          own.append(Association(property: index, isEssential: entry & 0x8000 != 0))
        }
      }
      if let index = items.firstIndex(where: { $0.id == id }) { items[index].properties += own }
    }
  }

  /// Takes over the items' bytes.
  private mutating func locate(
    _ iloc: Range<Int>, idat: Range<Int>?, _ file: Data, _ reader: BoxReader
  ) throws(StillCodecError) {
    guard let version = reader.u8(iloc.lowerBound), let sizes = reader.u16(iloc.lowerBound + 4).map(Int.init)
    else { return }
    var at = iloc.lowerBound + 6
    func next(_ bytes: Int) throws(StillCodecError) -> Int {
      var value = 0
      for _ in 0..<bytes {
        guard let byte = reader.u8(at), at < iloc.upperBound, value < 1 << 48 else {
          throw .damagedHEIC("its table of places ends too early")
        }
        value = value << 8 | Int(byte)
        at += 1
      }
      return value
    }
    let longID = version == 2 ? 4 : 2
    var total = 0
    for _ in 0..<(try next(longID)) {
      let id = try next(longID)
      let method = version == 0 ? 0 : try next(2) & 15
      guard try next(2) == 0, method < 2 else { throw Self.unsuitable("some of it lies elsewhere") }
      let base = try next(sizes >> 4 & 15)
      var bytes = Data()
      for _ in 0..<(try next(2)) {
        _ = try next(version == 0 ? 0 : sizes & 15)
        let offset = try next(sizes >> 12)
        let length = try next(sizes >> 8 & 15)
        guard let whole = method == 0 ? file.startIndex..<file.endIndex : idat else {
          throw .damagedHEIC("bytes of item \(id) are missing")
        }
        let start = whole.lowerBound + base + offset
        // A length of nothing is all that is there.
        let end = length == 0 ? whole.upperBound : start + length
        guard start <= end, end <= whole.upperBound else {
          throw .damagedHEIC("bytes of item \(id) are missing")
        }
        total += end - start
        guard total <= file.count else { throw .damagedHEIC("its items have more bytes than the file") }
        bytes.append(file[start..<end])
      }
      if let index = items.firstIndex(where: { $0.id == id }) {
        items[index].bytes = bytes
        items[index].isInline = method == 1
      }
    }
  }
}

extension BoxReader {
  /// A number of four bytes, or of two.
  fileprivate func number(_ at: Int, isLong: Bool) -> Int? { isLong ? u32(at) : u16(at).map(Int.init) }

  /// A box with its head.
  fileprivate func whole(_ box: Box) -> Data {
    var writer = BoxWriter()
    writer.box(box.type) { $0.add(bytes(box.body)) }
    return Data(writer.bytes)
  }
}
