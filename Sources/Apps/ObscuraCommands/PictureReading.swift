internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import StillCodecs

/// Opening the pictures that a command was given.
enum PictureReading {
  /// The picture in the file at `path`.
  ///
  /// - Parameter pixels: A picture of more is read smaller: by 2, 4 or 8 along each edge.
  /// - Throws: ``CommandError`` with ``ExitCode/otherFailure``.
  static func picture(at path: String, atMostPixels pixels: Int) throws -> CVPixelBuffer {
    do {
      let data = try StillFile.read(path)
      let facts = try StillFacts(data)
      return try facts.decode(data, scale: facts.scale(atMostPixels: pixels))
    } catch let error as FileReadError {
      throw CommandError(.otherFailure, "\(path) cannot be read: \(error).")
    } catch let error as StillCodecError {
      throw CommandError(.otherFailure, "\(path): \(error)")
    }
  }
}
