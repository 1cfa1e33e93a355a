public import CoreMedia
public import CoreVideo
public import FoundationExtras
internal import PixelTransforms
internal import VideoCodecs

/// Makes a session that codes pictures.
///
/// - Parameters:
///   - width: Of the coded pictures; those of another size are scaled.
///   - encoderSpecification: `kVTVideoEncoderSpecification_…`.
///   - imageBufferAttributes: What the session's pool makes.
///   - outputCallback: Gets the samples; `nil` when each frame comes with a handler.
///   - refcon: What the callback gets first.
/// - Returns: ``kVTParameterErr``, ``kVTCouldNotFindVideoEncoderErr``.
///
/// Apple: `VTCompressionSessionCreate`.
@discardableResult
public func VTCompressionSessionCreate(
  allocator: CFAllocator?, width: Int32, height: Int32, codecType: CMVideoCodecType,
  encoderSpecification: CFDictionary?, imageBufferAttributes sourceImageBufferAttributes: CFDictionary?,
  compressedDataAllocator: CFAllocator?, outputCallback: VTCompressionOutputCallback?,
  refcon outputCallbackRefCon: UnsafeMutableRawPointer?,
  compressionSessionOut: UnsafeMutablePointer<VTCompressionSession?>
) -> OSStatus {
  compressionSessionOut.pointee = nil
  guard (1...16384).contains(width), (1...16384).contains(height) else { return kVTParameterErr }
  guard let codec = VideoEncoderSettings.Codec(rawValue: FourCharacterCode(rawValue: codecType).description)
  else { return kVTCouldNotFindVideoEncoderErr }
  let session = VTCompressionSession(
    codec: codec, size: PixelSize(width: Int(width), height: Int(height)),
    specification: encoderSpecification ?? [:], attributes: sourceImageBufferAttributes,
    callback: outputCallback, refcon: outputCallbackRefCon)
  let specification = encoderSpecification ?? [:]
  if LooseNumber.truth(specification[kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder])
    == true
    || specification[kVTVideoEncoderSpecification_EncoderID] != nil
  {
    let status = session.probe()
    guard status == noErr else { return status }
  }
  compressionSessionOut.pointee = session
  return noErr
}

/// Opens the encoder once, so that wrong settings show before the first frame.
///
/// - Returns: ``kVTCouldNotFindVideoEncoderErr``, ``kVTInvalidSessionErr``.
///
/// Apple: `VTCompressionSessionPrepareToEncodeFrames`.
@discardableResult
public func VTCompressionSessionPrepareToEncodeFrames(_ session: VTCompressionSession) -> OSStatus {
  session.isValid ? session.probe() : kVTInvalidSessionErr
}

/// A pool of pixel buffers that reach the encoder without a copy; `nil` after invalidation.
///
/// Apple: `VTCompressionSessionGetPixelBufferPool`.
public func VTCompressionSessionGetPixelBufferPool(_ session: VTCompressionSession) -> CVPixelBufferPool? {
  session.isValid ? session.pool : nil
}

/// Takes a frame, which must not change until it is reported to the session's callback.
///
/// Blocks while eight frames wait, unless a callback of the session calls it.
///
/// - Parameters:
///   - presentationTimeStamp: Later than the frame before it.
///   - duration: Invalid when it is not known.
///   - frameProperties: `kVTEncodeFrameOptionKey_…`.
///   - sourceFrameRefcon: What the callback gets second.
/// - Returns: ``kVTParameterErr``, ``kVTInvalidSessionErr``; what happens later the callback gets.
///
/// Apple: `VTCompressionSessionEncodeFrame`.
@discardableResult
public func VTCompressionSessionEncodeFrame(
  _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime,
  duration: CMTime, frameProperties: CFDictionary?, sourceFrameRefcon: UnsafeMutableRawPointer?,
  infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?
) -> OSStatus {
  guard presentationTimeStamp.isNumeric, session.hasCallback else { return kVTParameterErr }
  infoFlagsOut?.pointee = .asynchronous
  return session.take(
    VTCompressionSession.Frame(
      picture: imageBuffer, time: presentationTimeStamp, duration: duration,
      isKey: LooseNumber.truth(frameProperties?[kVTEncodeFrameOptionKey_ForceKeyFrame]) == true,
      refcon: sourceFrameRefcon, handler: nil))
}

/// Takes a frame, which must not change until it is reported to `outputHandler`, on the session's queue.
///
/// As the function with a reference. For sessions without a callback.
///
/// Apple: `VTCompressionSessionEncodeFrame`.
@discardableResult
public func VTCompressionSessionEncodeFrame(
  _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime,
  duration: CMTime, frameProperties: CFDictionary?,
  infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?,
  outputHandler: @escaping VTCompressionOutputHandler
) -> OSStatus {
  guard presentationTimeStamp.isNumeric, !session.hasCallback else { return kVTParameterErr }
  infoFlagsOut?.pointee = .asynchronous
  return session.take(
    VTCompressionSession.Frame(
      picture: imageBuffer, time: presentationTimeStamp, duration: duration,
      isKey: LooseNumber.truth(frameProperties?[kVTEncodeFrameOptionKey_ForceKeyFrame]) == true, refcon: nil,
      handler: outputHandler))
}

/// Waits until all frames up to a time are reported; all frames when it is not numeric.
///
/// Frames that the encoder held back are brought out; the frame after them is a key frame then.
///
/// Apple: `VTCompressionSessionCompleteFrames`.
@discardableResult
public func VTCompressionSessionCompleteFrames(
  _ session: VTCompressionSession, untilPresentationTimeStamp completeUntilPresentationTimeStamp: CMTime
) -> OSStatus {
  session.complete(until: completeUntilPresentationTimeStamp)
}

/// Ends a session: frames that are not coded yet are not reported.
///
/// Apple: `VTCompressionSessionInvalidate`.
public func VTCompressionSessionInvalidate(_ session: VTCompressionSession) {
  session.invalidate()
}
