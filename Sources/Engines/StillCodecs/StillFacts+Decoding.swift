package import CoreVideo
package import Foundation
internal import CImageCodecs
internal import GraphicsCore

extension StillFacts {
  /// The picture as RGBA, alpha premultiplied but for a HEIC, whose alpha is straight.
  ///
  /// Of a GIF its first picture. Laid as it is stored, in the colours of the file, which the buffer's attachments name: sRGB where the file's profile is more
  /// than a matrix and a curve, of CMYK, and of a DNG, which is developed as the camera saw it.
  ///
  /// - Parameters:
  ///   - data: The file that these facts are of.
  ///   - scale: How much smaller; a HEIC and a GIF are always decoded whole.
  ///   - grayFormat: Of a JPEG without colours.
  /// - Throws: ``StillCodecError``: `damaged`, `unsupported`, `tooLarge`.
  package func decode(
    _ data: Data, scale: StillScale = .full, grayFormat: OSType = kCVPixelFormatType_32RGBA
  ) throws -> CVPixelBuffer {
    let buffer: CVPixelBuffer
    switch format {
    case .jpeg:
      buffer = try JPEGDecoder.decode(
        data, to: colorComponents == 1 ? grayFormat : kCVPixelFormatType_32RGBA, scale: scale)
    case .heic: buffer = try HEICDecoder.decode(data, to: kCVPixelFormatType_32RGBA)
    case .png: buffer = try PNGDecoder.decode(data, scale: scale)
    case .dng: buffer = try DNGDecoder.develop(data, scale: scale)
    case .gif: buffer = try GIFComposer(data, gif ?? GIFFile(data)).picture(at: 0)
    }
    if colorComponents == 3, let plane = buffer.planes.first {
      let layout = format == .png && hasAlpha ? CAM_COLOR_RGBA_PREMULTIPLIED : CAM_COLOR_RGBA
      ProfileColors.convert(
        profile, layout, plane.baseAddress, bytesPerRow: plane.bytesPerRow, width: plane.width,
        height: plane.height)
    }
    // Gray that was made red, green and blue has a colour space of three numbers, too.
    let isGray = buffer.format == kCVPixelFormatType_OneComponent8
    let space =
      isGray || colorSpace.model == .rgb ? colorSpace : CGColorSpace(name: CGColorSpace.sRGB) ?? colorSpace
    CVBufferSetAttachment(buffer, kCVImageBufferCGColorSpaceKey, space, .shouldPropagate)
    return buffer
  }

  /// The scale of the fewest pixels whose longer edge is still `edge`; full for `nil`.
  package func scale(atLeast edge: Int?) -> StillScale {
    guard let edge else { return .full }
    return StillScale.allCases.last { scale in
      let size = scale.size(width: width, height: height)
      return max(size.width, size.height) >= edge
    } ?? .full
  }

  /// The finest scale of at most `pixels` pixels; an eighth when none is.
  package func scale(atMostPixels pixels: Int) -> StillScale {
    StillScale.allCases.first { scale in
      let size = scale.size(width: width, height: height)
      return size.width * size.height <= pixels
    } ?? .eighth
  }
}
