public import FoundationExtras
internal import Glibc

/// Makes a sample buffer of audio that may come later.
///
/// - Parameters:
///   - numSamples: How many packets there are; frames, for uncompressed audio.
///   - presentationTimeStamp: When the first begins; the others follow by the format's sample rate.
///   - packetDescriptions: One for each packet where they differ in size; `nil` where they do not.
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` when the format does not describe audio.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?,
  refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  makeAudio(
    dataBuffer, dataReady, handler(makeDataReadyCallback, makeDataReadyRefcon), formatDescription, numSamples,
    presentationTimeStamp, packetDescriptions, sampleBufferOut)
}

/// Makes a sample buffer of audio that may come later, with a closure that makes it come.
///
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` when the format does not describe audio.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  formatDescription: CMFormatDescription,
  sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
  makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
) -> OSStatus {
  makeAudio(
    dataBuffer, dataReady, makeDataReadyHandler, formatDescription, numSamples, presentationTimeStamp,
    packetDescriptions, sampleBufferOut)
}

/// Makes a sample buffer of audio.
///
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` when the format does not describe audio.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
  sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  makeAudio(
    dataBuffer, true, nil, formatDescription, numSamples, presentationTimeStamp, packetDescriptions,
    sampleBufferOut)
}

/// Gives the packets of compressed audio; 0 needed for packets that do not differ.
///
/// - Parameters:
///   - packetDescriptionsSize: Bytes of room in `packetDescriptionsOut`.
///   - packetDescriptionsSizeNeededOut: Gets the bytes that are needed.
/// - Returns: ``kCMSampleBufferError_InvalidMediaTypeForOperation``, ``kCMSampleBufferError_ArrayTooSmall``.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptions(
  _ sbuf: CMSampleBuffer, entryCount packetDescriptionsSize: Int,
  packetDescriptionsOut: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  entriesNeededOut packetDescriptionsSizeNeededOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
  guard sbuf.format?.audio != nil else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
  let stride = MemoryLayout<AudioStreamPacketDescription>.stride
  let packets = sbuf.packets?.buffer ?? UnsafeBufferPointer(start: nil, count: 0)
  packetDescriptionsSizeNeededOut?.pointee = packets.count * stride
  guard let packetDescriptionsOut else { return noErr }
  guard packetDescriptionsSize >= packets.count * stride else { return kCMSampleBufferError_ArrayTooSmall }
  for (index, packet) in packets.enumerated() { packetDescriptionsOut[index] = packet }
  return noErr
}

/// Gives the packets of compressed audio without copying; `nil` for packets that do not differ.
///
/// - Parameter packetDescriptionsSizeOut: Gets their bytes.
/// - Returns: ``kCMSampleBufferError_InvalidMediaTypeForOperation`` when it is not audio.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
  _ sbuf: CMSampleBuffer,
  packetDescriptionsPointerOut: UnsafeMutablePointer<UnsafePointer<AudioStreamPacketDescription>?>?,
  sizeOut packetDescriptionsSizeOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
  guard sbuf.format?.audio != nil else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
  packetDescriptionsPointerOut?.pointee = sbuf.packets?.buffer.baseAddress
  let count = sbuf.packets?.buffer.count ?? 0
  packetDescriptionsSizeOut?.pointee = count * MemoryLayout<AudioStreamPacketDescription>.stride
  return noErr
}

private func makeAudio(
  _ data: CMBlockBuffer?, _ isReady: Bool, _ makeReady: CMSampleBufferMakeDataReadyHandler?,
  _ format: CMFormatDescription, _ count: Int, _ start: CMTime,
  _ packets: UnsafePointer<AudioStreamPacketDescription>?,
  _ sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  guard let basic = format.audio?.basic else { return kCMSampleBufferError_InvalidMediaFormat }
  guard count > 0 else { return kCMSampleBufferError_RequiredParameterMissing }
  guard let rate = Int32(exactly: basic.mSampleRate.rounded()), rate > 0 else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  var timings: SampleTimings
  var sizes: SampleSizes
  var kept: PacketDescriptions?
  if let packets {
    let described = UnsafeBufferPointer(start: packets, count: count)
    kept = PacketDescriptions(described)
    sizes = SampleSizes(described.map { Int($0.mDataByteSize) })
    timings = .none
    if basic.mFramesPerPacket == 0 {
      var position: Int64 = 0
      timings = SampleTimings(
        described.map { packet in
          defer { position += Int64(packet.mVariableFramesInPacket) }
          return CMSampleTimingInfo(
            duration: CMTime(value: Int64(packet.mVariableFramesInPacket), timescale: rate),
            presentationTimeStamp: start + CMTime(value: position, timescale: rate), decodeTimeStamp: .invalid
          )
        })
    }
  } else {
    guard basic.mBytesPerPacket > 0 else { return kCMSampleBufferError_RequiredParameterMissing }
    let buffers = basic.isNonInterleaved ? Int(basic.mChannelsPerFrame) : 1
    sizes = .one(Int(basic.mBytesPerPacket) * buffers)
    timings = .none
  }
  if case .none = timings {
    let duration = CMTime(value: Int64(max(1, basic.mFramesPerPacket)), timescale: rate)
    timings = .one(
      CMSampleTimingInfo(duration: duration, presentationTimeStamp: start, decodeTimeStamp: .invalid))
  }
  sampleBufferOut.pointee = CMSampleBuffer(
    data: data, image: nil, format: format, sampleCount: count, timings: timings, sizes: sizes, packets: kept,
    readiness: isReady ? .ready : .notReady, makeReady: makeReady)
  return noErr
}

extension CMSampleBuffer {
  /// A sample buffer of audio.
  ///
  /// - Throws: `invalidMediaFormat`, `requiredParameterMissing`, `invalidEntryCount`.
  public convenience init(
    dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription, numSamples: CMItemCount,
    presentationTimeStamp: CMTime, packetDescriptions: [AudioStreamPacketDescription]
  ) throws {
    try self.init(
      audio: dataBuffer, true, formatDescription, numSamples, presentationTimeStamp, packetDescriptions, nil)
  }

  /// A sample buffer of audio that may come later.
  ///
  /// - Throws: `invalidMediaFormat`, `requiredParameterMissing`, `invalidEntryCount`.
  public convenience init(
    dataBuffer: CMBlockBuffer?, dataReady: Bool = false, formatDescription: CMFormatDescription,
    numSamples: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: [AudioStreamPacketDescription],
    makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
  ) throws {
    try self.init(
      audio: dataBuffer, dataReady, formatDescription, numSamples, presentationTimeStamp, packetDescriptions,
      makeDataReadyHandler)
  }

  private convenience init(
    audio data: CMBlockBuffer?, _ isReady: Bool, _ format: CMFormatDescription, _ count: Int, _ start: CMTime,
    _ packets: [AudioStreamPacketDescription], _ makeReady: CMSampleBufferMakeDataReadyHandler?
  ) throws {
    guard packets.isEmpty || packets.count == count else { throw Error.invalidEntryCount }
    var made: CMSampleBuffer?
    let status = packets.withUnsafeBufferPointer {
      makeAudio(data, isReady, makeReady, format, count, start, packets.isEmpty ? nil : $0.baseAddress, &made)
    }
    try throwUnlessSucceeded(status)
    guard let made else { throw Error.allocationFailed }
    self.init(
      data: data, image: nil, format: format, sampleCount: count, timings: made.timings, sizes: made.sizes,
      packets: made.packets, readiness: isReady ? .ready : .notReady, makeReady: makeReady)
  }

  /// The packets of compressed audio; none for packets that do not differ.
  ///
  /// - Throws: `invalidMediaTypeForOperation` when it is not audio.
  public func audioStreamPacketDescriptions() throws -> [AudioStreamPacketDescription] {
    try withUnsafeAudioStreamPacketDescriptions { Array($0) }
  }

  /// Runs `body` on the packets of compressed audio.
  ///
  /// - Throws: `invalidMediaTypeForOperation` when it is not audio, or what `body` throws.
  public func withUnsafeAudioStreamPacketDescriptions<R>(
    _ body: (UnsafeBufferPointer<AudioStreamPacketDescription>) throws -> R
  ) throws -> R {
    guard format?.audio != nil else { throw Error.invalidMediaTypeForOperation }
    return try withExtendedLifetime(packets) {
      try body(packets?.buffer ?? UnsafeBufferPointer(start: nil, count: 0))
    }
  }
}
