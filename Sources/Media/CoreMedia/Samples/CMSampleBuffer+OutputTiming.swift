public import FoundationExtras

/// Gives how long all samples last when they are played: trimmed at both ends and divided by the speed.
///
/// The attachments `TrimDurationAtStart`, `TrimDurationAtEnd` and `SpeedMultiplier` say so.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDuration
}

/// Gives when the trimmed samples begin to be played: what was set, or else the presentation time behind the trim.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputPresentationTimeStamp
}

/// Sets when the trimmed samples begin to be played; invalid goes back to what the attachments say.
///
/// - Returns: ``kCMSampleBufferError_Invalidated``.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
  _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
  sbuf.withState { state in
    guard state.isValid else { return kCMSampleBufferError_Invalidated }
    state.outputPresentationTimeStamp = outputPresentationTimeStamp
    return noErr
  }
}

/// Gives when the trimmed samples must be decoded: as far before they are played as without trimming.
public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDecodeTimeStamp
}

/// Gives the times of the samples when they are played: moved to the output time and divided by the speed.
///
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall``, ``kCMSampleBufferError_BufferHasNoSampleTimingInfo``.
@discardableResult
public func CMSampleBufferGetOutputSampleTimingInfoArray(
  _ sbuf: CMSampleBuffer, entryCount timingArrayEntries: CMItemCount,
  arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
  entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  fill(
    timingArrayOut, timingArrayEntries, from: sbuf.outputTimings, timingArrayEntriesNeededOut,
    none: kCMSampleBufferError_BufferHasNoSampleTimingInfo)
}

extension CMSampleBuffer {
  /// How long all samples last when they are played.
  public var outputDuration: CMTime {
    var duration = duration
    guard !attachmentTable.isEmpty else { return duration }
    for key in [
      kCMSampleBufferAttachmentKey_TrimDurationAtStart, kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
    ] {
      if let trim = trim(key) { duration = duration - trim }
    }
    return divided(duration, by: speed)
  }

  /// When the trimmed samples begin to be played.
  public var outputPresentationTimeStamp: CMTime {
    let explicit = readState { $0.outputPresentationTimeStamp }
    if explicit.isValid { return explicit }
    guard !attachmentTable.isEmpty else { return presentationTimeStamp }
    let isReversed = LooseNumber.truth(attachmentTable[kCMSampleBufferAttachmentKey_Reverse]?.value) ?? false
    let key =
      isReversed
      ? kCMSampleBufferAttachmentKey_TrimDurationAtEnd : kCMSampleBufferAttachmentKey_TrimDurationAtStart
    return trim(key).map { presentationTimeStamp + $0 } ?? presentationTimeStamp
  }

  /// Sets when the trimmed samples begin to be played; invalid goes back to what the attachments say.
  ///
  /// - Throws: `invalidated`.
  public func setOutputPresentationTimeStamp(_ pts: CMTime) throws {
    try throwUnlessSucceeded(CMSampleBufferSetOutputPresentationTimeStamp(self, newValue: pts))
  }

  /// When the trimmed samples must be decoded.
  public var outputDecodeTimeStamp: CMTime {
    let decode = decodeTimeStamp
    return decode.isValid ? decode + (outputPresentationTimeStamp - presentationTimeStamp) : .invalid
  }

  /// The times of the samples when they are played.
  ///
  /// - Throws: `bufferHasNoSampleTimingInfo`.
  public func outputSampleTimingInfos() throws -> [CMSampleTimingInfo] {
    let timings = outputTimings
    guard !timings.isEmpty else { throw Error.bufferHasNoSampleTimingInfo }
    return timings
  }

  var outputTimings: [CMSampleTimingInfo] {
    let start = presentationTimeStamp
    let output = outputPresentationTimeStamp
    let speed = attachmentTable.isEmpty ? 1 : speed
    return timings.entries.map { timing in
      func moved(_ time: CMTime) -> CMTime {
        time.isNumeric ? output + divided(time - start, by: speed) : time
      }
      return CMSampleTimingInfo(
        duration: divided(timing.duration, by: speed),
        presentationTimeStamp: moved(timing.presentationTimeStamp),
        decodeTimeStamp: moved(timing.decodeTimeStamp))
    }
  }

  private var speed: Double {
    LooseNumber.double(attachmentTable[kCMSampleBufferAttachmentKey_SpeedMultiplier]?.value) ?? 1
  }

  private func trim(_ key: String) -> CMTime? {
    let time = CMTimeMakeFromDictionary(attachmentTable[key]?.value as? CFDictionary)
    return time.isNumeric ? time : nil
  }

  private func divided(_ time: CMTime, by speed: Double) -> CMTime {
    speed == 1 || speed == 0 ? time : CMTimeMultiplyByFloat64(time, multiplier: 1 / speed)
  }
}
