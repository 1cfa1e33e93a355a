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

  /// What a microphone has of which nothing else is known: one channel, what speech needs and phones send unasked, or two.
  public static let usual = [
    AudioStreamFormat(rate: 48_000, channels: 1), AudioStreamFormat(rate: 48_000, channels: 2),
  ]

  /// What is worth asking a microphone for, best first: films' rate, music's, better ones, speech's.
  public static let common = [48_000, 44_100, 96_000, 32_000, 24_000, 22_050, 16_000, 11_025, 8000]
    .flatMap { rate in (1...2).map { AudioStreamFormat(rate: rate, channels: $0) } }
}
