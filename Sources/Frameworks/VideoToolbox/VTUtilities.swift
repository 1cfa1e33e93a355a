public import CoreMedia
public import CoreVideo
public import FoundationExtras
public import GraphicsCore
internal import StillCodecs

/// Makes an image of a pixel buffer, in its own colours; the pixels are copied.
///
/// - Parameter imageOut: Gets the image.
/// - Returns: ``kVTPixelTransferNotSupportedErr`` for pixel formats that no image can be made of.
///
/// Apple: `VTCreateCGImageFromCVPixelBuffer`.
@discardableResult
public func VTCreateCGImageFromCVPixelBuffer(
  _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
) -> OSStatus {
  do {
    imageOut.pointee = try CGImage.make(of: pixelBuffer)
    return noErr
  } catch {
    imageOut.pointee = nil
    return kVTPixelTransferNotSupportedErr
  }
}

/// Whether the hardware decodes a codec: it never does here, FFmpeg's decoders run on the processor.
///
/// Apple: `VTIsHardwareDecodeSupported`.
public func VTIsHardwareDecodeSupported(_ codecType: CMVideoCodecType) -> Bool { false }
