internal import ALSADevices
package import CoreMedia
internal import Linux

/// The output of a player's audio, which asks for the audio as it plays it.
package protocol AudioSink: AnyObject, Sendable {
  /// Begins to take audio.
  ///
  /// - Parameter render: Makes so many moments of interleaved stereo at 48 kHz, of which the first is heard at that time of the
  ///   player's clock; called on one thread at a time, until ``stop()`` has been called.
  func start(_ render: @escaping @Sendable (_ frames: Int, _ heardAt: CMTime) -> [Float])
  /// Ends; what was not heard yet is not.
  func stop()
}

/// The machine's default output; silent on a machine without one.
final class DefaultAudioSink: AudioSink {
  private let playback = Locked<AudioPlayback?>(nil)

  func start(_ render: @escaping @Sendable (_ frames: Int, _ heardAt: CMTime) -> [Float]) {
    // Without a sound card a movie plays silently.
    let made = try? AudioPlayback { frames, heardAt in render(frames, CMTime(heardAt)) }
    let old = playback.withLock { playback in
      defer { playback = made }
      return playback
    }
    old?.stop()
  }

  func stop() {
    let old = playback.withLock { playback in
      defer { playback = nil }
      return playback
    }
    old?.stop()
  }
}
