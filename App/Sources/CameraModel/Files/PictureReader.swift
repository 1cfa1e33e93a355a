import AVFoundation
import Foundation

/// Reads pictures out of files, upright and small.
package enum PictureReader {
  /// A picture whose longer side has at most so many pixels; `nil` for what is no picture.
  package static func thumbnail(of data: Data, longerSide: Int) -> Thumbnail? {
    guard let source = CGImageSourceCreateWithData(data, nil) else { return nil }
    return thumbnail(of: source, longerSide: longerSide)
  }

  /// The same of a file.
  package static func thumbnail(of url: URL, longerSide: Int) -> Thumbnail? {
    guard let data = try? Data(contentsOf: url, options: .alwaysMapped) else { return nil }
    return thumbnail(of: data, longerSide: longerSide)
  }

  /// The first picture of a movie; `nil` for what is none.
  package static func firstPicture(of url: URL, longerSide: Int) -> Thumbnail? {
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
    generator.appliesPreferredTrackTransform = true
    generator.maximumSize = CGSize(width: longerSide, height: longerSide)
    return (try? generator.copyCGImage(at: .zero, actualTime: nil)).flatMap { thumbnail(of: $0) }
  }

  /// A photo, or the first picture of a movie.
  package static func picture(of url: URL, longerSide: Int) -> Thumbnail? {
    isMovie(url) ? firstPicture(of: url, longerSide: longerSide) : thumbnail(of: url, longerSide: longerSide)
  }

  /// Whether a file is a movie, by its name.
  package static func isMovie(_ url: URL) -> Bool { ["mov", "mp4"].contains(url.pathExtension.lowercased()) }

  private static func thumbnail(of source: CGImageSource, longerSide: Int) -> Thumbnail? {
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceThumbnailMaxPixelSize: longerSide,
    ]
    guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options) else { return nil }
    return thumbnail(of: image)
  }

  /// A picture wherever it is kept; blocks.
  package static func picture(of place: MediaPlace, longerSide: Int) -> Thumbnail? {
    switch place {
    case .file(let url): picture(of: url, longerSide: longerSide)
    case .asset(let name):
      LibraryAccess.asset(name).flatMap { LibraryAccess.picture(of: $0, longerSide: longerSide) }
    }
  }

  static func thumbnail(of image: CGImage) -> Thumbnail? {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, image.width, image.height, kCVPixelFormatType_32BGRA, nil, &buffer)
    guard let buffer else { return nil }
    CIContext().render(CIImage(cgImage: image), to: buffer)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return nil }
    let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    var bytes = Data(capacity: image.width * image.height * 4)
    for row in 0..<image.height {
      bytes.append(Data(bytes: base + row * rowBytes, count: image.width * 4))
    }
    return Thumbnail(width: image.width, height: image.height, bytes: bytes)
  }
}
