package import CoreVideo
package import FoundationExtras
package import GraphicsCore
internal import Foundation
package import PixelTransforms

extension CGColorSpace {
  /// The colour space of `buffer`, by its attachments.
  ///
  /// Its colour space, else its ICC profile, else its primaries; sRGB when nothing is said. Camera pictures with
  /// BT.709's transfer function count as having sRGB's curve, as everywhere outside of television.
  package static func described(by buffer: CVPixelBuffer) -> CGColorSpace {
    if let space = CVBufferCopyAttachment(buffer, kCVImageBufferCGColorSpaceKey, nil) as? CGColorSpace {
      return space
    }
    if let profile = CVBufferCopyAttachment(buffer, kCVImageBufferICCProfileKey, nil) as? Data,
      let space = CGColorSpace(iccData: profile)
    {
      return space
    }
    let primaries = CVBufferCopyAttachment(buffer, kCVImageBufferColorPrimariesKey, nil) as? String
    let isLinear =
      CVBufferCopyAttachment(buffer, kCVImageBufferTransferFunctionKey, nil) as? String
      == kCVImageBufferTransferFunction_Linear
    let name: String
    switch (primaries, isLinear) {
    case (kCVImageBufferColorPrimaries_P3_D65, false): name = CGColorSpace.displayP3
    case (kCVImageBufferColorPrimaries_P3_D65, true): name = CGColorSpace.linearDisplayP3
    case (kCVImageBufferColorPrimaries_ITU_R_2020, false): name = CGColorSpace.itur_2020
    case (kCVImageBufferColorPrimaries_ITU_R_2020, true): name = CGColorSpace.linearITUR_2020
    case (_, true): name = CGColorSpace.linearSRGB
    default: name = CGColorSpace.sRGB
    }
    return CGColorSpace(name: name) ?? CGColorSpaceCreateDeviceRGB()
  }

  /// The attachments that say of a buffer that its colours are of this space.
  package var bufferAttachments: CFDictionary {
    var attachments: CFDictionary = [kCVImageBufferCGColorSpaceKey: self]
    switch name {
    case CGColorSpace.displayP3:
      attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_P3_D65
      attachments[kCVImageBufferTransferFunctionKey] = kCVImageBufferTransferFunction_sRGB
    case CGColorSpace.itur_2020:
      attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_ITU_R_2020
      attachments[kCVImageBufferTransferFunctionKey] = kCVImageBufferTransferFunction_ITU_R_2020
    case CGColorSpace.sRGB, "kCGColorSpaceDeviceRGB":
      attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_ITU_R_709_2
      attachments[kCVImageBufferTransferFunctionKey] = kCVImageBufferTransferFunction_sRGB
    default:
      break
    }
    return attachments
  }
}

extension CGImage {
  /// The picture of a pixel buffer.
  ///
  /// BGRA, RGBA and one component of 8 bits share the buffer's memory, which may not be written any more; every other
  /// format is converted to BGRA. A BGRA buffer is taken as opaque unless `hasAlpha`, and then as premultiplied.
  ///
  /// - Throws: `PixelTransformError` for a format that cannot be converted.
  package static func make(of source: CVPixelBuffer, hasAlpha: Bool = false, utType: String? = nil) throws
    -> CGImage
  {
    var buffer = source
    let shared: Set<OSType> = [
      kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_OneComponent8,
    ]
    if !shared.contains(source.format) {
      buffer = try PixelTransformer(bufferLimit: 1).apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: source)
    }
    let plane = buffer.planes[0]
    let isGray = buffer.format == kCVPixelFormatType_OneComponent8
    let count = (plane.height - 1) * plane.bytesPerRow + plane.width * (isGray ? 1 : 4)
    let owner = buffer
    let data = Data(
      bytesNoCopy: plane.baseAddress, count: count,
      deallocator: .custom { _, _ in withExtendedLifetime(owner) {} })
    let image: CGImage?
    if isGray {
      image = CGDataProvider(data: data).flatMap {
        CGImage(
          width: buffer.width, height: buffer.height, bitsPerComponent: 8, bitsPerPixel: 8,
          bytesPerRow: plane.bytesPerRow, space: CGColorSpace(name: CGColorSpace.genericGrayGamma2_2),
          bitmapInfo: [],
          source: $0, offset: 0, decode: nil, shouldInterpolate: true, intent: .defaultIntent, utType: utType)
      }
    } else {
      image = CGImage(
        width: buffer.width, height: buffer.height, pixels: data, bytesPerRow: plane.bytesPerRow,
        order: buffer.format == kCVPixelFormatType_32BGRA ? .bgra : .rgba,
        alpha: hasAlpha ? .premultiplied : nil, space: .described(by: source), utType: utType)
    }
    guard let image else {
      throw StillCodecError(.unsuitable, "The pixel buffer cannot become an image: its rows are too short.")
    }
    return image
  }

  /// The image as a new pixel buffer in its own colour space, which the buffer's attachments name.
  ///
  /// - Parameters:
  ///   - format: BGRA or RGBA, alpha premultiplied, 255 where the image has none; or any format those convert to.
  ///   - matrix: Of a YCbCr format.
  package func makePixelBuffer(
    format: OSType = kCVPixelFormatType_32BGRA, matrix: YCbCrMatrix = .bt601
  ) throws -> CVPixelBuffer {
    let isPacked = format == kCVPixelFormatType_32BGRA || format == kCVPixelFormatType_32RGBA
    let packed = try CVPixelBuffer(
      format: isPacked ? format : kCVPixelFormatType_32BGRA, width: width, height: height)
    let plane = packed.planes[0]
    copyPixels8(
      into: plane.baseAddress, bytesPerRow: plane.bytesPerRow,
      order: format == kCVPixelFormatType_32RGBA ? .rgba : .bgra, alpha: .premultiplied)
    if let colorSpace, colorSpace.model == .rgb {
      CVBufferSetAttachments(packed, colorSpace.bufferAttachments, .shouldPropagate)
    }
    if isPacked { return packed }
    return try PixelTransformer(bufferLimit: 1).apply(
      FrameTransform(pixelFormat: format, matrix: matrix), to: packed)
  }
}
