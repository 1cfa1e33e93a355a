public import FoundationExtras

/// Calls `callback` with a sample buffer for each single sample, in order, until it returns an error.
///
/// - Returns: That error, or ``kCMSampleBufferError_CannotSubdivide`` and its like.
public func CMSampleBufferCallForEachSample(
  _ sbuf: CMSampleBuffer,
  callback: (_ sampleBuffer: CMSampleBuffer, _ index: CMItemCount, _ refcon: UnsafeMutableRawPointer?) ->
    OSStatus,
  refcon: UnsafeMutableRawPointer?
) -> OSStatus {
  CMSampleBufferCallBlockForEachSample(sbuf) { callback($0, $1, refcon) }
}

/// Calls `handler` with a sample buffer for each single sample, in order, until it returns an error.
///
/// - Returns: That error, or ``kCMSampleBufferError_CannotSubdivide`` and its like.
public func CMSampleBufferCallBlockForEachSample(
  _ sbuf: CMSampleBuffer, handler: (_ sampleBuffer: CMSampleBuffer, _ index: CMItemCount) -> OSStatus
) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  for index in 0..<sbuf.sampleCount {
    switch sbuf.part(index..<index + 1) {
    case .failure(let failure): return failure.status
    case .success(let sample):
      let status = handler(sample, index)
      guard status == noErr else { return status }
    }
  }
  return noErr
}

extension CMSampleBuffer {
  /// Single samples, made one after another.
  ///
  /// Apple: `CMSampleBuffer.SingleSampleBuffers`.
  public struct SingleSampleBuffers: Sequence {
    let samples: [CMSampleBuffer]

    /// Walks over the samples in order.
    public func makeIterator() -> IndexingIterator<[CMSampleBuffer]> { samples.makeIterator() }
  }

  /// A sample buffer for each single sample, sharing the data.
  ///
  /// - Throws: `cannotSubdivide`, `bufferHasNoSampleSizes`, `invalidated`.
  public func singleSampleBuffers() throws -> SingleSampleBuffers {
    var samples: [CMSampleBuffer] = []
    let status = CMSampleBufferCallBlockForEachSample(self) { sample, _ in
      samples.append(sample)
      return noErr
    }
    try throwUnlessSucceeded(status)
    return SingleSampleBuffers(samples: samples)
  }

  /// A second sample buffer on the same data, with copies of the attachments.
  ///
  /// - Throws: `invalidated`.
  public convenience init(copying sampleBuffer: CMSampleBuffer) throws {
    try self.init(copying: sampleBuffer, timings: sampleBuffer.timings, keepsOutputTime: true)
  }

  /// A second sample buffer on the same data at other times, with copies of the attachments.
  ///
  /// - Parameter sampleTimings: None, one, or one for each sample.
  /// - Throws: `invalidated`, `invalidEntryCount`.
  public convenience init(
    copying sampleBuffer: CMSampleBuffer, withNewTiming sampleTimings: [CMSampleTimingInfo]
  )
    throws
  {
    guard isEntryCount(sampleTimings.count, sampleBuffer.sampleCount) else { throw Error.invalidEntryCount }
    try self.init(copying: sampleBuffer, timings: SampleTimings(sampleTimings), keepsOutputTime: false)
  }

  /// A sample buffer on some of another's samples, sharing the data.
  ///
  /// - Throws: `invalidated`, `sampleIndexOutOfRange`, `cannotSubdivide`, `bufferHasNoSampleSizes`.
  public convenience init(copying sampleBuffer: CMSampleBuffer, forRange range: Range<Int>) throws {
    guard sampleBuffer.isValid else { throw Error.invalidated }
    guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= sampleBuffer.sampleCount else {
      throw Error.sampleIndexOutOfRange
    }
    switch sampleBuffer.part(range) {
    case .failure(let failure): throw statusError(failure.status)
    case .success(let part): try self.init(copying: part)
    }
  }

  private convenience init(copying original: CMSampleBuffer, timings: SampleTimings, keepsOutputTime: Bool)
    throws
  {
    guard original.isValid else { throw Error.invalidated }
    let copy = original.copy(timings: timings)
    let state = copy.withState { $0 }
    self.init(
      data: state.data, image: copy.image, format: copy.format, sampleCount: copy.sampleCount,
      timings: timings,
      sizes: copy.sizes, packets: copy.packets, readiness: state.readiness)
    withState {
      $0 = state
      if !keepsOutputTime { $0.outputPresentationTimeStamp = .invalid }
    }
    attachmentTable.copy(copy.attachmentTable)
  }
}
