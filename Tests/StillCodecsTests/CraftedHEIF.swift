import Foundation

/// HEIF files made by hand, without a coded picture in them.
struct CraftedHEIF {
  /// Kind and number of each item; the first is the primary one.
  var items: [(id: Int, type: String)] = [(1, "grid"), (2, "hvc1")]
  /// From which item to which, and how.
  var references: [(type: String, from: Int, to: [Int])] = [("dimg", 1, [2])]
  var size = (width: 64, height: 64)
  /// Put behind the boxes of `meta`.
  var more = Data()
  /// A second `meta` box.
  var second: Data?

  static func box(_ type: String, _ body: Data) -> Data { number(body.count + 8, 4) + Data(type.utf8) + body }

  static func number(_ value: Int, _ bytes: Int) -> Data {
    Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
  }

  private static let head = Data(count: 4)

  var meta: Data {
    let n = Self.number
    let box = Self.box
    let infe = items.map { item in
      box("infe", Data([2, 0, 0, 0]) + n(item.id, 2) + n(0, 2) + Data(item.type.utf8) + Data([0]))
    }
    let iref = references.map { reference in
      box(
        reference.type,
        n(reference.from, 2) + n(reference.to.count, 2) + Data(reference.to.flatMap { n($0, 2) }))
    }
    let ispe = box("ispe", Self.head + n(size.width, 4) + n(size.height, 4))
    let ipma = box(
      "ipma", Self.head + n(items.count, 4) + Data(items.flatMap { n($0.id, 2) + Data([1, 0x81]) }))
    let grid = Data([0, 0, 0, 0]) + n(size.width, 2) + n(size.height, 2)
    let iloc = box(
      "iloc",
      Data([1, 0, 0, 0, 0x44, 0]) + n(items.count, 2)
        + Data(items.flatMap { n($0.id, 2) + n(1, 2) + n(0, 2) + n(1, 2) + n(0, 4) + n(grid.count, 4) }))
    return box(
      "meta",
      Self.head + box("hdlr", Self.head + n(0, 4) + Data("pict".utf8) + Data(count: 13))
        + box("pitm", Self.head + n(items[0].id, 2))
        + box("iinf", Self.head + n(items.count, 2) + Data(infe.joined()))
        + box("iref", Self.head + Data(iref.joined())) + box("iprp", box("ipco", ispe) + ipma) + iloc
        + box("idat", grid) + more)
  }

  var file: Data {
    Self.box("ftyp", Data("heic".utf8) + Self.number(0, 4) + Data("mif1heic".utf8)) + meta
      + (second ?? Data())
  }
}
