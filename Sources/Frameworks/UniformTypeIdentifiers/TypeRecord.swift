/// What is known of a type.
struct TypeRecord: Sendable {
  let identifier: String
  /// File name extensions, the preferred one first.
  let extensions: [String]
  /// MIME types, the preferred one first.
  let mimeTypes: [String]
  /// The identifiers of the types that it conforms to.
  let parents: [String]

  init(_ identifier: String, _ extensions: [String], _ mimeTypes: [String], _ parents: [String]) {
    self.identifier = identifier
    self.extensions = extensions
    self.mimeTypes = mimeTypes
    self.parents = parents
  }
}
