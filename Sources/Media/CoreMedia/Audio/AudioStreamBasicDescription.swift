// What Apple keeps in `CoreAudioTypes`, which Linux lacks: how audio lies in memory.

/// The identifier of an audio coding: a `kAudioFormat…`.
public typealias AudioFormatID = UInt32
/// Bits about a coding: `kAudioFormatFlag…` for uncompressed audio.
public typealias AudioFormatFlags = UInt32

/// The coding and packing of audio samples.
///
/// Apple: `AudioStreamBasicDescription`, same layout.
///
/// A frame holds one sample of every channel; a packet holds the frames that belong together: one frame in uncompressed
/// audio.
public struct AudioStreamBasicDescription: Sendable, Hashable, BitwiseCopyable {
  /// Frames a second.
  public var mSampleRate: Float64
  /// The coding.
  public var mFormatID: AudioFormatID
  /// More about the coding.
  public var mFormatFlags: AudioFormatFlags
  /// Bytes in a packet; 0 where that varies.
  public var mBytesPerPacket: UInt32
  /// Frames in a packet; 0 where that varies.
  public var mFramesPerPacket: UInt32
  /// Bytes in a frame of one buffer; 0 for compressed audio.
  public var mBytesPerFrame: UInt32
  /// Channels in a frame.
  public var mChannelsPerFrame: UInt32
  /// Bits of one sample; 0 for compressed audio.
  public var mBitsPerChannel: UInt32
  /// 0; keeps the size a multiple of 8.
  public var mReserved: UInt32

  /// All fields 0.
  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
      mBytesPerFrame: 0,
      mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
  }

  /// Takes the fields as they are.
  public init(
    mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
    mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
    mReserved: UInt32
  ) {
    self.mSampleRate = mSampleRate
    self.mFormatID = mFormatID
    self.mFormatFlags = mFormatFlags
    self.mBytesPerPacket = mBytesPerPacket
    self.mFramesPerPacket = mFramesPerPacket
    self.mBytesPerFrame = mBytesPerFrame
    self.mChannelsPerFrame = mChannelsPerFrame
    self.mBitsPerChannel = mBitsPerChannel
    self.mReserved = mReserved
  }

  var isNonInterleaved: Bool {
    mFormatID == kAudioFormatLinearPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
  }
}

/// Samples are floating-point numbers.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// Samples are big-endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// The bits of a sample are at the high end of its bytes.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Every channel has a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The audio must not be mixed with other audio.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// No flag is set, as opposed to "not said" (0).
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 0x8000_0000
/// The byte order of this machine.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// Floating-point numbers as this machine stores them.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
  kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked

/// As ``kAudioFormatFlagIsFloat``.
public let kLinearPCMFormatFlagIsFloat: AudioFormatFlags = kAudioFormatFlagIsFloat
/// As ``kAudioFormatFlagIsBigEndian``.
public let kLinearPCMFormatFlagIsBigEndian: AudioFormatFlags = kAudioFormatFlagIsBigEndian
/// As ``kAudioFormatFlagIsSignedInteger``.
public let kLinearPCMFormatFlagIsSignedInteger: AudioFormatFlags = kAudioFormatFlagIsSignedInteger
/// As ``kAudioFormatFlagIsPacked``.
public let kLinearPCMFormatFlagIsPacked: AudioFormatFlags = kAudioFormatFlagIsPacked
/// As ``kAudioFormatFlagIsAlignedHigh``.
public let kLinearPCMFormatFlagIsAlignedHigh: AudioFormatFlags = kAudioFormatFlagIsAlignedHigh
/// As ``kAudioFormatFlagIsNonInterleaved``.
public let kLinearPCMFormatFlagIsNonInterleaved: AudioFormatFlags = kAudioFormatFlagIsNonInterleaved

/// The offset, the size and the frame count of a packet of audio.
///
/// Apple: `AudioStreamPacketDescription`, same layout.
public struct AudioStreamPacketDescription: Sendable, Hashable, BitwiseCopyable {
  /// Bytes from the start of the data.
  public var mStartOffset: Int64
  /// Frames in the packet, where that varies; else 0.
  public var mVariableFramesInPacket: UInt32
  /// Bytes in the packet.
  public var mDataByteSize: UInt32

  /// All fields 0.
  public init() {
    self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0)
  }

  /// Takes the fields as they are.
  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}
