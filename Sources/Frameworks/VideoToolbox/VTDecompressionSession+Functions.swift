public import CoreMedia
internal import CoreVideo
public import FoundationExtras
internal import VideoCodecs

/// Makes a session that decodes pictures.
///
/// - Parameters:
///   - formatDescription: What the samples are.
///   - decoderSpecification: `kVTVideoDecoderSpecification_…`.
///   - imageBufferAttributes: Pixel format (one, or several of which the first serves) and size of the pictures.
///   - outputCallback: Gets the pictures; `nil` when each sample comes with a handler.
/// - Returns: ``kVTCouldNotFindVideoDecoderErr``, ``kVTVideoDecoderUnsupportedDataFormatErr``.
///
/// Apple: `VTDecompressionSessionCreate`.
@discardableResult
public func VTDecompressionSessionCreate(
  allocator: CFAllocator?, formatDescription videoFormatDescription: CMVideoFormatDescription,
  decoderSpecification videoDecoderSpecification: CFDictionary?,
  imageBufferAttributes destinationImageBufferAttributes: CFDictionary?,
  outputCallback: UnsafePointer<VTDecompressionOutputCallbackRecord>?,
  decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
) -> OSStatus {
  decompressionSessionOut.pointee = nil
  let needsHardware = LooseNumber.truth(
    videoDecoderSpecification?[kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder])
  guard needsHardware != true else { return kVTCouldNotFindVideoDecoderErr }
  guard CMFormatDescriptionGetMediaType(videoFormatDescription) == kCMMediaType_Video else {
    return kVTParameterErr
  }
  do throws(CodecError) {
    _ = try VideoDecoder(videoFormatDescription, threads: 1)
  } catch {
    return VTCompressionSession.status(error)
  }
  decompressionSessionOut.pointee = VTDecompressionSession(
    videoFormatDescription, attributes: destinationImageBufferAttributes ?? [:],
    callback: outputCallback?.pointee ?? VTDecompressionOutputCallbackRecord())
  return noErr
}

/// Decodes a sample for the session's callback.
///
/// - Parameters:
///   - frameRefcon: What the callback gets second.
/// - Returns: ``kVTParameterErr``, ``kVTInvalidSessionErr``; what happens later the callback gets.
///
/// Apple: `VTDecompressionSessionDecodeFrame`.
@discardableResult
public func VTDecompressionSessionDecodeFrame(
  _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer, flags decodeFlags: VTDecodeFrameFlags,
  frameRefcon sourceFrameRefCon: UnsafeMutableRawPointer?,
  infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?
) -> OSStatus {
  guard session.hasCallback else { return kVTParameterErr }
  infoFlagsOut?.pointee =
    decodeFlags.contains(._EnableAsynchronousDecompression) ? .asynchronous : []
  return session.take(
    VTDecompressionSession.Sample(
      sample: sampleBuffer, flags: decodeFlags, refcon: sourceFrameRefCon, handler: nil))
}

/// Decodes a sample for `outputHandler`, which is called on the session's queue.
///
/// For sessions without a callback.
///
/// Apple: `VTDecompressionSessionDecodeFrame`.
@discardableResult
public func VTDecompressionSessionDecodeFrame(
  _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer, flags decodeFlags: VTDecodeFrameFlags,
  infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?,
  outputHandler: @escaping VTDecompressionOutputHandler
) -> OSStatus {
  guard !session.hasCallback else { return kVTParameterErr }
  infoFlagsOut?.pointee =
    decodeFlags.contains(._EnableAsynchronousDecompression) ? .asynchronous : []
  return session.take(
    VTDecompressionSession.Sample(
      sample: sampleBuffer, flags: decodeFlags, refcon: nil, handler: outputHandler))
}

/// Brings out the pictures that the decoder holds back for their order.
///
/// The next sample must be a key frame. Apple: `VTDecompressionSessionFinishDelayedFrames`.
@discardableResult
public func VTDecompressionSessionFinishDelayedFrames(_ session: VTDecompressionSession) -> OSStatus {
  session.finishDelayed()
}

/// Waits until all samples are reported, and brings out what is held back for its order.
///
/// Apple: `VTDecompressionSessionWaitForAsynchronousFrames`.
@discardableResult
public func VTDecompressionSessionWaitForAsynchronousFrames(_ session: VTDecompressionSession) -> OSStatus {
  session.finishDelayed()
}

/// Whether samples of another format can be decoded by the session, from a key frame on: those of the same codec.
///
/// Apple: `VTDecompressionSessionCanAcceptFormatDescription`.
public func VTDecompressionSessionCanAcceptFormatDescription(
  _ session: VTDecompressionSession, formatDescription newFormatDesc: CMFormatDescription
) -> Bool {
  session.isValid
    && CMFormatDescriptionGetMediaSubType(newFormatDesc) == CMFormatDescriptionGetMediaSubType(session.format)
    && CMVideoFormatDescriptionGetDimensions(newFormatDesc)
      == CMVideoFormatDescriptionGetDimensions(session.format)
}

/// Ends a session: samples that are not decoded yet are not reported.
///
/// Apple: `VTDecompressionSessionInvalidate`.
public func VTDecompressionSessionInvalidate(_ session: VTDecompressionSession) {
  session.invalidate()
}
