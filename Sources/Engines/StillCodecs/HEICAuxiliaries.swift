internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import MediaFiles

/// The auxiliary pictures of a HEIC file's primary picture (ISO/IEC 23008-12, 6.4.5).
struct HEICAuxiliaries {
  var container: HEIFContainer

  /// - Throws: ``StillCodecError``.
  init(_ file: Data) throws {
    try HEIFItems.check(file)
    container = try HEIFContainer(file)
  }

  /// The file as it is now.
  func data() throws -> Data { try container.data() }

  /// The facts of each, in the file's order.
  var facts: [AuxiliaryPicture.Facts] {
    let own = container.references.filter { $0.type == "auxl" && $0.to.contains(container.primary) }.map(
      \.from)
    return container.items.filter { own.contains($0.id) }.compactMap { item -> AuxiliaryPicture.Facts? in
      guard let kind = container.property("auxC", of: item) else { return nil }
      // Behind version and flags; what follows the name is more of the kind's own.
      let name = String(decoding: kind.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
      let size = container.property("ispe", of: item).map(Self.size) ?? (width: 0, height: 0)
      return AuxiliaryPicture.Facts(
        name: name, xmp: xmp(of: item.id), width: size.width, height: size.height, place: item.id)
    }
  }

  private static func size(_ ispe: Data) -> (width: Int, height: Int) {
    func number(_ at: Int) -> Int { ispe.dropFirst(at).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    return (number(4), number(8))
  }

  private func xmp(of id: Int) -> Data? {
    let about = container.references.filter { $0.type == "cdsc" && $0.to.contains(id) }.map(\.from)
    return container.items.first { item in
      about.contains(item.id) && item.type == "mime" && item.description.contains(Self.xmpKind)
    }?.bytes
  }

  private static let xmpKind = Data("application/rdf+xml".utf8)

  /// The pixels of an auxiliary picture as one component of 8 bits.
  func decode(_ id: Int) throws -> CVPixelBuffer {
    guard container.item(id) != nil else { throw StillCodecError.damagedHEIC("item \(id) does not exist") }
    return try HEICDecoder.decodeGray(container.extracting(id).data())
  }

  /// Adds a picture, compressed without loss and turned as the primary one.
  mutating func add(_ picture: AuxiliaryPicture) throws {
    let coded = try HEIFContainer(HEICEncoder.encodeGray(picture.picture))
    guard let primary = container.item(container.primary) else { return }
    let id = takeOver(coded, pixels: Self.codedPixels(of: picture.picture))
    guard let index = container.items.firstIndex(where: { $0.id == id }) else { return }
    let kind = place(Self.kind(picture.name))
    let turns: Set<String> = ["irot", "imir"]
    container.items[index].isHidden = true
    container.items[index].properties.append(HEIFContainer.Association(property: kind, isEssential: true))
    container.items[index].properties += primary.properties.filter {
      turns.contains(HEIFContainer.type(of: container.properties[$0.property]))
    }
    container.references.append(HEIFContainer.Reference(type: "auxl", from: id, to: [container.primary]))
    guard let xmp = picture.xmp else { return }
    let about = HEIFContainer.Item(
      id: container.freeID, type: "mime", isHidden: true, description: Data([0]) + Self.xmpKind + [0],
      bytes: xmp)
    container.items.append(about)
    container.references.append(HEIFContainer.Reference(type: "cdsc", from: about.id, to: [id]))
  }

  /// The pixels that are coded of a picture: its sides grow to a multiple of the smallest block, and to the largest block at least.
  private static func codedPixels(of picture: CVPixelBuffer) -> Int {
    func side(_ length: Int) -> Int { max(64, (length + 7) & ~7) }
    return side(picture.width) * side(picture.height)
  }

  /// Takes over the picture of another file; a small or odd one is a grid of one tile, which comes with it.
  ///
  /// - Returns: The picture's number here.
  private mutating func takeOver(_ other: HEIFContainer, pixels: Int) -> Int {
    let shift = container.freeID
    for var item in other.items {
      item.id += shift
      item.properties = item.properties.map { association in
        var box = other.properties[association.property]
        if HEIFContainer.type(of: box) == "hvcC" { HEVCLevel.state(in: &box, pixels: pixels) }
        return HEIFContainer.Association(property: place(box), isEssential: association.isEssential)
      }
      container.items.append(item)
    }
    container.references += other.references.map { reference in
      HEIFContainer.Reference(
        type: reference.type, from: reference.from + shift, to: reference.to.map { $0 + shift })
    }
    return other.primary + shift
  }

  /// The index of a property like `box`, a new one where there is none.
  private mutating func place(_ box: Data) -> Int {
    if let index = container.properties.firstIndex(of: box) { return index }
    container.properties.append(box)
    return container.properties.count - 1
  }

  /// The `auxC` box of a kind.
  private static func kind(_ name: String) -> Data {
    var writer = BoxWriter()
    writer.fullBox("auxC") { box in
      box.add(name.utf8)
      box.u8(0)
    }
    return Data(writer.bytes)
  }
}

extension Data {
  /// Whether the bytes `part` stand in these one after the other.
  fileprivate func contains(_ part: Data) -> Bool { range(of: part) != nil }
}
