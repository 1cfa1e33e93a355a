/// Turns what a device sends into 16-bit integers of the first one or two channels.
///
/// More bits are rounded to the nearest and cut off at full scale, without dither: a microphone's own noise lies above the
/// sixteenth bit. Thread-safe; nothing is kept.
package struct SampleUnpacking: Sendable, Hashable {
  /// The encoding of the device's samples.
  package var encoding: AudioEncoding
  /// Channels of the device.
  package var sourceChannels: Int
  /// Channels that come out: the first ones.
  package var channels: Int

  /// From so many channels to fewer or as many.
  package init(_ encoding: AudioEncoding, from sourceChannels: Int, to channels: Int) {
    self.encoding = encoding
    self.sourceChannels = sourceChannels
    self.channels = channels
  }

  /// Whether the device's bytes are the result already.
  package var isIdentity: Bool { encoding == .integer16 && sourceChannels == channels }

  /// Unpacks `frames` samples of each channel; `target` has room for them.
  package func unpack(
    _ source: UnsafeRawBufferPointer, frames: Int, into target: UnsafeMutableRawBufferPointer
  ) {
    let step = encoding.byteCount
    for frame in 0..<frames {
      for channel in 0..<channels {
        let place = (frame * sourceChannels + channel) * step
        let sample = Self.rounded(value(source, at: place))
        target.storeBytes(
          of: sample.littleEndian, toByteOffset: 2 * (frame * channels + channel), as: Int16.self)
      }
    }
  }

  /// One sample at the scale of 32 bits.
  private func value(_ source: UnsafeRawBufferPointer, at place: Int) -> Int32 {
    switch encoding {
    case .integer16:
      Int32(Int16(littleEndian: source.loadUnaligned(fromByteOffset: place, as: Int16.self))) << 16
    case .integer32: Int32(littleEndian: source.loadUnaligned(fromByteOffset: place, as: Int32.self))
    // The upper byte may hold anything.
    case .integer24In4:
      Int32(littleEndian: source.loadUnaligned(fromByteOffset: place, as: Int32.self)) << 8
    case .integer24In3:
      Int32(source[place]) << 8 | Int32(source[place + 1]) << 16
        | Int32(Int8(bitPattern: source[place + 2])) << 24
    }
  }

  private static func rounded(_ value: Int32) -> Int16 {
    let (sum, isOver) = value.addingReportingOverflow(1 << 15)
    return isOver ? .max : Int16(truncatingIfNeeded: sum >> 16)
  }
}
