internal import Linux

/// The types that are known: those that are declared, and those that a program declares itself.
package enum TypeTable {
  private struct Index: Sendable {
    var records: [String: TypeRecord] = [:]
    var byExtension: [String: [String]] = [:]
    var byMIMEType: [String: [String]] = [:]

    init(_ all: [TypeRecord]) {
      for record in all {
        records[record.identifier] = record
        for name in record.extensions { byExtension[name, default: []].append(record.identifier) }
        for name in record.mimeTypes { byMIMEType[name.lowercased(), default: []].append(record.identifier) }
      }
    }
  }

  private static let declared = Index(DeclaredTypes.records + DeclaredTypes.others)
  private static let own = Locked<[String: TypeRecord]>([:])

  /// What is known of the type of that identifier, dynamic ones included.
  static func record(_ identifier: String) -> TypeRecord? {
    declared.records[identifier] ?? own.withLock { $0[identifier] } ?? DynamicType.record(identifier)
  }

  static func isDeclared(_ identifier: String) -> Bool {
    declared.records[identifier] != nil || own.withLock { $0[identifier] != nil }
  }

  /// Notes a type of the program, unless it is known.
  static func add(_ record: TypeRecord) {
    guard declared.records[record.identifier] == nil else { return }
    own.withLock { if $0[record.identifier] == nil { $0[record.identifier] = record } }
  }

  /// The declared types of a file name extension, in small letters.
  static func identifiers(ofExtension name: String) -> [String] {
    declared.byExtension[name] ?? []
  }

  /// The declared types of a MIME type, in small letters.
  static func identifiers(ofMIMEType name: String) -> [String] {
    declared.byMIMEType[name] ?? []
  }

  /// The identifiers of all types that a type conforms to, without itself.
  package static func ancestors(of identifier: String) -> Set<String> {
    var (found, waiting) = (Set<String>(), record(identifier)?.parents ?? [])
    while let next = waiting.popLast() {
      if found.insert(next).inserted { waiting += record(next)?.parents ?? [] }
    }
    return found
  }
}
