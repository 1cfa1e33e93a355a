public import CoreVideo
public import FoundationExtras

/// Makes a sample buffer on data that may come later.
///
/// - Parameters:
///   - dataBuffer: The data; `nil` when it comes later, or never.
///   - dataReady: Whether the data is there already.
///   - makeDataReadyCallback: Called when the data is needed before it is ready.
///   - makeDataReadyRefcon: Handed to the callback.
///   - formatDescription: What the samples are.
///   - numSamples: How many there are.
///   - numSampleTimingEntries: 0, 1 (samples of one duration that follow each other) or one for each sample.
///   - numSampleSizeEntries: 0, 1 (samples of one size) or one for each sample.
@discardableResult
public func CMSampleBufferCreate(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?,
  refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription?, sampleCount numSamples: CMItemCount,
  sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleSizeEntryCount numSampleSizeEntries: CMItemCount, sampleSizeArray: UnsafePointer<Int>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  SampleEntries(numSamples, numSampleTimingEntries, sampleTimingArray, numSampleSizeEntries, sampleSizeArray)
    .make(
      dataBuffer, dataReady, handler(makeDataReadyCallback, makeDataReadyRefcon), formatDescription,
      sampleBufferOut)
}

/// Makes a sample buffer on data that may come later, with a closure that makes it come.
///
/// The entries are those of `CMSampleBufferCreate`.
@discardableResult
public func CMSampleBufferCreateWithMakeDataReadyHandler(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  formatDescription: CMFormatDescription?,
  sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleSizeEntryCount numSampleSizeEntries: CMItemCount, sampleSizeArray: UnsafePointer<Int>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
  makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
) -> OSStatus {
  SampleEntries(numSamples, numSampleTimingEntries, sampleTimingArray, numSampleSizeEntries, sampleSizeArray)
    .make(
      dataBuffer, dataReady, makeDataReadyHandler, formatDescription, sampleBufferOut)
}

/// Makes a sample buffer on data that is there.
///
/// The entries are those of `CMSampleBufferCreate`.
@discardableResult
public func CMSampleBufferCreateReady(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
  sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleSizeEntryCount numSampleSizeEntries: CMItemCount, sampleSizeArray: UnsafePointer<Int>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  SampleEntries(numSamples, numSampleTimingEntries, sampleTimingArray, numSampleSizeEntries, sampleSizeArray)
    .make(
      dataBuffer, true, nil, formatDescription, sampleBufferOut)
}

/// Makes a sample buffer on a picture whose pixels may come later.
///
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` when the format does not describe the picture.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?,
  refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  make(
    imageBuffer, dataReady, handler(makeDataReadyCallback, makeDataReadyRefcon), formatDescription,
    sampleTiming.pointee, sampleBufferOut)
}

/// Makes a sample buffer on a picture whose pixels may come later, with a closure that makes them come.
///
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` when the format does not describe the picture.
@discardableResult
public func CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
  makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
) -> OSStatus {
  make(
    imageBuffer, dataReady, makeDataReadyHandler, formatDescription, sampleTiming.pointee, sampleBufferOut)
}

/// Makes a sample buffer on a picture.
///
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` when the format does not describe the picture.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
  sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  make(imageBuffer, true, nil, formatDescription, sampleTiming.pointee, sampleBufferOut)
}

/// Makes a second sample buffer on the same data, with copies of the attachments.
@discardableResult
public func CMSampleBufferCreateCopy(
  allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  sampleBufferOut.pointee = sbuf.copy(timings: sbuf.timings)
  return noErr
}

/// Makes a second sample buffer on the same data at other times, with copies of the attachments.
///
/// - Parameter numSampleTimingEntries: 0, 1 or one for each sample. The output time is not copied.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
  allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer,
  sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  guard originalSBuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard isEntryCount(numSampleTimingEntries, originalSBuf.sampleCount) else {
    return kCMSampleBufferError_InvalidEntryCount
  }
  guard numSampleTimingEntries == 0 || sampleTimingArray != nil else {
    return kCMSampleBufferError_RequiredParameterMissing
  }
  let timings = Array(UnsafeBufferPointer(start: sampleTimingArray, count: numSampleTimingEntries))
  let copy = originalSBuf.copy(timings: SampleTimings(timings))
  copy.withState { $0.outputPresentationTimeStamp = .invalid }
  sampleBufferOut.pointee = copy
  return noErr
}

/// Makes a sample buffer on some of another's samples, sharing the data.
///
/// - Parameter sampleRange: Which samples.
/// - Returns: ``kCMSampleBufferError_CannotSubdivide`` when every channel of the audio lies apart,
///   ``kCMSampleBufferError_BufferHasNoSampleSizes`` when the samples' sizes are missing.
@discardableResult
public func CMSampleBufferCopySampleBufferForRange(
  allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleRange: CFRange,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard sampleRange.location >= 0, sampleRange.length > 0,
    sampleRange.length <= sbuf.sampleCount - sampleRange.location
  else { return kCMSampleBufferError_SampleIndexOutOfRange }
  switch sbuf.part(sampleRange.location..<sampleRange.location + sampleRange.length) {
  case .success(let part):
    sampleBufferOut.pointee = part
    return noErr
  case .failure(let failure):
    return failure.status
  }
}

func handler(_ callback: CMSampleBufferMakeDataReadyCallback?, _ refcon: UnsafeMutableRawPointer?)
  -> CMSampleBufferMakeDataReadyHandler?
{
  callback.map { callback in { callback($0, refcon) } }
}

func isEntryCount(_ count: Int, _ samples: Int) -> Bool {
  count == 0 || count == 1 || count == samples
}

/// The counts and arrays of the C-style calls.
private struct SampleEntries {
  let count: Int
  let timings: UnsafeBufferPointer<CMSampleTimingInfo>
  let sizes: UnsafeBufferPointer<Int>
  let status: OSStatus

  init(
    _ count: Int, _ timingCount: Int, _ timings: UnsafePointer<CMSampleTimingInfo>?, _ sizeCount: Int,
    _ sizes: UnsafePointer<Int>?
  ) {
    self.count = count
    self.timings = UnsafeBufferPointer(start: timings, count: timings == nil ? 0 : max(0, timingCount))
    self.sizes = UnsafeBufferPointer(start: sizes, count: sizes == nil ? 0 : max(0, sizeCount))
    if count < 0 || !isEntryCount(timingCount, count) || !isEntryCount(sizeCount, count) {
      status = kCMSampleBufferError_InvalidEntryCount
    } else if self.timings.count != timingCount || self.sizes.count != sizeCount {
      status = kCMSampleBufferError_RequiredParameterMissing
    } else {
      status = noErr
    }
  }

  func make(
    _ data: CMBlockBuffer?, _ isReady: Bool, _ makeReady: CMSampleBufferMakeDataReadyHandler?,
    _ format: CMFormatDescription?, _ sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
  ) -> OSStatus {
    sampleBufferOut.pointee = nil
    guard status == noErr else { return status }
    sampleBufferOut.pointee = CMSampleBuffer(
      data: data, image: nil, format: format, sampleCount: count, timings: SampleTimings(Array(timings)),
      sizes: SampleSizes(Array(sizes)), readiness: isReady ? .ready : .notReady, makeReady: makeReady)
    return noErr
  }
}

private func make(
  _ image: CVImageBuffer, _ isReady: Bool, _ makeReady: CMSampleBufferMakeDataReadyHandler?,
  _ format: CMVideoFormatDescription, _ timing: CMSampleTimingInfo,
  _ sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  guard CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: image) else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  sampleBufferOut.pointee = CMSampleBuffer(
    data: nil, image: image, format: format, sampleCount: 1, timings: .one(timing), sizes: .none,
    readiness: isReady ? .ready : .notReady, makeReady: makeReady)
  return noErr
}
