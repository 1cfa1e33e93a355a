public import FoundationExtras
internal import Glibc

/// Let the audio of every buffer in a list begin at a multiple of 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0

/// Copies uncompressed audio into buffers that the caller has.
///
/// - Parameters:
///   - frameOffset: The first frame.
///   - numFrames: How many frames.
///   - bufferList: One buffer for interleaved audio, one for each channel else; large enough. Their sizes are set.
/// - Returns: ``kCMSampleBufferError_InvalidMediaTypeForOperation`` when it is not uncompressed audio,
///   ``kCMSampleBufferError_SampleIndexOutOfRange``, ``kCMSampleBufferError_ArrayTooSmall``.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  guard let basic = sbuf.format?.audio?.basic, basic.mFormatID == kAudioFormatLinearPCM else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  guard frameOffset >= 0, numFrames >= 0, Int(frameOffset) + Int(numFrames) <= sbuf.sampleCount else {
    return kCMSampleBufferError_SampleIndexOutOfRange
  }
  guard let data = sbuf.dataBuffer else { return kCMSampleBufferError_BufferNotReady }
  let list = UnsafeMutableAudioBufferListPointer(bufferList)
  let channels = basic.isNonInterleaved ? Int(basic.mChannelsPerFrame) : 1
  guard list.count == channels else { return kCMSampleBufferError_ArrayTooSmall }
  let frameSize = Int(basic.mBytesPerFrame)
  let length = Int(numFrames) * frameSize
  guard list.allSatisfy({ Int($0.mDataByteSize) >= length && ($0.mData != nil || length == 0) }) else {
    return kCMSampleBufferError_ArrayTooSmall
  }
  guard length > 0 else { return noErr }
  for channel in 0..<channels {
    // Channels that lie apart follow each other, each with all frames of the sample buffer.
    let offset = channel * sbuf.sampleCount * frameSize + Int(frameOffset) * frameSize
    guard let destination = list[channel].mData else { return kCMSampleBufferError_ArrayTooSmall }
    let status = CMBlockBufferCopyDataBytes(
      data, atOffset: offset, dataLength: length, destination: destination)
    guard status == noErr else { return status }
    list[channel].mDataByteSize = UInt32(length)
  }
  return noErr
}

/// Hands in audio from a list of buffers, copied into a block buffer of its own.
///
/// - Returns: ``kCMSampleBufferError_AlreadyHasDataBuffer``, ``kCMSampleBufferError_InvalidMediaTypeForOperation``,
///   ``kCMSampleBufferError_RequiredParameterMissing`` for an empty list.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
  _ sbuf: CMSampleBuffer, blockBufferAllocator bbufStructAllocator: CFAllocator?,
  blockBufferMemoryAllocator bbufMemoryAllocator: CFAllocator?, flags: UInt32,
  bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
  guard sbuf.format?.audio != nil else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
  let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
  let length = list.reduce(0) { $0 + Int($1.mDataByteSize) }
  guard length > 0 else { return kCMSampleBufferError_RequiredParameterMissing }
  var block: CMBlockBuffer?
  var status = CMBlockBufferCreateWithMemoryBlock(
    allocator: bbufStructAllocator, memoryBlock: nil, blockLength: length,
    blockAllocator: bbufMemoryAllocator,
    customBlockSource: nil, offsetToData: 0, dataLength: length, flags: kCMBlockBufferAssureMemoryNowFlag,
    blockBufferOut: &block)
  guard status == noErr, let block else { return status }
  var offset = 0
  for buffer in list where buffer.mDataByteSize > 0 {
    guard let source = buffer.mData else { return kCMSampleBufferError_RequiredParameterMissing }
    status = CMBlockBufferReplaceDataBytes(
      with: source, blockBuffer: block, offsetIntoDestination: offset, dataLength: Int(buffer.mDataByteSize))
    guard status == noErr else { return status }
    offset += Int(buffer.mDataByteSize)
  }
  return CMSampleBufferSetDataBuffer(sbuf, newValue: block)
}

/// Fills a list of buffers that point at the audio, and gives the block buffer that keeps it alive.
///
/// - Parameters:
///   - bufferListSizeNeededOut: Gets the bytes that the list needs.
///   - bufferListOut: The list; `nil` to ask only for its size.
///   - bufferListSize: Bytes of room in the list.
///   - flags: 0, or ``kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment``, for which audio may be copied.
///   - blockBufferOut: Gets what must live as long as the list is used.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall``, ``kCMSampleBufferError_InvalidMediaTypeForOperation``,
///   ``kCMSampleBufferError_BufferNotReady``.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator bbufStructAllocator: CFAllocator?,
  blockBufferMemoryAllocator bbufMemoryAllocator: CFAllocator?,
  flags: UInt32, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  guard let basic = sbuf.format?.audio?.basic else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  let count = basic.isNonInterleaved ? max(1, Int(basic.mChannelsPerFrame)) : 1
  let needed = AudioBufferList.sizeInBytes(maximumBuffers: count)
  bufferListSizeNeededOut?.pointee = needed
  guard let bufferListOut else { return noErr }
  guard bufferListSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
  guard let blockBufferOut else { return kCMSampleBufferError_RequiredParameterMissing }
  guard let data = sbuf.dataBuffer, data.length > 0 else { return kCMSampleBufferError_BufferNotReady }
  let length = data.length / count

  var block: CMBlockBuffer?
  let mustAlign = flags & kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment != 0
  if mustAlign, !isAligned(data, length, count) {
    // Each buffer gets a range of its own that begins at a multiple of 16.
    let stride = (length + 15) & ~15
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: stride * count, alignment: 16)
    let address = UInt(bitPattern: memory.baseAddress)
    block = CMBlockBuffer(wrapping: memory) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    for index in 0..<count {
      guard let destination = memory.baseAddress else { return kCMSampleBufferError_AllocationFailed }
      let status = CMBlockBufferCopyDataBytes(
        data, atOffset: index * length, dataLength: length, destination: destination + index * stride)
      guard status == noErr else { return status }
    }
    return point(bufferListOut, count, at: block, stride, length, basic, blockBufferOut)
  }
  let status = CMBlockBufferCreateContiguous(
    allocator: bbufStructAllocator, sourceBuffer: data, blockAllocator: bbufMemoryAllocator,
    customBlockSource: nil,
    offsetToData: 0, dataLength: data.length, flags: 0, blockBufferOut: &block)
  guard status == noErr else { return status }
  return point(bufferListOut, count, at: block, length, length, basic, blockBufferOut)
}

private func isAligned(_ data: CMBlockBuffer, _ length: Int, _ count: Int) -> Bool {
  guard count == 1 || length % 16 == 0, let piece = data.allPieces.first, data.allPieces.count == 1,
    let memory = piece.block.memory
  else { return false }
  return UInt(bitPattern: memory + piece.offset) % 16 == 0
}

private func point(
  _ bufferList: UnsafeMutablePointer<AudioBufferList>, _ count: Int, at block: CMBlockBuffer?, _ stride: Int,
  _ length: Int, _ basic: AudioStreamBasicDescription, _ blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  guard let block, let piece = block.allPieces.first, let memory = piece.block.memory else {
    return kCMSampleBufferError_BufferNotReady
  }
  let list = UnsafeMutableAudioBufferListPointer(bufferList)
  list.count = count
  for index in 0..<count {
    list[index] = AudioBuffer(
      mNumberChannels: basic.isNonInterleaved ? 1 : basic.mChannelsPerFrame, mDataByteSize: UInt32(length),
      mData: memory + piece.offset + index * stride)
  }
  blockBufferOut.pointee = block
  return noErr
}

extension CMSampleBuffer {
  /// Flags for making lists of audio buffers.
  ///
  /// Apple: `CMSampleBuffer.Flags`.
  public struct Flags: OptionSet, Sendable {
    /// The bits, as Apple numbers them.
    public let rawValue: UInt32

    /// Takes the bits as they are.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Let the audio of every buffer begin at a multiple of 16 bytes.
    public static let audioBufferListAssure16ByteAlignment = Flags(
      rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
  }

  /// Hands in audio from a list of buffers, copied.
  ///
  /// - Throws: `alreadyHasDataBuffer`, `invalidMediaTypeForOperation`, `requiredParameterMissing`.
  public func setDataBuffer(
    fromAudioBufferList bufferList: UnsafePointer<AudioBufferList>,
    blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
  ) throws {
    try throwUnlessSucceeded(
      CMSampleBufferSetDataBufferFromAudioBufferList(
        self, blockBufferAllocator: kCFAllocatorDefault,
        blockBufferMemoryAllocator: blockBufferMemoryAllocator,
        flags: flags.rawValue, bufferList: bufferList))
  }

  /// Runs `body` on a list of buffers that point at the audio, and the block buffer that keeps it alive.
  ///
  /// - Throws: `invalidMediaTypeForOperation`, `bufferNotReady`, or what `body` throws.
  public func withAudioBufferList<R>(
    blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = [],
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
  ) throws -> R {
    guard let basic = format?.audio?.basic else { throw Error.invalidMediaTypeForOperation }
    let count = basic.isNonInterleaved ? max(1, Int(basic.mChannelsPerFrame)) : 1
    let list = AudioBufferList.allocate(maximumBuffers: count)
    defer { free(list.unsafeMutablePointer) }
    var block: CMBlockBuffer?
    try throwUnlessSucceeded(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        self, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer,
        bufferListSize: AudioBufferList.sizeInBytes(maximumBuffers: count),
        blockBufferAllocator: kCFAllocatorDefault, blockBufferMemoryAllocator: blockBufferMemoryAllocator,
        flags: flags.rawValue, blockBufferOut: &block))
    guard let block else { throw Error.bufferNotReady }
    return try withExtendedLifetime(block) { try body(list, block) }
  }

  /// Copies uncompressed audio into buffers that the caller has.
  ///
  /// - Throws: `invalidMediaTypeForOperation`, `sampleIndexOutOfRange`, `arrayTooSmall`, `bufferNotReady`.
  public func copyPCMData(fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>)
    throws
  {
    guard let start = Int32(exactly: range.lowerBound), let count = Int32(exactly: range.count) else {
      throw Error.sampleIndexOutOfRange
    }
    try throwUnlessSucceeded(
      CMSampleBufferCopyPCMDataIntoAudioBufferList(self, at: start, frameCount: count, into: bufferList))
  }
}
