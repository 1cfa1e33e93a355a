internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms

extension CVBuffer {
  /// How the renderer writes into the buffer itself; `nil` when it has to be converted to.
  var bytesLayout: BitmapSink.Layout? {
    switch CVPixelBufferGetPixelFormatType(self) {
    case kCVPixelFormatType_32BGRA: CIFormat.BGRA8.layout
    case kCVPixelFormatType_32RGBA: CIFormat.RGBA8.layout
    case kCVPixelFormatType_32ARGB: CIFormat.ARGB8.layout
    default: nil
    }
  }

  /// The first plane as data that keeps the buffer alive; for buffers that are not written any more.
  func wrappedAsData() -> Data {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    guard let base = CVPixelBufferGetBaseAddress(self) else {
      CVPixelBufferUnlockBaseAddress(self, .readOnly)
      return Data()
    }
    let count = CVPixelBufferGetBytesPerRow(self) * CVPixelBufferGetHeight(self)
    return Data(
      bytesNoCopy: base, count: count,
      deallocator: .custom { _, _ in CVPixelBufferUnlockBaseAddress(self, .readOnly) })
  }
}

extension PixelTransformer {
  /// The picture of `source` in a buffer of its own, even when the transform changes nothing.
  func apply(_ transform: FrameTransform, copying source: CVPixelBuffer) throws -> CVPixelBuffer {
    let format = transform.pixelFormat ?? CVPixelBufferGetPixelFormatType(source)
    let size = transform.outputSize(
      for: PixelSize(width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source)))
    let target = try makeBuffer(size: size, pixelFormat: format)
    CVBufferPropagateAttachments(source, target)
    try apply(transform, to: source, into: target)
    return target
  }
}

extension CIFormat {
  /// The pixel buffer format with the same bytes; `nil` when there is none.
  var pixelFormat: OSType? {
    switch self {
    case .ARGB8: kCVPixelFormatType_32ARGB
    case .BGRA8: kCVPixelFormatType_32BGRA
    case .RGBA8: kCVPixelFormatType_32RGBA
    default: nil
    }
  }
}

extension CGBitmapInfo {
  /// The same layout with colours that are not multiplied by alpha.
  var withStraightAlpha: CGBitmapInfo {
    let rest = CGBitmapInfo(rawValue: rawValue & ~CGBitmapInfo.alphaInfoMask.rawValue)
    let alpha: CGImageAlphaInfo
    switch CGImageAlphaInfo(rawValue: rawValue & CGBitmapInfo.alphaInfoMask.rawValue) {
    case .premultipliedLast: alpha = .last
    case .premultipliedFirst: alpha = .first
    case let other: alpha = other ?? .none
    }
    return rest.union(CGBitmapInfo(rawValue: alpha.rawValue))
  }

  /// The same layout with alpha left unread.
  var withoutAlpha: CGBitmapInfo {
    let rest = CGBitmapInfo(rawValue: rawValue & ~CGBitmapInfo.alphaInfoMask.rawValue)
    let alpha: CGImageAlphaInfo
    switch CGImageAlphaInfo(rawValue: rawValue & CGBitmapInfo.alphaInfoMask.rawValue) {
    case .premultipliedLast, .last: alpha = .noneSkipLast
    case .premultipliedFirst, .first: alpha = .noneSkipFirst
    case let other: alpha = other ?? .none
    }
    return rest.union(CGBitmapInfo(rawValue: alpha.rawValue))
  }
}

extension ExactPicture {
  /// Whether alpha that the picture has is not lost in `target`'s format.
  func keepsAlpha(in target: CVPixelBuffer) -> Bool {
    picture.isOpaque || !target.hasNoAlpha
  }
}

extension Recipe {
  /// Whether `buffer` is among what the recipe starts from.
  func reads(_ buffer: CVPixelBuffer) -> Bool {
    switch step {
    case .nothing, .color: false
    case .picture(let picture):
      if case .buffer(let own) = picture.content { own === buffer } else { false }
    case .crop(let inner, _), .transform(let inner, _, _), .clamp(let inner, _), .alpha(let inner, _):
      inner.reads(buffer)
    case .over(let top, let bottom): top.reads(buffer) || bottom.reads(buffer)
    case .work(let work): work.sources.contains { $0.reads(buffer) }
    }
  }

  /// The same recipe, starting from `copy` where it starts from `buffer`.
  func replacing(_ buffer: CVPixelBuffer, by copy: CVPixelBuffer) -> Recipe {
    guard reads(buffer) else { return self }
    guard case .picture(let picture) = step else { return mapSources { $0.replacing(buffer, by: copy) } }
    return .picture(
      Picture(.buffer(copy), size: picture.size, colorSpace: picture.colorSpace, isOpaque: picture.isOpaque))
  }
}
