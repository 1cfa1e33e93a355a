internal import Foundation
internal import MediaFiles

/// The items of a HEIF file with their properties and references, to be changed and written again.
///
/// What is coded stays bit for bit: only where it lies changes. Structures that hold positions which are not understood here (a
/// movie beside the pictures, bytes in other files or in items) are refused. Sources: ISO/IEC 23008-12; ISO/IEC 14496-12, 8.11.
struct HEIFContainer {
  /// An item: a picture, or data about one.
  struct Item {
    var id: Int
    /// The kind, of four characters, such as `hvc1` or `mime`.
    var type: String
    var isHidden = false
    /// The bytes behind the kind: the name and, of `mime`, the kind of content, each with a zero at its end.
    var description = Data([0])
    /// The number of the item's protection; 0 for none.
    var protection = 0
    var bytes = Data()
    /// Whether ``bytes`` lie in the `meta` box rather than beside it.
    var isInline = false
    /// Indices into ``HEIFContainer/properties``, in the order they apply.
    var properties: [Association] = []
  }

  /// A property of an item.
  struct Association {
    var property: Int
    /// Whether a reader that does not know the property must not show the item.
    var isEssential: Bool
  }

  /// What an item says of others.
  struct Reference {
    var type: String
    var from: Int
    var to: [Int]
  }

  /// The `ftyp` box.
  var brands: Data
  /// The `hdlr` box.
  var handler: Data
  var primary: Int
  var items: [Item]
  /// Whole boxes.
  var properties: [Data]
  var references: [Reference]
  /// Whole boxes of `meta` that say nothing about positions.
  var otherMeta: [Data] = []
  /// Whole boxes beside `meta`.
  var others: [Data] = []

  /// The item with a number; `nil` when there is none.
  func item(_ id: Int) -> Item? { items.first { $0.id == id } }

  /// The content of an item's first property of a kind; `nil` without one.
  func property(_ type: String, of item: Item) -> Data? {
    item.properties.lazy.map { properties[$0.property] }.first { Self.type(of: $0) == type }
      .map { Data($0.dropFirst(8)) }
  }

  /// The kind of a whole box of less than 4 GiB.
  static func type(of box: Data) -> String { String(decoding: box.dropFirst(4).prefix(4), as: UTF8.self) }

  /// A number that no item has.
  var freeID: Int { (items.map(\.id).max() ?? 0) + 1 }

  /// The file that shows the picture `id` alone, without what turns or crops it.
  func extracting(_ id: Int) -> HEIFContainer {
    var kept: [Int] = []
    var waiting = [id]
    while let next = waiting.popLast() {
      guard !kept.contains(next) else { continue }
      kept.append(next)
      waiting += references.filter { $0.type == "dimg" && $0.from == next }.flatMap(\.to)
    }
    var part = self
    part.primary = id
    part.items = items.filter { kept.contains($0.id) }
    part.references = references.filter { $0.type == "dimg" && kept.contains($0.from) }
    let left: Set<String> = ["auxC", "irot", "imir", "clap"]
    for index in part.items.indices {
      part.items[index].properties.removeAll { left.contains(Self.type(of: properties[$0.property])) }
    }
    if let index = part.items.firstIndex(where: { $0.id == id }) { part.items[index].isHidden = false }
    part.otherMeta = []
    part.others = []
    return part
  }

  /// Removes items, what they say of others and what others say of them, and then what only data about removed ones is.
  ///
  /// - Parameter removed: None of them the primary picture, nor a part of one that stays.
  mutating func remove(_ removed: Set<Int>) {
    var removed = removed
    // Metadata of a picture that is gone describes nothing.
    for reference in references
    where reference.type == "cdsc" && !reference.to.isEmpty && removed.isSuperset(of: reference.to) {
      removed.insert(reference.from)
    }
    for reference in references
    where reference.type == "dimg" && removed.contains(reference.from) {
      let shared = references.contains {
        $0.type == "dimg" && !removed.contains($0.from) && !Set($0.to).isDisjoint(with: reference.to)
      }
      if !shared { removed.formUnion(reference.to) }
    }
    items.removeAll { removed.contains($0.id) }
    for index in references.indices { references[index].to.removeAll { removed.contains($0) } }
    references.removeAll { removed.contains($0.from) || $0.to.isEmpty }
  }
}
