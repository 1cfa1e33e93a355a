internal import FoundationExtras

/// The bit rate that settings of compressed audio ask for.
package enum AudioBitRate {
  /// Bits a second of all channels; `nil` leaves it to the encoder.
  ///
  /// A rate counts before one of a channel, and that before a quality, which asks for 32 to 128 kbit/s of a channel.
  package static func asked(_ settings: [String: Any], channels: Int) -> Int? {
    if let rate = LooseNumber.integer(settings[AVEncoderBitRateKey]) { return rate }
    if let rate = LooseNumber.integer(settings[AVEncoderBitRatePerChannelKey]) { return rate * channels }
    let isVariable = settings[AVEncoderBitRateStrategyKey] as? String == AVAudioBitRateStrategy_Variable
    let quality =
      (isVariable ? number(settings[AVEncoderAudioQualityForVBRKey]) : nil)
      ?? number(settings[AVEncoderAudioQualityKey])
    return quality.map { perChannel($0) * channels }
  }

  /// A quality, also as the enumeration itself.
  private static func number(_ value: Any?) -> Int? {
    (value as? AVAudioQuality)?.rawValue ?? LooseNumber.integer(value)
  }

  private static func perChannel(_ quality: Int) -> Int {
    switch quality {
    case ..<0x20: 32_000
    case ..<0x40: 48_000
    case ..<0x60: 64_000
    case ..<0x7F: 96_000
    default: 128_000
    }
  }
}
