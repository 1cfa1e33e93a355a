internal import Foundation

/// A type of data, files or other things.
///
/// Apple: `UTType`.
///
/// - Note: Unlike on Apple's platforms, types that are not declared come from the desktop's database (shared-mime-info), and their identifiers
///   (`dyn.…`) are spelled in another way.
public struct UTType: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The identifier, such as `public.jpeg`.
  public let identifier: String

  /// The type of an identifier; `nil` for one that is not known.
  public init?(_ identifier: String) {
    guard TypeTable.record(identifier) != nil else { return nil }
    self.identifier = identifier
  }

  /// The type of a file name extension, below another type.
  ///
  /// One that is not declared is a dynamic type; `nil` for an empty extension.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
  }

  /// The type of a MIME type, below another type.
  ///
  /// One that is not declared is a dynamic type; `nil` for an empty MIME type.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
  }

  /// The type of a tag, below another type if one is given.
  public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
    guard let first = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else {
      return nil
    }
    self = first
  }

  /// A type that the program declares, below another type.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    TypeTable.add(TypeRecord(identifier, [], [], [(parentType ?? .data).identifier]))
    self.identifier = identifier
  }

  /// A type that the program uses and another one declares, below another type.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(exportedAs: identifier, conformingTo: parentType)
  }

  /// The type of an identifier that is declared.
  init(declared identifier: String) {
    self.identifier = identifier
  }

  /// The types of a tag, below another type if one is given; a dynamic one where none is declared.
  public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
    let name = tag.lowercased()
    guard !name.isEmpty else { return [] }
    let isExtension = tagClass == .filenameExtension
    let known =
      isExtension ? TypeTable.identifiers(ofExtension: name) : TypeTable.identifiers(ofMIMEType: name)
    let found = known.map(UTType.init(declared:)).filter { supertype.map($0.conforms(to:)) ?? true }
    return found.isEmpty ? undeclared(name, isExtension: isExtension, conformingTo: supertype) : found
  }

  private static func undeclared(
    _ name: String, isExtension: Bool, conformingTo supertype: UTType?, info: SharedMIMEInfo = .system
  ) -> [UTType] {
    let mimeType = isExtension ? info.mimeType(ofExtension: name) : name
    let candidates = mimeType.map { info.lineage(ofMIMEType: $0).prefix(1) } ?? []
    for candidate in candidates {
      let known = TypeTable.identifiers(ofMIMEType: candidate).map(UTType.init(declared:))
        .filter { supertype.map($0.conforms(to:)) ?? true }
      if !known.isEmpty { return known }
    }
    var parent = UTType(declared: DynamicType.parent(ofMIMEType: mimeType, in: info))
    if let supertype, !parent.conforms(to: supertype) { parent = supertype }
    return [
      UTType(
        declared: DynamicType.identifier(
          extension: isExtension ? name : info.preferredExtension(ofMIMEType: name), mimeType: mimeType,
          parent: parent.identifier))
    ]
  }

  private var record: TypeRecord? { TypeTable.record(identifier) }

  /// The extension for names of new files.
  public var preferredFilenameExtension: String? { record?.extensions.first }

  /// The MIME type for new data.
  public var preferredMIMEType: String? { record?.mimeTypes.first }

  /// All extensions and MIME types.
  public var tags: [UTTagClass: [String]] {
    guard let record else { return [:] }
    return [.filenameExtension: record.extensions, .mimeType: record.mimeTypes].filter { !$0.value.isEmpty }
  }

  /// What users call the type, by the desktop's database, in the language of the environment.
  public var localizedDescription: String? {
    guard let name = preferredMIMEType else { return nil }
    return SharedMIMEInfo.system.comment(
      ofMIMEType: name, language: Locale.current.language.languageCode?.identifier)
  }

  /// Whether it is declared, and no dynamic type.
  public var isDeclared: Bool { TypeTable.isDeclared(identifier) }

  /// Whether all that is known of it is a tag.
  public var isDynamic: Bool { DynamicType.isDynamic(identifier) }

  /// Whether it belongs to no one company.
  public var isPublic: Bool { identifier.hasPrefix("public.") }

  /// All types that it conforms to, without itself.
  public var supertypes: Set<UTType> {
    Set(TypeTable.ancestors(of: identifier).map(UTType.init(declared:)))
  }

  /// Whether it is that type or below it.
  public func conforms(to type: UTType) -> Bool {
    self == type || isSubtype(of: type)
  }

  /// Whether it is below that type.
  public func isSubtype(of type: UTType) -> Bool {
    TypeTable.ancestors(of: identifier).contains(type.identifier)
  }

  /// Whether that type is below it.
  public func isSupertype(of type: UTType) -> Bool {
    type.isSubtype(of: self)
  }

  /// The identifier.
  public var description: String { identifier }

  /// The type of an encoded identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    identifier = try container.decode(String.self)
  }

  /// Encodes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}

/// A kind of name for types.
///
/// Apple: `UTTagClass`.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
  /// Apple's identifier.
  public let rawValue: String

  /// The kind of that identifier.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The extensions of file names, without the point.
  public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
  /// MIME types.
  public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}
