internal import Foundation
internal import MediaFiles

/// The pictures in a HEIF file and which of them each is made of, checked before a decoder follows it (ISO/IEC 23008-12, 6).
///
/// libheif 1.15 follows references as they are: a picture that is a tile of itself, or a source that is none, ends the process
/// (its issue 590). It also takes boxes that another reader does not see, such as a second `meta`; hence a file is refused unless its
/// boxes fill each other exactly and each is there once.
struct HEIFItems {
  private let reader: BoxReader
  /// The kind of each item, such as `hvc1` or `grid`.
  private var types: [Int: String] = [:]
  /// The items that have to be decoded for each item, as often as they are.
  private var parts: [Int: [Int]] = [:]
  private var sizes: [Int: (width: Int, height: Int)] = [:]
  /// The pixels that decoding each item takes, parts included, and how many pictures deep it goes.
  private var costs: [Int: (pixels: Int, pictures: Int, depth: Int)] = [:]
  private var largest = 0
  /// Items with auxiliary pictures, and those that are parts of grids.
  private var withAuxiliaries: Set<Int> = []
  private var tiles: Set<Int> = []

  /// The most items, references and pictures decoded for one: a grid of 48 megapixels has 192 tiles.
  private static let mostItems = 4000
  /// A rotated grid with alpha is three deep.
  private static let mostDepth = 6
  /// The picture, its tiles, alpha, and what an overlay hides.
  private static let mostPixelsPerPixel = 8

  /// Refuses what a decoder cannot survive.
  ///
  /// - Throws: ``StillCodecError``: `damaged`, or `tooLarge` where it is not the structure but the amount.
  static func check(_ data: Data) throws {
    var items = HEIFItems(reader: BoxReader(data))
    try items.read(data.startIndex..<data.endIndex)
    // libheif 1.15 copies a tile's alpha by the depth of its colours, beyond the end of it.
    if let tile = items.tiles.intersection(items.withAuxiliaries).min() {
      throw damaged("tile \(tile) has an alpha channel of its own")
    }
    for item in items.types.keys.sorted() { _ = try items.cost(of: item, below: []) }
  }

  private init(reader: BoxReader) {
    self.reader = reader
  }

  private static func damaged(_ reason: String) -> StillCodecError { .damagedHEIC(reason) }

  /// The boxes of `range`, which they fill.
  private func boxes(filling range: Range<Int>, of name: String) throws -> [BoxReader.Box] {
    let boxes = reader.boxes(in: range)
    guard (boxes.last?.body.upperBound ?? range.lowerBound) == range.upperBound else {
      throw Self.damaged("its \(name) box holds what is no box, or too many")
    }
    return boxes
  }

  private func children(_ box: BoxReader.Box?, header: Int) throws -> [BoxReader.Box] {
    guard let box else { return [] }
    guard box.body.count >= header else { throw Self.damaged("its \(box.type) box is too short") }
    return try boxes(filling: box.body.lowerBound + header..<box.body.upperBound, of: box.type)
  }

  private mutating func read(_ file: Range<Int>) throws {
    // Behind the last whole box of a file there may be a cut one, but no second meta.
    let boxes = reader.boxes(in: file)
    guard boxes.count < BoxReader.mostBoxes else { throw Self.damaged("it has too many boxes") }
    let metas = boxes.filter { $0.type == "meta" }
    guard metas.count == 1 else { throw Self.damaged("it has \(metas.count) meta boxes instead of one") }
    let meta = try children(metas[0], header: 4)
    for type in ["pitm", "iinf", "iref", "iloc", "iprp", "idat"]
    where meta.count(where: { $0.type == type }) > 1 {
      throw Self.damaged("it has more than one \(type) box")
    }
    func one(_ type: String) -> BoxReader.Box? { meta.first { $0.type == type } }
    try readTypes(one("iinf"))
    try readReferences(one("iref"))
    try readSizes(one("iprp"))
    for (item, size) in reader.derivedItems(meta) { sizes[item] = size }
    largest = sizes.values.map(Self.area).max() ?? 0
  }

  private mutating func readTypes(_ iinf: BoxReader.Box?) throws {
    let isLong = iinf.flatMap { reader.u8($0.body.lowerBound) }.map { $0 > 0 } ?? false
    for entry in try children(iinf, header: isLong ? 8 : 6) where entry.type == "infe" {
      let start = entry.body.lowerBound
      guard let version = reader.u8(start), version >= 2 else { continue }
      let id = version == 2 ? reader.u16(start + 4).map(Int.init) : reader.u32(start + 4)
      guard let id, let type = reader.text(start + (version == 2 ? 8 : 10)) else {
        throw Self.damaged("one of its items ends too early")
      }
      guard types.updateValue(type, forKey: id) == nil else {
        throw Self.damaged("two items have the number \(id)")
      }
    }
    guard types.count <= Self.mostItems else { throw Self.damaged("it has \(types.count) items") }
  }

  private mutating func readReferences(_ iref: BoxReader.Box?) throws {
    let isLong = iref.flatMap { reader.u8($0.body.lowerBound) }.map { $0 > 0 } ?? false
    let step = isLong ? 4 : 2
    func id(_ at: Int) -> Int? { isLong ? reader.u32(at) : reader.u16(at).map(Int.init) }
    var total = 0
    for reference in try children(iref, header: 4) {
      let start = reference.body.lowerBound
      guard let from = id(start), let count = reader.u16(start + step).map(Int.init),
        start + step + 2 + count * step <= reference.body.upperBound
      else { throw Self.damaged("one of its references ends too early") }
      total += count
      guard total <= Self.mostItems else {
        throw Self.damaged("it has more than \(Self.mostItems) references")
      }
      for index in 0..<count {
        guard let to = id(start + step + 2 + index * step) else { continue }
        switch reference.type {
        case "dimg":
          parts[from, default: []].append(to)
          if types[from] == "grid" { tiles.insert(to) }
        // An auxiliary picture, such as alpha, is decoded with the one that it belongs to.
        case "auxl":
          parts[to, default: []].append(from)
          withAuxiliaries.insert(to)
        case "thmb" where to == from: throw Self.damaged("picture \(from) is its own thumbnail")
        default: continue
        }
        guard types[to] != nil else {
          throw Self.damaged("item \(to), of which \(from) is made, does not exist")
        }
        guard reference.type != "dimg" || isPicture(to) || !isPicture(from) else {
          throw Self.damaged("item \(to), of which picture \(from) is made, is no picture")
        }
      }
    }
  }

  private mutating func readSizes(_ iprp: BoxReader.Box?) throws {
    let containers = try children(iprp, header: 0)
    guard containers.count(where: { $0.type == "ipco" }) == 1 else {
      throw Self.damaged("it has no box of properties, or several")
    }
    let properties = try children(containers.first { $0.type == "ipco" }, header: 0)
    for ipma in containers where ipma.type == "ipma" {
      for (item, numbers) in reader.associations(in: ipma.body) {
        for number in numbers where properties.indices.contains(number - 1) {
          let property = properties[number - 1]
          switch property.type {
          case "ispe":
            if let size = reader.size(at: property.body.lowerBound + 4, isWide: true) { sizes[item] = size }
          default: continue
          }
        }
      }
    }
  }

  private func isPicture(_ item: Int) -> Bool {
    ["hvc1", "av01", "grid", "iden", "iovl"].contains(types[item] ?? "")
  }

  private static func area(_ size: (width: Int, height: Int)) -> Int {
    let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    return overflow ? DecodeLimit.pixels + 1 : min(area, DecodeLimit.pixels + 1)
  }

  /// The cost of decoding `item`, which is a part of those in `path`.
  private mutating func cost(of item: Int, below path: [Int]) throws -> (
    pixels: Int, pictures: Int, depth: Int
  ) {
    if let known = costs[item] { return known }
    guard !path.contains(item) else { throw Self.damaged("picture \(item) is a part of itself") }
    guard path.count < Self.mostDepth else {
      throw Self.damaged("its pictures are parts of each other more than \(Self.mostDepth) deep")
    }
    var cost = (pixels: Self.area(sizes[item] ?? (0, 0)), pictures: 1, depth: 1)
    for part in parts[item] ?? [] {
      let more = try self.cost(of: part, below: path + [item])
      cost = (cost.pixels + more.pixels, cost.pictures + more.pictures, max(cost.depth, more.depth + 1))
      guard cost.pictures <= Self.mostItems,
        cost.pixels <= Self.mostPixelsPerPixel * largest + DecodeLimit.slack
      else {
        throw StillCodecError(
          .tooLarge,
          "The HEIC picture cannot be decoded: it is put together of too many others; it is damaged or made to harm."
        )
      }
    }
    guard path.count + cost.depth <= Self.mostDepth else {
      throw Self.damaged("its pictures are parts of each other more than \(Self.mostDepth) deep")
    }
    costs[item] = cost
    return cost
  }
}
