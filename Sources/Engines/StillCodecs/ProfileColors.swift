internal import CImageCodecs
internal import CoreVideo
internal import Foundation
internal import GraphicsCore

/// Colours by profiles that are more than a matrix and a curve: they become sRGB, once, when the picture is decoded.
enum ProfileColors {
  /// Whether a profile of red, green and blue has to be converted by: it is whole, and no ``CGColorSpace``.
  private static func converts(_ profile: Data?) -> Data? {
    profile.flatMap { CGColorSpace(iccData: $0) == nil ? $0 : nil }
  }

  /// Converts rows of four numbers a pixel to sRGB; does nothing where there is no need, or the profile is broken.
  static func convert(
    _ profile: Data?, _ layout: cam_color_layout, _ base: UnsafeMutableRawPointer, bytesPerRow: Int,
    width: Int, height: Int
  ) {
    guard let profile = converts(profile) else { return }
    let color = profile.withUnsafeBytes {
      cam_color_open($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count, layout, 0)
    }
    guard let color else { return }
    defer { cam_color_close(color) }
    for y in 0..<height { cam_color_convert(color, base + y * bytesPerRow, base + y * bytesPerRow, width) }
  }
}
