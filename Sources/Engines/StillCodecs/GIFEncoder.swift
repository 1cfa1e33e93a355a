public import Foundation
public import GraphicsCore
internal import CImageCodecs

/// Writes GIF files, of one picture or of many that follow each other.
///
/// Stateless and thread-safe; runs on the caller's thread.
public enum GIFEncoder {
  /// One picture of a file.
  public struct Picture {
    /// What is shown.
    public let image: CGImage
    /// For how long, in seconds; the file has hundredths.
    public let seconds: Double

    /// A picture that is shown for so long.
    public init(_ image: CGImage, seconds: Double) {
      self.image = image
      self.seconds = seconds
    }
  }

  /// The file of `pictures`, in sRGB: each has 255 colours of its own, and shows nothing where its alpha is below one half.
  ///
  /// - Parameters:
  ///   - pictures: At least one, all as large as the first.
  ///   - loops: How often they are shown after the first time: 0 is for ever, `nil` is never.
  /// - Throws: ``StillCodecError``: `codecFailed` without pictures, for pictures of several sizes or of sides above 65 535, and for want of
  ///   memory.
  public static func encode(_ pictures: [Picture], loops: Int?) throws -> Data {
    let failure = "The GIF file cannot be written"
    guard let first = pictures.first?.image else {
      throw StillCodecError(.codecFailed, "\(failure): it has no picture.")
    }
    let (width, height) = (first.width, first.height)
    guard width <= 65_535, height <= 65_535 else {
      throw StillCodecError(
        .codecFailed,
        "\(failure): it holds pictures of up to 65535 pixels, and one has \(width) by \(height).")
    }
    if let other = pictures.first(where: { $0.image.width != width || $0.image.height != height })?.image {
      throw StillCodecError(
        .codecFailed,
        "\(failure): its pictures are of one size, and here are \(width) by \(height) and \(other.width) by \(other.height)."
      )
    }
    return try codecOutput(failure) { out, size, message in
      let count = loops.map { Int32(clamping: min(max($0, 0), 65_535)) } ?? -1
      guard let gif = cam_gif_begin(Int32(width), Int32(height), count, message) else { return -1 }
      let pixels = UnsafeMutableRawPointer.allocate(byteCount: width * height * 4, alignment: 16)
      defer { pixels.deallocate() }
      for picture in pictures {
        picture.image.copyPixels8(into: pixels, bytesPerRow: 4 * width, order: .rgba, alpha: .straight)
        let hundredths = Int32(clamping: Int((max(0, min(picture.seconds, 655)) * 100).rounded()))
        let status = cam_gif_add(
          gif, pixels.assumingMemoryBound(to: UInt8.self), 4 * width, hundredths, message)
        guard status == 0 else {
          cam_gif_end(gif, nil, nil, message)
          return status
        }
      }
      return cam_gif_end(gif, out, size, message)
    }
  }
}
