internal import CoreVideo
internal import Foundation
internal import MediaFiles

/// Corrects what libheif writes wrongly into its boxes.
///
/// - With a quarter turn libheif 1.15 writes the size *after* rotation as the coded size (`ispe`).
/// - Its call to attach a thumbnail makes the main picture a thumbnail of the small one (libheif issue 93).
///
/// Nothing changes in a file without these errors.
struct HEIFRepair {
  private let sizes: [(width: Int, height: Int)]

  init(width: Int, height: Int, thumbnail: CVPixelBuffer?) {
    sizes = [(width, height)] + (thumbnail.map { [($0.width, $0.height)] } ?? [])
  }

  func apply(to file: inout Data) {
    let reader = BoxReader(file)
    guard let meta = reader.boxes.first(where: { $0.type == "meta" }) else { return }
    let children = reader.children(of: meta)
    if let iprp = children.first(where: { $0.type == "iprp" }) { repairSizes(iprp.body, reader, &file) }
    guard let pitm = children.first(where: { $0.type == "pitm" }),
      let primary = reader.u16(pitm.body.lowerBound + 4),
      let iref = children.first(where: { $0.type == "iref" }), reader.u8(iref.body.lowerBound) == 0
    else { return }
    for reference in reader.children(of: iref) {
      let start = reference.body.lowerBound
      guard reference.type == "thmb", reader.u16(start) == primary, reader.u16(start + 2) == 1,
        let other = reader.u16(start + 4)
      else { continue }
      write16(Int(other), at: start, &file)
      write16(Int(primary), at: start + 4, &file)
    }
  }

  private func repairSizes(_ iprp: Range<Int>, _ reader: BoxReader, _ file: inout Data) {
    let parts = reader.boxes(in: iprp)
    guard let ipco = parts.first(where: { $0.type == "ipco" }) else { return }
    let properties = reader.boxes(in: ipco.body)
    for ipma in parts where ipma.type == "ipma" {
      for numbers in reader.associations(in: ipma.body).values {
        let own = numbers.compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
        let isTurned = own.contains { $0.type == "irot" && (reader.u8($0.body.lowerBound) ?? 0) & 1 == 1 }
        guard isTurned, let ispe = own.first(where: { $0.type == "ispe" }),
          let width = reader.u32(ispe.body.lowerBound + 4), let height = reader.u32(ispe.body.lowerBound + 8),
          sizes.contains(where: { $0.width == height && $0.height == width })
        else { continue }
        write16(height >> 16, at: ispe.body.lowerBound + 4, &file)
        write16(height & 0xFFFF, at: ispe.body.lowerBound + 6, &file)
        write16(width >> 16, at: ispe.body.lowerBound + 8, &file)
        write16(width & 0xFFFF, at: ispe.body.lowerBound + 10, &file)
      }
    }
  }

  private func write16(_ value: Int, at position: Int, _ file: inout Data) {
    file[position] = UInt8(value >> 8 & 0xFF)
    file[position + 1] = UInt8(value & 0xFF)
  }
}
