public import CoreVideo
public import FoundationExtras

/// Whether a sample buffer was not invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool {
  sbuf.isValid
}

/// Gives the data; `nil` for a picture, when it has not come, or after invalidating.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
  let (isValid, data, original) = sbuf.readState { ($0.isValid, $0.data, $0.original) }
  guard isValid else { return nil }
  return data ?? original?.dataBuffer
}

/// Gives the picture; `nil` for data, for a dropped frame, or after invalidating.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? {
  guard let image = sbuf.image else { return nil }
  return sbuf.isValid ? image : nil
}

/// Gives what the samples are.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.format
}

/// Gives how many samples there are.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount {
  sbuf.sampleCount
}

/// Gives how long all samples last; invalid when unknown.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.timings.duration(of: sbuf.sampleCount)
}

/// Gives when the earliest sample is shown, or was taken; for camera frames on the host time clock.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.timings.presentationTimeStamp
}

/// Gives when the first sample must be decoded; invalid where that is the order of showing.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.timings.decodeTimeStamp
}

/// Gives the times of the samples as they were handed in: none, one, or one for each.
///
/// - Parameters:
///   - numSampleTimingEntries: How many have room in `timingArrayOut`.
///   - timingArrayEntriesNeededOut: Gets how many there are.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall``, ``kCMSampleBufferError_BufferHasNoSampleTimingInfo``.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
  _ sbuf: CMSampleBuffer, entryCount numSampleTimingEntries: CMItemCount,
  arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
  entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  fill(
    timingArrayOut, numSampleTimingEntries, from: sbuf.timings.entries, timingArrayEntriesNeededOut,
    none: kCMSampleBufferError_BufferHasNoSampleTimingInfo)
}

/// Gives the times of one sample.
///
/// - Returns: ``kCMSampleBufferError_SampleIndexOutOfRange``, ``kCMSampleBufferError_BufferHasNoSampleTimingInfo``.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
  if case .none = sbuf.timings { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
  guard sampleIndex >= 0, sampleIndex < sbuf.sampleCount, let timing = sbuf.timings.timing(at: sampleIndex)
  else {
    return kCMSampleBufferError_SampleIndexOutOfRange
  }
  timingInfoOut.pointee = timing
  return noErr
}

/// Gives the bytes of the samples as they were handed in: none, one number, or one for each.
///
/// - Parameters:
///   - sizeArrayEntries: How many have room in `sizeArrayOut`.
///   - sizeArrayEntriesNeededOut: Gets how many there are.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall``, ``kCMSampleBufferError_BufferHasNoSampleSizes``.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
  _ sbuf: CMSampleBuffer, entryCount sizeArrayEntries: CMItemCount,
  arrayToFill sizeArrayOut: UnsafeMutablePointer<Int>?,
  entriesNeededOut sizeArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  fill(
    sizeArrayOut, sizeArrayEntries, from: sbuf.sizes.entries, sizeArrayEntriesNeededOut,
    none: kCMSampleBufferError_BufferHasNoSampleSizes)
}

/// Gives the bytes of one sample; 0 when there is no such sample or it is unknown.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
  guard sampleIndex >= 0, sampleIndex < sbuf.sampleCount else { return 0 }
  return sbuf.sizes.size(at: sampleIndex)
}

/// Gives the bytes of all samples; 0 when unknown.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  sbuf.sizes.total(of: sbuf.sampleCount)
}

func fill<Entry>(
  _ destination: UnsafeMutablePointer<Entry>?, _ room: Int, from entries: [Entry],
  _ needed: UnsafeMutablePointer<CMItemCount>?, none: OSStatus
) -> OSStatus {
  needed?.pointee = entries.count
  guard !entries.isEmpty else { return none }
  guard let destination else { return needed == nil ? kCMSampleBufferError_RequiredParameterMissing : noErr }
  guard room >= entries.count else { return kCMSampleBufferError_ArrayTooSmall }
  for (index, entry) in entries.enumerated() { destination[index] = entry }
  return noErr
}
