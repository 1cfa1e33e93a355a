/// One way in which a microphone can stream: 16-bit integers, side by side.
public struct AudioStreamFormat: Sendable, Hashable {
  /// Samples of one channel in a second.
  public var rate: Int
  /// 1 or 2.
  public var channels: Int

  /// A format of `rate` samples a second.
  public init(rate: Int, channels: Int) {
    self.rate = rate
    self.channels = channels
  }

  /// The formats of a microphone of which nothing is known: one channel, which speech needs and phones send by default, or two.
  public static let usual = [
    AudioStreamFormat(rate: 48_000, channels: 1), AudioStreamFormat(rate: 48_000, channels: 2),
  ]

  /// The formats to ask a microphone for, best first: the rate of movies, music's, better ones, speech's.
  public static let common = [48_000, 44_100, 96_000, 32_000, 24_000, 22_050, 16_000, 11_025, 8000]
    .flatMap { rate in (1...2).map { AudioStreamFormat(rate: rate, channels: $0) } }
}
