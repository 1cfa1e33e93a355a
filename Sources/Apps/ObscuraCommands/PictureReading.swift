internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import ImageIO
internal import StillCodecs

/// Opening the pictures that a command was given.
enum PictureReading {
  /// The picture in the file at `path`.
  /// - Throws: ``CommandError`` with ``ExitCode/otherFailure``.
  static func picture(at path: String) throws -> CVPixelBuffer {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw CommandError(
        .otherFailure, "\(path) cannot be read; check that it exists and that you may read it.")
    }
    guard let source = CGImageSourceCreateWithData(data as CFData, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else {
      throw CommandError(
        .otherFailure, "\(path) is no picture that can be read: it is damaged, or neither JPEG, HEIC nor PNG."
      )
    }
    return try image.makePixelBuffer()
  }
}
