public import CoreVideo
public import Foundation
public import FoundationExtras

/// A four-character code for how pictures are coded.
public typealias CMVideoCodecType = FourCharCode
/// A four-character code for how pixels lie in memory.
public typealias CMPixelFormatType = FourCharCode

/// Width and height of coded pictures in pixels.
///
/// Apple: `CMVideoDimensions`.
public struct CMVideoDimensions: Sendable, Hashable, BitwiseCopyable {
  /// Pixels in a row.
  public var width: Int32
  /// Rows.
  public var height: Int32

  /// 0 by 0.
  public init() {
    width = 0
    height = 0
  }

  /// A size in pixels.
  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }
}

/// Describes video, compressed or not.
///
/// - Parameters:
///   - codecType: A `kCMVideoCodecType_…`, or a pixel format.
///   - extensions: What else is known, by `kCMFormatDescriptionExtension_…`.
@discardableResult
public func CMVideoFormatDescriptionCreate(
  allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32,
  extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = CMFormatDescription(
    kCMMediaType_Video, codecType, extensions: extensions,
    specifics: .picture(CMVideoDimensions(width: width, height: height)))
  return noErr
}

/// Describes uncompressed video like `imageBuffer`: its pixel format, its size, and the attachments that name colours.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  var extensions = sharedAttachments(imageBuffer)
  if !CVPixelBufferIsPlanar(imageBuffer) {
    extensions[kCMFormatDescriptionExtension_BytesPerRow] = CVPixelBufferGetBytesPerRow(imageBuffer)
  }
  formatDescriptionOut.pointee = CMFormatDescription(
    kCMMediaType_Video, CVPixelBufferGetPixelFormatType(imageBuffer), extensions: extensions,
    specifics: .picture(dimensions(imageBuffer)))
  return noErr
}

/// Gives the size of the coded pictures; 0 by 0 when they are not pictures.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions
{
  if case .picture(let dimensions) = videoDesc.specifics { return dimensions }
  return CMVideoDimensions()
}

/// Gives the size in which pictures are meant to be shown.
///
/// - Parameters:
///   - usePixelAspectRatio: Widen by the shape of the pixels.
///   - useCleanAperture: Take the clean aperture instead of the whole picture.
public func CMVideoFormatDescriptionGetPresentationDimensions(
  _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
  let coded = CMVideoFormatDescriptionGetDimensions(videoDesc)
  var size = CGSize(width: CGFloat(coded.width), height: CGFloat(coded.height))
  if useCleanAperture {
    size = CMVideoFormatDescriptionGetCleanAperture(videoDesc, originIsAtTopLeft: true).size
  }
  let ratio = videoDesc.extensionValues[kCMFormatDescriptionExtension_PixelAspectRatio] as? [String: Any]
  if usePixelAspectRatio, let ratio,
    let horizontal = LooseNumber.double(ratio[kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing]),
    let vertical = LooseNumber.double(ratio[kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing]),
    horizontal > 0, vertical > 0
  {
    size.width = size.width * horizontal / vertical
  }
  return size
}

/// Gives the part of the picture that is meant to be seen; all of it when nothing is said.
///
/// - Parameter originIsAtTopLeft: Whether y counts downwards from the top, or upwards from the bottom.
public func CMVideoFormatDescriptionGetCleanAperture(
  _ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool
) -> CGRect {
  let coded = CMVideoFormatDescriptionGetDimensions(videoDesc)
  let whole = CGSize(width: CGFloat(coded.width), height: CGFloat(coded.height))
  let aperture = videoDesc.extensionValues[kCMFormatDescriptionExtension_CleanAperture] as? [String: Any]
  guard let aperture,
    let width = apertureValue(aperture, kCMFormatDescriptionKey_CleanApertureWidth),
    let height = apertureValue(aperture, kCMFormatDescriptionKey_CleanApertureHeight)
  else { return CGRect(origin: .zero, size: whole) }
  // Offsets say how far the centre of the aperture is from the centre of the picture, y downwards.
  let horizontal = apertureValue(aperture, kCMFormatDescriptionKey_CleanApertureHorizontalOffset) ?? 0
  let vertical = apertureValue(aperture, kCMFormatDescriptionKey_CleanApertureVerticalOffset) ?? 0
  let downwards = originIsAtTopLeft ? vertical : -vertical
  return CGRect(
    x: (whole.width - width) / 2 + horizontal, y: (whole.height - height) / 2 + downwards, width: width,
    height: height)
}

/// Gives the names of the extensions that image buffers carry as attachments under the same names; each is a `String`.
public func CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() -> CFArray {
  keysCommonWithImageBuffers.sorted()
}

/// Whether `imageBuffer` is what the description says: pixel format, size, stride, and the attachments that name colours.
///
/// Cheap enough to ask for every frame.
public func CMVideoFormatDescriptionMatchesImageBuffer(
  _ videoDesc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
  guard videoDesc.mediaSubTypeCode == CVPixelBufferGetPixelFormatType(imageBuffer),
    CMVideoFormatDescriptionGetDimensions(videoDesc) == dimensions(imageBuffer)
  else { return false }
  if let stride = videoDesc.bytesPerRow, stride != CVPixelBufferGetBytesPerRow(imageBuffer) { return false }
  let attached = sharedAttachments(imageBuffer)
  return attached.count == videoDesc.imageExtensions.count
    && attached.allSatisfy { entry in
      videoDesc.imageExtensions[entry.key].map { propertyListsAreEqual($0, entry.value) } ?? false
    }
}

private func dimensions(_ imageBuffer: CVImageBuffer) -> CMVideoDimensions {
  CMVideoDimensions(
    width: Int32(clamping: CVPixelBufferGetWidth(imageBuffer)),
    height: Int32(clamping: CVPixelBufferGetHeight(imageBuffer)))
}

private func sharedAttachments(_ imageBuffer: CVImageBuffer) -> [String: Any] {
  guard let attachments = CVBufferCopyAttachments(imageBuffer, .shouldPropagate) else { return [:] }
  return attachments.filter { keysCommonWithImageBuffers.contains($0.key) }
}

private func apertureValue(_ aperture: [String: Any], _ key: String) -> Double? {
  if let value = LooseNumber.double(aperture[key]) { return value }
  guard let pair = aperture[key + "Rational"] as? [Any], pair.count == 2,
    let numerator = LooseNumber.double(pair[0]), let denominator = LooseNumber.double(pair[1]),
    denominator != 0
  else { return nil }
  return numerator / denominator
}

let keysCommonWithImageBuffers: Set<String> = [
  kCMFormatDescriptionExtension_CleanAperture, kCMFormatDescriptionExtension_FieldCount,
  kCMFormatDescriptionExtension_FieldDetail, kCMFormatDescriptionExtension_PixelAspectRatio,
  kCMFormatDescriptionExtension_ColorPrimaries, kCMFormatDescriptionExtension_TransferFunction,
  kCMFormatDescriptionExtension_GammaLevel, kCMFormatDescriptionExtension_YCbCrMatrix,
  kCMFormatDescriptionExtension_ICCProfile, kCMFormatDescriptionExtension_ChromaLocationTopField,
  kCMFormatDescriptionExtension_ChromaLocationBottomField,
  kCMFormatDescriptionExtension_MasteringDisplayColorVolume,
  kCMFormatDescriptionExtension_ContentLightLevelInfo, kCMFormatDescriptionExtension_AlphaChannelMode,
]
