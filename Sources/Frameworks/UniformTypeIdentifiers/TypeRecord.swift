/// The names of a type, and the types that it conforms to.
package struct TypeRecord: Sendable {
  /// Apple's identifier.
  package let identifier: String
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
