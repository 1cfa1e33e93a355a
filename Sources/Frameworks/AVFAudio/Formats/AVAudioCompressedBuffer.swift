public import CoreMedia
internal import Foundation

/// Packets of coded audio in memory.
///
/// Apple: `AVAudioCompressedBuffer`.
public final class AVAudioCompressedBuffer: AVAudioBuffer {
  /// How many packets fit.
  ///
  /// Apple: `AVAudioCompressedBuffer.packetCapacity`.
  public let packetCapacity: AVAudioPacketCount
  /// The bytes of the largest packet.
  ///
  /// Apple: `AVAudioCompressedBuffer.maximumPacketSize`.
  public let maximumPacketSize: Int
  /// How many bytes fit.
  ///
  /// Apple: `AVAudioCompressedBuffer.byteCapacity`.
  public let byteCapacity: UInt32
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>

  /// An empty buffer.
  ///
  /// Apple: `AVAudioCompressedBuffer.init(format:packetCapacity:maximumPacketSize:)`.
  public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
    self.packetCapacity = packetCapacity
    self.maximumPacketSize = maximumPacketSize
    byteCapacity = UInt32(clamping: Int(packetCapacity) * max(0, maximumPacketSize))
    descriptions = .allocate(capacity: max(1, Int(packetCapacity)))
    descriptions.initialize(repeating: AudioStreamPacketDescription(), count: max(1, Int(packetCapacity)))
    super.init(format, bytes: Int(byteCapacity), buffers: 1)
    list[0] = AudioBuffer(
      mNumberChannels: format.channelCount, mDataByteSize: 0, mData: memory.baseAddress)
  }

  /// An empty buffer for packets of one size; one of a format whose packets vary is a programming mistake, and has no room.
  ///
  /// Apple: `AVAudioCompressedBuffer.init(format:packetCapacity:)`.
  public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
    self.init(
      format: format, packetCapacity: packetCapacity,
      maximumPacketSize: Int(format.streamDescription.pointee.mBytesPerPacket))
  }

  deinit {
    descriptions.deallocate()
  }

  /// How many packets there are; at most ``packetCapacity``.
  ///
  /// Apple: `AVAudioCompressedBuffer.packetCount`.
  public var packetCount: AVAudioPacketCount = 0 {
    didSet { packetCount = min(packetCount, packetCapacity) }
  }

  /// How many bytes there are; at most ``byteCapacity``.
  ///
  /// Apple: `AVAudioCompressedBuffer.byteLength`.
  public var byteLength: UInt32 {
    get { list[0].mDataByteSize }
    set { list[0].mDataByteSize = min(newValue, byteCapacity) }
  }

  /// The bytes, one packet behind the other.
  ///
  /// Apple: `AVAudioCompressedBuffer.data`.
  public var data: UnsafeMutableRawPointer {
    // Safe because a buffer has memory, if only one byte.
    memory.baseAddress.unsafelyUnwrapped
  }

  /// Where each packet lies; ``packetCapacity`` of them.
  ///
  /// Apple: `AVAudioCompressedBuffer.packetDescriptions`.
  public var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? {
    descriptions
  }

  /// Adds a packet; `false` where there is no room for it.
  func append(_ packet: Data) -> Bool {
    guard packetCount < packetCapacity, Int(byteLength) + packet.count <= Int(byteCapacity) else {
      return false
    }
    packet.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        (data + Int(byteLength)).copyMemory(from: base, byteCount: bytes.count)
      }
    }
    descriptions[Int(packetCount)] = AudioStreamPacketDescription(
      mStartOffset: Int64(byteLength), mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
    byteLength += UInt32(packet.count)
    packetCount += 1
    return true
  }

  /// The bytes of each packet.
  var packets: [Data] {
    (0..<Int(packetCount)).compactMap { index in
      let place = descriptions[index]
      guard place.mStartOffset >= 0, place.mStartOffset + Int64(place.mDataByteSize) <= Int64(byteLength)
      else {
        return nil
      }
      return Data(bytes: data + Int(place.mStartOffset), count: Int(place.mDataByteSize))
    }
  }
}
