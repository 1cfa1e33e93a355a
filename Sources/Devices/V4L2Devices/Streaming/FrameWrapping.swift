internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import StreamParts

/// Turns filled buffers of one layout into pictures, without copying a pixel.
struct FrameWrapping: Sendable {
  private let layout: VideoLayout
  private let encoding: FrameEncoding
  private let touchUp: FrameTouchUp?
  /// The attachments of every picture of the layout.
  private let colors: BufferAttachments

  /// For frames of `layout`; `nil` when nothing here reads them.
  init?(_ layout: VideoLayout) {
    guard let encoding = layout.encoding else { return nil }
    self.layout = layout
    self.encoding = encoding
    touchUp = FrameTouchUp(layout)
    let hasChroma = [.yuyv, .uyvy, .nv12, .nv21, .yuv420, .yvu420].contains(layout.format)
    let matrix: PictureMatrix =
      switch layout.matrix {
      case .rec601: .rec601
      case .rec709: .rec709
      case .rec2020: .rec2020
      }
    colors = .colors(hasChroma ? matrix : nil)
  }

  /// For depth maps; `nil` when `layout` is not Z16.
  init?(depth layout: VideoLayout) {
    guard layout.format == .z16 else { return nil }
    self.layout = layout
    encoding = .pixels(kCVPixelFormatType_OneComponent16)
    touchUp = nil
    colors = BufferAttachments(propagating: [:])
  }

  /// Whether `used` bytes can hold a whole picture in `memory`, as far as that shows from outside.
  func isWhole(_ memory: UnsafeMutableRawBufferPointer, used: Int, _ check: inout MotionJPEGCheck) -> Bool {
    guard used > 0, used <= memory.count else { return false }
    switch encoding {
    case .pixels, .mosaic: return used >= layout.wholePictureBytes ?? 0
    case .motionJPEG: return check.accepts(UnsafeRawBufferPointer(memory).prefixed(used))
    // `CodedFrames` finds out.
    case .h264, .hevc: return true
    }
  }

  /// The syntax of the access units that buffers hold, for ``AccessUnits`` to read; `nil` where they hold none.
  var codedSyntax: CodedSyntax? {
    switch encoding {
    case .h264: .h264
    case .hevc: .hevc
    case .pixels, .motionJPEG, .mosaic: nil
    }
  }

  /// The size of the pictures where they are JPEG files; `nil` where they are pixels.
  var jpegSize: FrameSize? {
    if case .motionJPEG = encoding {
      FrameSize(width: layout.size.width, height: layout.size.height)
    } else {
      nil
    }
  }

  /// The mosaic that some bytes hold; `nil` where frames are none.
  ///
  /// The kernel says nothing of a sensor's levels and colours: black is 0.
  func mosaic(_ bytes: CMBlockBuffer) -> SensorMosaic? {
    guard case .mosaic(let own) = encoding else { return nil }
    return SensorMosaic(
      data: bytes, size: FrameSize(width: layout.size.width, height: layout.size.height),
      bytesPerRow: layout.strideBytes, layout: own)
  }

  /// Whether buffers hold the numbers of a bare sensor.
  var isMosaic: Bool {
    if case .mosaic = encoding { true } else { false }
  }

  /// Makes a picture that the driver has just written what its format's name says; once for each filling.
  func touchUp(_ memory: UnsafeMutableRawBufferPointer) {
    if let touchUp, let base = memory.baseAddress { touchUp.apply(to: base, layout) }
  }

  /// The picture memory for a buffer's memory; `nil` for memory that is too small, and for compressed formats.
  func pictureMemory(_ memory: UnsafeMutableRawBufferPointer) -> PictureMemory? {
    guard case .pixels(let format) = encoding, let base = memory.baseAddress,
      layout.wholePictureBytes ?? 0 <= memory.count
    else { return nil }
    let (width, height, stride) = (layout.size.width, layout.size.height, layout.strideBytes)
    var planes = [PixelPlane(baseAddress: base, width: width, height: height, bytesPerRow: stride)]
    func addChroma(at offset: Int, stride: Int) {
      planes.append(
        PixelPlane(
          baseAddress: base + offset, width: (width + 1) / 2, height: layout.chromaRows, bytesPerRow: stride))
    }
    switch layout.format {
    case .nv12, .nv21:
      addChroma(at: stride * height, stride: stride)
    case .yuv420, .yvu420:
      let first = stride * height
      let second = first + stride / 2 * layout.chromaRows
      // Core Video's third plane is the red difference, wherever it lies.
      addChroma(at: layout.format == .yuv420 ? first : second, stride: stride / 2)
      addChroma(at: layout.format == .yuv420 ? second : first, stride: stride / 2)
    default:
      break
    }
    return PictureMemory(
      planes: planes, format: format, width: width, height: height, dataSize: memory.count,
      attachments: colors)
  }
}

extension UnsafeRawBufferPointer {
  /// The first `count` bytes.
  fileprivate func prefixed(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: prefix(count))
  }
}
