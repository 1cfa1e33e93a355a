/// Types that are not declared: a file name extension or MIME type, of which nothing else is known than what the desktop's database says.
///
/// The identifier holds all of it, so that it means the same in every program.
package enum DynamicType {
  private static let mark = "dyn.o"

  static func isDynamic(_ identifier: String) -> Bool {
    identifier.hasPrefix(mark)
  }

  /// The identifier of an extension or MIME type, or of both, below a type.
  static func identifier(extension name: String?, mimeType: String?, parent: String) -> String {
    let text = [name ?? "", mimeType ?? "", parent].joined(separator: "\t")
    return mark + text.utf8.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
  }

  static func record(_ identifier: String) -> TypeRecord? {
    guard isDynamic(identifier) else { return nil }
    let digits = Array(identifier.dropFirst(mark.count))
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let byte = UInt8(String(digits[index...(index + 1)]), radix: 16) else { return nil }
      bytes.append(byte)
    }
    let words = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, digits.count.isMultiple(of: 2) else { return nil }
    return TypeRecord(
      identifier, words[0].isEmpty ? [] : [words[0]], words[1].isEmpty ? [] : [words[1]], [words[2]])
  }

  /// The type that a MIME type is below, by its lineage in the desktop's database, or else by its first word.
  package static func parent(ofMIMEType name: String?, in info: SharedMIMEInfo) -> String {
    guard let name else { return "public.data" }
    for ancestor in info.lineage(ofMIMEType: name) {
      if let known = TypeTable.identifiers(ofMIMEType: ancestor).first { return known }
    }
    switch name.split(separator: "/").first {
    case "image": return "public.image"
    case "video": return "public.movie"
    case "audio": return "public.audio"
    case "text": return "public.text"
    case "font": return "public.font"
    default: return "public.data"
    }
  }
}
