package import CoreVideo
internal import FoundationExtras
internal import StillCodecs

/// Opening the pictures that a task was given.
package enum PictureReading {
  /// The picture in the file at `path`; what is no plain file is refused at once.
  ///
  /// - Parameter pixels: A picture of more is read smaller: by 2, 4 or 8 along each edge.
  /// - Throws: ``CameraTaskError/Code/badFile``.
  package static func picture(
    at path: String, atMostPixels pixels: Int
  ) throws(CameraTaskError) -> CVPixelBuffer {
    let name = path.isEmpty ? "''" : path
    do {
      let data = try StillFile.read(path)
      let facts = try StillFacts(data)
      return try facts.decode(data, scale: facts.scale(atMostPixels: pixels))
    } catch let error as FileReadError {
      throw CameraTaskError(.badFile, "\(name) cannot be read: \(error).")
    } catch {
      throw CameraTaskError(.badFile, "\(name): \(error)")
    }
  }
}
