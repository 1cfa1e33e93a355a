package import Foundation

extension StillFacts {
  /// What the picture's XMP states; `nil` without a packet that can be read.
  ///
  /// - Parameter file: The picture's bytes: a JPEG has what does not fit into its packet in further segments.
  package func document(in file: Data) -> XMPDocument? {
    guard var document = xmp.flatMap({ XMPDocument(reading: $0) }) else { return nil }
    if format == .jpeg, let name = document.text(XMPNamespace.note, "HasExtendedXMP"),
      let rest = JPEGSegments.extendedPacket(of: file, named: name).flatMap({ XMPDocument(reading: $0) })
    {
      document.properties += rest.properties.filter { document[$0.namespace, $0.name] == nil }
    }
    return document
  }
}

extension JPEGSegments {
  private static let extensionPrefix = [UInt8]("http://ns.adobe.com/xmp/extension/\0".utf8)
  /// Behind the prefix: the packet's name, how long it is, and where this part of it begins.
  private static let extensionHead = (name: 32, all: 40)
  private static let extensionBound = 16 << 20

  /// The packet of that name, put together of its parts (XMP Specification 3, 1.1.3.1); `nil` without one that is whole.
  static func extendedPacket(of data: Data, named name: String) -> Data? {
    var parts: [Int: Range<Int>] = [:]
    var total = 0
    for segment in JPEGSegments(data) where segment.marker == 0xE1 {
      let body = data[segment.body]
      guard body.starts(with: extensionPrefix) else { continue }
      let head = [UInt8](body.dropFirst(extensionPrefix.count).prefix(extensionHead.all))
      guard head.count == extensionHead.all, head.prefix(extensionHead.name).elementsEqual(name.utf8) else {
        continue
      }
      func number(_ at: Int) -> Int { head[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
      total = number(extensionHead.name)
      parts[number(extensionHead.name + 4)] =
        segment.body.lowerBound + extensionPrefix.count + extensionHead.all..<segment.body.upperBound
    }
    guard (1...extensionBound).contains(total) else { return nil }
    var packet = Data()
    for (start, part) in parts.sorted(by: { $0.key < $1.key }) {
      guard start == packet.count, packet.count + part.count <= total else { return nil }
      packet += data[part]
    }
    return packet.count == total ? packet : nil
  }
}
