internal import Foundation
internal import MediaFiles

extension HEIFContainer {
  /// The file: brands, `meta`, other boxes, and the items' bytes one after the other.
  ///
  /// - Throws: ``StillCodecError``: `unsuitable` above 2 GiB.
  func data() throws(StillCodecError) -> Data {
    let outside = items.filter { !$0.isInline }
    let total = outside.reduce(0) { $0 + $1.bytes.count }
    guard total < 1 << 31 else {
      throw StillCodecError(.unsuitable, "The HEIC file cannot be written: it would be larger than 2 GiB.")
    }
    var file = brands
    let rest = others.reduce(0) { $0 + $1.count }
    // Positions have four bytes whatever they are, so that a draft is as long as the box itself.
    let start = brands.count + meta(contentStart: 0).count + rest + 8
    file.append(contentsOf: meta(contentStart: start))
    for box in others { file.append(box) }
    var head = BoxWriter()
    head.u32(total + 8)
    head.code("mdat")
    file.append(contentsOf: head.bytes)
    for item in outside { file.append(item.bytes) }
    return file
  }

  /// The `meta` box of a file in which the items' bytes begin at `start`.
  private func meta(contentStart start: Int) -> [UInt8] {
    let isLong = items.contains { $0.id > 0xFFFF }
    var writer = BoxWriter()
    writer.fullBox("meta") { meta in
      meta.add(handler)
      meta.fullBox("pitm", version: isLong ? 1 : 0) { $0.id(primary, isLong) }
      meta.fullBox("iloc", version: isLong ? 2 : 1) { writePlaces(into: &$0, start, isLong) }
      meta.fullBox("iinf", version: isLong ? 1 : 0) { iinf in
        iinf.id(items.count, isLong)
        for item in items {
          iinf.fullBox("infe", version: isLong ? 3 : 2, flags: item.isHidden ? 1 : 0) { infe in
            infe.id(item.id, isLong)
            infe.u16(item.protection)
            infe.code(item.type)
            infe.add(item.description)
          }
        }
      }
      if !references.isEmpty {
        meta.fullBox("iref", version: isLong ? 1 : 0) { iref in
          for reference in references {
            iref.box(reference.type) { box in
              box.id(reference.from, isLong)
              box.u16(reference.to.count)
              for id in reference.to { box.id(id, isLong) }
            }
          }
        }
      }
      meta.box("iprp") { iprp in
        iprp.box("ipco") { ipco in for property in properties { ipco.add(property) } }
        writeAssociations(into: &iprp, isLong)
      }
      let inside = items.filter(\.isInline)
      if !inside.isEmpty {
        meta.box("idat") { idat in for item in inside { idat.add(item.bytes) } }
      }
      for box in otherMeta { meta.add(box) }
    }
    return writer.bytes
  }

  private func writePlaces(into iloc: inout BoxWriter, _ start: Int, _ isLong: Bool) {
    // Offsets and lengths of four bytes, neither bases nor indices.
    iloc.u16(0x4400)
    iloc.id(items.count, isLong)
    var (outside, inside) = (start, 0)
    for item in items {
      iloc.id(item.id, isLong)
      iloc.u16(item.isInline ? 1 : 0)
      iloc.u16(0)
      // A length of nothing would be all of the file.
      iloc.u16(item.bytes.isEmpty ? 0 : 1)
      guard !item.bytes.isEmpty else { continue }
      iloc.u32(item.isInline ? inside : outside)
      iloc.u32(item.bytes.count)
      if item.isInline { inside += item.bytes.count } else { outside += item.bytes.count }
    }
  }

  private func writeAssociations(into iprp: inout BoxWriter, _ isLong: Bool) {
    let isWide = properties.count > 0x7F
    let owners = items.filter { !$0.properties.isEmpty }.sorted { $0.id < $1.id }
    iprp.fullBox("ipma", version: isLong ? 1 : 0, flags: isWide ? 1 : 0) { ipma in
      ipma.u32(owners.count)
      for item in owners {
        ipma.id(item.id, isLong)
        ipma.u8(item.properties.count)
        for own in item.properties {
          let number = own.property + 1
          if isWide {
            ipma.u16(number | (own.isEssential ? 0x8000 : 0))
          } else {
            ipma.u8(number | (own.isEssential ? 0x80 : 0))
          }
        }
      }
    }
  }
}

extension BoxWriter {
  /// A number of an item, of four bytes or of two.
  fileprivate mutating func id(_ value: Int, _ isLong: Bool) {
    if isLong { u32(value) } else { u16(value) }
  }
}
