internal import Glibc

/// Memory that holds the samples of some channels.
///
/// Apple: `AudioBuffer`, same layout.
public struct AudioBuffer {
  /// Channels that lie interleaved in the memory.
  public var mNumberChannels: UInt32
  /// Bytes of the memory.
  public var mDataByteSize: UInt32
  /// The memory.
  public var mData: UnsafeMutableRawPointer?

  /// No memory.
  public init() {
    self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil)
  }

  /// Takes the fields as they are.
  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }
}

/// A count and that many buffers behind it, of which the type shows the first.
///
/// Apple: `AudioBufferList`, same layout.
///
/// Reach the others through ``UnsafeMutableAudioBufferListPointer``.
public struct AudioBufferList {
  /// How many buffers follow.
  public var mNumberBuffers: UInt32
  /// The first buffer.
  public var mBuffers: AudioBuffer

  /// A list of one empty buffer that counts none.
  public init() {
    self.init(mNumberBuffers: 0, mBuffers: AudioBuffer())
  }

  /// A list of at most one buffer.
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }

  /// The bytes of a list of that many buffers.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "A list has room for one buffer at least.")
    return MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Makes a list of that many empty buffers; the caller gives it back with `free(list.unsafeMutablePointer)`.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let byteCount = sizeInBytes(maximumBuffers: maximumBuffers)
    guard let memory = calloc(1, byteCount) else { preconditionFailure("No memory for \(byteCount) bytes.") }
    let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
    list.count = maximumBuffers
    return list
  }
}

/// The buffers of an ``AudioBufferList`` as a collection.
///
/// Apple: `UnsafeMutableAudioBufferListPointer`.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
  /// The list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// Wraps a list.
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) {
    unsafeMutablePointer = p
  }

  /// Wraps a list, if there is one.
  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p else { return nil }
    self.init(p)
  }

  /// The list, for reading.
  public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

  /// How many buffers the list has; the memory must have room for them.
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The count.
  public var endIndex: Int { count }

  /// One buffer.
  public subscript(index: Int) -> AudioBuffer {
    get { buffer(index).pointee }
    nonmutating set { buffer(index).pointee = newValue }
  }

  private func buffer(_ index: Int) -> UnsafeMutablePointer<AudioBuffer> {
    precondition(index >= 0 && index < count, "The list has \(count) buffers.")
    let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
    return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset + index * MemoryLayout<AudioBuffer>.stride)
      .assumingMemoryBound(to: AudioBuffer.self)
  }
}
