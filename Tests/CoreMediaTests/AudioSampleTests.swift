import CoreMedia
import Foundation
import FoundationExtras
import Testing

private func pcm(channels: UInt32, interleaved: Bool) -> AudioStreamBasicDescription {
  var flags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
  if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
  let size = interleaved ? 2 * channels : 2
  return AudioStreamBasicDescription(
    mSampleRate: 48000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: size,
    mFramesPerPacket: 1, mBytesPerFrame: size, mChannelsPerFrame: channels, mBitsPerChannel: 16, mReserved: 0)
}

private func audio(_ samples: [Int16], frames: Int, _ format: AudioStreamBasicDescription) throws
  -> CMSampleBuffer
{
  let data = samples.withUnsafeBytes { CMBlockBuffer(copying: $0) }
  return try CMSampleBuffer(
    dataBuffer: data, formatDescription: CMFormatDescription(audioStreamBasicDescription: format),
    numSamples: frames, presentationTimeStamp: CMTime(value: 100, timescale: 48000), packetDescriptions: [])
}

@Suite struct `Sample buffers of audio` {
  @Test func `uncompressed frames are samples`() throws {
    let buffer = try audio([1, 2, 3, 4, 5, 6], frames: 3, pcm(channels: 2, interleaved: true))
    #expect(buffer.numSamples == 3)
    #expect(buffer.duration == CMTime(value: 3, timescale: 48000))
    #expect(buffer.totalSampleSize == 12)
    #expect(try buffer.audioStreamPacketDescriptions().isEmpty)
  }

  @Test func `interleaved audio is copied by frames`() throws {
    let buffer = try audio([1, 2, 3, 4, 5, 6], frames: 3, pcm(channels: 2, interleaved: true))
    var destination = [Int16](repeating: 0, count: 4)
    try destination.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 8, mData: bytes.baseAddress))
      try buffer.copyPCMData(fromRange: 1..<3, into: &list)
      #expect(list.mBuffers.mDataByteSize == 8)
      #expect(throws: CMSampleBuffer.Error.sampleIndexOutOfRange) {
        try buffer.copyPCMData(fromRange: 2..<4, into: &list)
      }
    }
    #expect(destination == [3, 4, 5, 6])
  }

  @Test func `channels that lie apart get a buffer each`() throws {
    let buffer = try audio([1, 2, 3, 11, 12, 13], frames: 3, pcm(channels: 2, interleaved: false))
    try buffer.withAudioBufferList { list, _ in
      #expect(list.count == 2)
      let channels = list.map { channel in
        Array(
          UnsafeRawBufferPointer(start: channel.mData, count: Int(channel.mDataByteSize)).bindMemory(
            to: Int16.self))
      }
      #expect(channels == [[1, 2, 3], [11, 12, 13]])
      #expect(list.allSatisfy { $0.mNumberChannels == 1 })
    }
    try buffer.withAudioBufferList(flags: .audioBufferListAssure16ByteAlignment) { list, _ in
      #expect(list.allSatisfy { UInt(bitPattern: $0.mData) % 16 == 0 })
      #expect(list[1].mData?.loadUnaligned(as: Int16.self) == 11)
    }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var (left, right) = ([Int16](repeating: 0, count: 2), [Int16](repeating: 0, count: 2))
    try left.withUnsafeMutableBytes { left in
      try right.withUnsafeMutableBytes { right in
        list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4, mData: left.baseAddress)
        list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4, mData: right.baseAddress)
        try buffer.copyPCMData(fromRange: 1..<3, into: list.unsafeMutablePointer)
      }
    }
    #expect(left == [2, 3])
    #expect(right == [12, 13])
    #expect(throws: CMSampleBuffer.Error.cannotSubdivide) { try buffer.singleSampleBuffers() }
  }

  @Test func `audio from a list is copied in`() throws {
    let format = try CMFormatDescription(audioStreamBasicDescription: pcm(channels: 2, interleaved: true))
    let buffer = try CMSampleBuffer(
      dataBuffer: nil, dataReady: false, formatDescription: format, numSamples: 2,
      presentationTimeStamp: .zero,
      packetDescriptions: []
    ) { _ in noErr }
    var samples: [Int16] = [1, 2, 3, 4]
    try samples.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      try buffer.setDataBuffer(fromAudioBufferList: &list)
    }
    samples = [0, 0, 0, 0]
    #expect(try buffer.dataBuffer?.dataBytes() == [Int16(1), 2, 3, 4].withUnsafeBytes { Data($0) })
  }

  @Test func `compressed packets have sizes of their own`() throws {
    let format = AudioStreamBasicDescription(
      mSampleRate: 48000, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
      mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
    let packets = [
      AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 3),
      AudioStreamPacketDescription(mStartOffset: 3, mVariableFramesInPacket: 0, mDataByteSize: 5),
    ]
    let bytes = [UInt8](0..<8)
    let buffer = try CMSampleBuffer(
      dataBuffer: bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) },
      formatDescription: CMFormatDescription(audioStreamBasicDescription: format), numSamples: 2,
      presentationTimeStamp: .zero, packetDescriptions: packets)
    #expect(buffer.duration == CMTime(value: 2048, timescale: 48000))
    #expect(try buffer.audioStreamPacketDescriptions() == packets)
    let second = try CMSampleBuffer(copying: buffer, forRange: 1..<2)
    #expect(try second.dataBuffer?.dataBytes() == Data([3, 4, 5, 6, 7]))
    #expect(try second.audioStreamPacketDescriptions().first?.mStartOffset == 0)
    #expect(throws: CMSampleBuffer.Error.requiredParameterMissing) {
      try CMSampleBuffer(
        dataBuffer: nil, formatDescription: CMFormatDescription(audioStreamBasicDescription: format),
        numSamples: 2,
        presentationTimeStamp: .zero, packetDescriptions: [])
    }
  }
}
