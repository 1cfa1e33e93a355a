/// The format of uncompressed audio in memory.
package struct AudioFormat: Sendable, Hashable {
  /// The type of one sample.
  package enum Sample: Sendable, Hashable, CaseIterable {
    /// A signed integer of so many bits.
    case integer8, integer16, integer24, integer32
    /// A floating-point number between -1 and 1.
    case float32

    /// Bytes of one sample.
    package var size: Int {
      switch self {
      case .integer8: 1
      case .integer16: 2
      case .integer24: 3
      case .integer32, .float32: 4
      }
    }
  }

  /// Samples of one channel in a second.
  package var rate: Double
  /// 1 or 2.
  package var channels: Int
  /// The type of a sample.
  package var sample: Sample
  /// Whether the byte of most weight comes first.
  package var isBigEndian: Bool
  /// Whether the samples of a moment lie together; else each channel's lie one after the other, channel after channel.
  package var isInterleaved: Bool

  /// A format; without the last ones the interleaved, little-endian integers that devices send.
  package init(
    rate: Double, channels: Int, sample: Sample = .integer16, isBigEndian: Bool = false,
    isInterleaved: Bool = true
  ) {
    self.rate = rate
    self.channels = channels
    self.sample = sample
    self.isBigEndian = isBigEndian
    self.isInterleaved = isInterleaved
  }

  /// Bytes of one moment in all channels.
  package var frameSize: Int { sample.size * channels }
}
