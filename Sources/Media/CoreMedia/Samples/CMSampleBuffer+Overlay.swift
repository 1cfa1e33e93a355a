public import CoreVideo

extension CMSampleBuffer {
  /// A sample buffer on data that is there; see `CMSampleBufferCreate` for the entries.
  ///
  /// - Throws: `invalidEntryCount`.
  public convenience init(
    dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
    sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
  ) throws {
    try Self.checkEntries(numSamples, sampleTimings.count, sampleSizes.count)
    self.init(
      data: dataBuffer, image: nil, format: formatDescription, sampleCount: numSamples,
      timings: SampleTimings(sampleTimings), sizes: SampleSizes(sampleSizes))
  }

  /// A sample buffer on data that may come later.
  ///
  /// - Throws: `invalidEntryCount`.
  public convenience init(
    dataBuffer: CMBlockBuffer?, dataReady: Bool = false, formatDescription: CMFormatDescription?,
    numSamples: CMItemCount, sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int],
    makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
  ) throws {
    try Self.checkEntries(numSamples, sampleTimings.count, sampleSizes.count)
    self.init(
      data: dataBuffer, image: nil, format: formatDescription, sampleCount: numSamples,
      timings: SampleTimings(sampleTimings), sizes: SampleSizes(sampleSizes),
      readiness: dataReady ? .ready : .notReady, makeReady: makeDataReadyHandler)
  }

  /// A sample buffer on a picture.
  ///
  /// - Throws: `invalidMediaFormat` when the format does not describe the picture.
  public convenience init(
    imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription, sampleTiming: CMSampleTimingInfo
  ) throws {
    guard formatDescription.matchesImageBuffer(imageBuffer) else { throw Error.invalidMediaFormat }
    self.init(picture: imageBuffer, formatDescription: formatDescription, timing: sampleTiming)
  }

  /// A sample buffer on a picture whose pixels may come later.
  ///
  /// - Throws: `invalidMediaFormat` when the format does not describe the picture.
  public convenience init(
    imageBuffer: CVImageBuffer, dataReady: Bool = false, formatDescription: CMVideoFormatDescription,
    sampleTiming: CMSampleTimingInfo, makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
  ) throws {
    guard formatDescription.matchesImageBuffer(imageBuffer) else { throw Error.invalidMediaFormat }
    self.init(
      data: nil, image: imageBuffer, format: formatDescription, sampleCount: 1, timings: .one(sampleTiming),
      sizes: .none, readiness: dataReady ? .ready : .notReady, makeReady: makeDataReadyHandler)
  }

  private static func checkEntries(_ samples: Int, _ timings: Int, _ sizes: Int) throws {
    guard samples >= 0, isEntryCount(timings, samples), isEntryCount(sizes, samples) else {
      throw Error.invalidEntryCount
    }
  }

  /// The data; `nil` for a picture, when it has not come, or after invalidating.
  public var dataBuffer: CMBlockBuffer? { CMSampleBufferGetDataBuffer(self) }

  /// The picture; `nil` for data, for a dropped frame, or after invalidating.
  public var imageBuffer: CVImageBuffer? { CMSampleBufferGetImageBuffer(self) }

  /// What the samples are.
  public var formatDescription: CMFormatDescription? { format }

  /// How many samples there are.
  public var numSamples: Int { sampleCount }

  /// How long all samples last; invalid when unknown.
  public var duration: CMTime { timings.duration(of: sampleCount) }

  /// When the earliest sample is shown, or was taken; for camera frames on the host time clock.
  public var presentationTimeStamp: CMTime { timings.presentationTimeStamp }

  /// When the first sample must be decoded; invalid where that is the order of showing.
  public var decodeTimeStamp: CMTime { timings.decodeTimeStamp }

  /// The times of the samples as they were handed in.
  ///
  /// - Throws: `bufferHasNoSampleTimingInfo`.
  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
    if case .none = timings { throw Error.bufferHasNoSampleTimingInfo }
    return timings.entries
  }

  /// The times of one sample.
  ///
  /// - Throws: `sampleIndexOutOfRange`, `bufferHasNoSampleTimingInfo`.
  public func sampleTimingInfo(at sampleIndex: CMItemIndex) throws -> CMSampleTimingInfo {
    var timing = CMSampleTimingInfo()
    try throwUnlessSucceeded(CMSampleBufferGetSampleTimingInfo(self, at: sampleIndex, timingInfoOut: &timing))
    return timing
  }

  /// The bytes of the samples as they were handed in.
  ///
  /// - Throws: `bufferHasNoSampleSizes`.
  public func sampleSizes() throws -> [Int] {
    if case .none = sizes { throw Error.bufferHasNoSampleSizes }
    return sizes.entries
  }

  /// The bytes of one sample; 0 when there is no such sample or it is unknown.
  public func sampleSize(at sampleIndex: Int) -> Int { CMSampleBufferGetSampleSize(self, at: sampleIndex) }

  /// The bytes of all samples; 0 when unknown.
  public var totalSampleSize: Int { sizes.total(of: sampleCount) }

  /// Whether the sample buffer was not invalidated.
  public var isValid: Bool { readState { $0.isValid } }
}
