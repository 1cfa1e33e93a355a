internal import CALSA
internal import Glibc

/// This machine's default loudspeaker, as ALSA's configuration names it.
package enum SpeakerOutput {
  /// Plays 16-bit samples, channels side by side; blocks until they have been heard, or the device takes none for two seconds.
  ///
  /// - Throws: ``AudioRefusal`` where there is no loudspeaker, or it does not take them.
  package static func play(_ samples: [Int16], rate: Int, channels: Int) throws(AudioRefusal) {
    guard channels > 0, rate > 0 else { throw AudioRefusal(.open, EINVAL) }
    let answer = samples.withUnsafeBufferPointer { samples in
      cam_alsa_play(
        "default", samples.baseAddress, UInt(samples.count / channels), UInt32(rate), UInt32(channels))
    }
    if answer < 0 { throw AudioRefusal(.open, -answer) }
  }
}
