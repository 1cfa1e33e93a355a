internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras

/// Turns filled buffers of one layout into pictures, without touching a pixel.
struct FrameWrapping: Sendable {
  private let layout: VideoLayout
  private let encoding: FrameEncoding
  /// What every picture of the layout carries.
  private let colors: BufferAttachments

  /// For frames of `layout`; `nil` when nothing here reads them.
  init?(_ layout: VideoLayout) {
    guard let encoding = layout.encoding else { return nil }
    self.layout = layout
    self.encoding = encoding
    let hasChroma = layout.format == .yuyv || layout.format == .uyvy || layout.format == .nv12
    var attachments: CFDictionary = [
      kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_709_2,
      kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_709_2,
    ]
    if hasChroma {
      attachments[kCVImageBufferYCbCrMatrixKey] =
        switch layout.matrix {
        case .rec601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
        case .rec709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
        case .rec2020: kCVImageBufferYCbCrMatrix_ITU_R_2020
        }
    }
    colors = BufferAttachments(propagating: attachments)
  }

  /// Whether `used` bytes can hold a whole picture in `memory`, as far as that shows from outside.
  func isWhole(_ memory: UnsafeMutableRawBufferPointer, used: Int, _ check: inout MotionJPEGCheck) -> Bool {
    guard used > 0, used <= memory.count else { return false }
    switch encoding {
    case .pixels: return used >= layout.wholePictureBytes ?? 0
    case .motionJPEG: return check.accepts(UnsafeRawBufferPointer(memory).prefixed(used))
    }
  }

  /// The picture in `memory`; `release` runs when the last reference to it goes.
  ///
  /// `nil` for memory that is too small.
  func picture(
    _ memory: UnsafeMutableRawBufferPointer, used: Int, release: @escaping @Sendable () -> Void
  ) -> CapturedFrame.Picture? {
    guard let base = memory.baseAddress, used <= memory.count, layout.wholePictureBytes ?? 0 <= memory.count
    else {
      return nil
    }
    let (width, height, stride) = (layout.size.width, layout.size.height, layout.strideBytes)
    switch encoding {
    case .motionJPEG:
      let bytes = UnsafeMutableRawBufferPointer(start: base, count: used)
      return .jpeg(
        CMBlockBuffer(wrapping: bytes, release: release), FrameSize(width: width, height: height))
    case .pixels(let format):
      var planes = [PixelPlane(baseAddress: base, width: width, height: height, bytesPerRow: stride)]
      if layout.format == .nv12 {
        planes.append(
          PixelPlane(
            baseAddress: base + stride * height, width: (width + 1) / 2, height: (height + 1) / 2,
            bytesPerRow: stride))
      }
      return .pixels(
        CVPixelBuffer(
          wrapping: planes, format: format, width: width, height: height, dataSize: memory.count,
          attachments: colors, release: release))
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first `count` bytes.
  fileprivate func prefixed(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: prefix(count))
  }
}
