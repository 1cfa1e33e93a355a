internal import CaptureDevice

/// The formats of a microphone: the device contract has no list of them, every microphone sends one or two channels of
/// 16-bit integers at 48 kHz.
enum SoundFormats {
  /// Samples of one channel in a second.
  static let sampleRate = 48_000.0
  /// The numbers of the formats; the first is one channel, what speech needs and phones deliver unasked.
  static let indices = 0..<2

  /// How many channels a format has.
  static func channels(ofFormat index: Int) -> Int {
    indices.contains(index) ? index + 1 : 1
  }
}

extension DeviceFacts {
  /// Whether the device delivers sound and no pictures.
  var isMicrophone: Bool { !media.contains(.video) && media.contains(.audio) }
}
