public import Foundation

extension URL {
  /// The address with the preferred extension of a type, unless its own is one of that type.
  ///
  /// Apple: `URL.appendingPathExtension(for:)`.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    guard let name = contentType.preferredFilenameExtension else { return self }
    if let own = UTType(filenameExtension: pathExtension), own.conforms(to: contentType) { return self }
    return appendingPathExtension(name)
  }

  /// Adds the preferred extension of a type, unless its own is one of that type.
  public mutating func appendPathExtension(for contentType: UTType) {
    self = appendingPathExtension(for: contentType)
  }

  /// The address of a file in this folder, with the extension of a type.
  ///
  /// Apple: `URL.appendingPathComponent(_:conformingTo:)`.
  public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
    appendingPathComponent(partialName).appendingPathExtension(for: contentType)
  }

  /// Adds the name of a file with the extension of a type.
  public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
    self = appendingPathComponent(partialName, conformingTo: contentType)
  }
}
