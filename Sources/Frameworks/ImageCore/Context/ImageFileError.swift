/// The reason why an image did not become a file.
public struct ImageFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence: what failed, why, what to do.
  public let description: String

  static let withoutBounds = ImageFileError(
    description: "An image without bounds or pixels cannot become a file; crop it first.")

  static func notRenderable(width: Int, height: Int) -> ImageFileError {
    ImageFileError(
      description: "An image of \(width)x\(height) pixels cannot be made in this format and colour space;"
        + " choose others or crop the image.")
  }

  static func notEncodable(_ type: String) -> ImageFileError {
    ImageFileError(
      description: "The picture could not be encoded as \(type); the line logged before says why.")
  }
}
