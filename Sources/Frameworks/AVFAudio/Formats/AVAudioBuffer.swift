public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Glibc

/// Audio in memory.
///
/// Apple: `AVAudioBuffer`.
public class AVAudioBuffer: NSObject {
  /// The format of the audio.
  ///
  /// Apple: `AVAudioBuffer.format`.
  public let format: AVAudioFormat
  let list: UnsafeMutableAudioBufferListPointer
  let memory: UnsafeMutableRawBufferPointer

  init(_ format: AVAudioFormat, bytes: Int, buffers: Int) {
    self.format = format
    memory = .allocate(byteCount: max(bytes, 1), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    list = AudioBufferList.allocate(maximumBuffers: buffers)
  }

  deinit {
    memory.deallocate()
    free(list.unsafeMutablePointer)
  }

  /// The buffers, for reading.
  ///
  /// Apple: `AVAudioBuffer.audioBufferList`.
  public var audioBufferList: UnsafePointer<AudioBufferList> { list.unsafePointer }

  /// The buffers, for writing.
  ///
  /// Apple: `AVAudioBuffer.mutableAudioBufferList`.
  public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { list.unsafeMutablePointer }
}

/// Linear PCM in memory.
///
/// Apple: `AVAudioPCMBuffer`.
public final class AVAudioPCMBuffer: AVAudioBuffer {
  /// How many moments fit.
  ///
  /// Apple: `AVAudioPCMBuffer.frameCapacity`.
  public let frameCapacity: AVAudioFrameCount

  /// An empty buffer; `nil` for what is no linear PCM and for more than memory can hold.
  ///
  /// Apple: `AVAudioPCMBuffer.init(pcmFormat:frameCapacity:)`.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let basic = format.streamDescription.pointee
    guard basic.mFormatID == kAudioFormatLinearPCM, basic.mBytesPerFrame > 0 else { return nil }
    let buffers = format.isInterleaved ? 1 : Int(basic.mChannelsPerFrame)
    let each = Int(basic.mBytesPerFrame) * Int(frameCapacity)
    guard each <= Int(UInt32.max) else { return nil }
    self.frameCapacity = frameCapacity
    super.init(format, bytes: each * buffers, buffers: buffers)
    for index in 0..<buffers {
      list[index] = AudioBuffer(
        mNumberChannels: format.isInterleaved ? basic.mChannelsPerFrame : 1, mDataByteSize: 0,
        mData: memory.baseAddress.map { $0 + index * each })
    }
  }

  /// How many moments are in it; more than ``frameCapacity`` is a programming mistake and changes nothing.
  ///
  /// Apple: `AVAudioPCMBuffer.frameLength`.
  public var frameLength: AVAudioFrameCount {
    get { list[0].mDataByteSize / format.streamDescription.pointee.mBytesPerFrame }
    set {
      guard newValue <= frameCapacity else {
        ProgrammingMistake.report(
          rule: "AVAudioPCMBuffer.frameLength is at most frameCapacity, \(frameCapacity) here.")
        return
      }
      let bytes = newValue * format.streamDescription.pointee.mBytesPerFrame
      for index in 0..<list.count { list[index].mDataByteSize = bytes }
    }
  }

  /// How far the samples of a channel are apart.
  ///
  /// Apple: `AVAudioPCMBuffer.stride`.
  public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

  /// The channels as floating-point numbers; `nil` for other samples.
  ///
  /// Apple: `AVAudioPCMBuffer.floatChannelData`.
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    format.commonFormat == .pcmFormatFloat32 ? floats.table : nil
  }

  /// The channels as integers of 16 bits; `nil` for other samples.
  ///
  /// Apple: `AVAudioPCMBuffer.int16ChannelData`.
  public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
    format.commonFormat == .pcmFormatInt16 ? shorts.table : nil
  }

  /// The channels as integers of 32 bits; `nil` for other samples.
  ///
  /// Apple: `AVAudioPCMBuffer.int32ChannelData`.
  public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
    format.commonFormat == .pcmFormatInt32 ? integers.table : nil
  }

  /// The addresses of each plane's samples, from a frame on.
  func planes(from frame: Int) -> [UnsafeMutableRawPointer?] {
    list.map { $0.mData.map { $0 + frame * Int(format.streamDescription.pointee.mBytesPerFrame) } }
  }

  private lazy var floats = ChannelTable<Float>(self)
  private lazy var shorts = ChannelTable<Int16>(self)
  private lazy var integers = ChannelTable<Int32>(self)

  /// A table of the channels' addresses, at an address that stays.
  private final class ChannelTable<Sample> {
    let table: UnsafePointer<UnsafeMutablePointer<Sample>>

    init(_ buffer: AVAudioPCMBuffer) {
      let memory = UnsafeMutablePointer<UnsafeMutablePointer<Sample>>.allocate(
        capacity: Int(buffer.format.channelCount))
      for channel in 0..<Int(buffer.format.channelCount) {
        let isTogether = buffer.format.isInterleaved
        guard let start = buffer.list[isTogether ? 0 : channel].mData else { continue }
        (memory + channel).initialize(
          to: start.assumingMemoryBound(to: Sample.self) + (isTogether ? channel : 0))
      }
      table = UnsafePointer(memory)
    }

    deinit {
      table.deallocate()
    }
  }
}
