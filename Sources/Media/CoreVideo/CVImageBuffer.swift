public import Foundation
public import FoundationExtras

/// The size of the picture in memory, in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// The size to show the picture at, in square pixels.
///
/// What `kCVImageBufferDisplayDimensionsKey` says, else the clean aperture with its width stretched by the pixel aspect
/// ratio, else the size in memory.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
  let dimensions = imageBuffer.dictionary(kCVImageBufferDisplayDimensionsKey)
  if let width = LooseNumber.double(dimensions[kCVImageBufferDisplayWidthKey]),
    let height = LooseNumber.double(dimensions[kCVImageBufferDisplayHeightKey]), width > 0, height > 0
  {
    return CGSize(width: width, height: height)
  }
  var size = CVImageBufferGetCleanRect(imageBuffer).size
  let aspect = imageBuffer.dictionary(kCVImageBufferPixelAspectRatioKey)
  if let horizontal = LooseNumber.double(aspect[kCVImageBufferPixelAspectRatioHorizontalSpacingKey]),
    let vertical = LooseNumber.double(aspect[kCVImageBufferPixelAspectRatioVerticalSpacingKey]),
    horizontal > 0, vertical > 0
  {
    size.width = (size.width * horizontal / vertical).rounded()
  }
  return size
}

/// The part of the picture to show, in pixels from its upper left corner.
///
/// What `kCVImageBufferCleanApertureKey` says, else the whole picture. The offsets of a clean aperture go from middle to
/// middle.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
  let whole = CVImageBufferGetEncodedSize(imageBuffer)
  let aperture = imageBuffer.dictionary(kCVImageBufferCleanApertureKey)
  guard let width = LooseNumber.double(aperture[kCVImageBufferCleanApertureWidthKey]),
    let height = LooseNumber.double(aperture[kCVImageBufferCleanApertureHeightKey]), width > 0, height > 0
  else { return CGRect(origin: .zero, size: whole) }
  let right = LooseNumber.double(aperture[kCVImageBufferCleanApertureHorizontalOffsetKey]) ?? 0
  let down = LooseNumber.double(aperture[kCVImageBufferCleanApertureVerticalOffsetKey]) ?? 0
  return CGRect(
    x: (whole.width - width) / 2 + right, y: (whole.height - height) / 2 + down, width: width, height: height)
}

/// Whether the first row in memory is the upper one; true of every pixel buffer.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool {
  true
}

/// The type of image buffers, as ``CFGetTypeID(_:)`` returns it.
public func CVImageBufferGetTypeID() -> CFTypeID {
  CVPixelBufferGetTypeID()
}

extension CVBuffer {
  /// The dictionary attached under `key`, empty when there is none.
  fileprivate func dictionary(_ key: CFString) -> CFDictionary {
    attachment(key)?.value as? CFDictionary ?? [:]
  }
}
