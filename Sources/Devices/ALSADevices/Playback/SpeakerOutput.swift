internal import Foundation
internal import Linux

/// Short sounds on this machine's default loudspeaker, as ALSA's configuration names it.
package enum SpeakerOutput {
  /// A device that has not begun to play a sound so long after it should have ended is not going to.
  private static let timeoutNanoseconds: Int64 = 2_000_000_000

  private struct Progress {
    var place = 0
    /// When the last sample is heard; known once it was handed over.
    var end: MonotonicInstant?
  }

  /// Plays 16-bit stereo at ``AudioPlayback/rate``, channels side by side; blocks until it has been heard, or the device takes
  /// none for two seconds.
  ///
  /// - Throws: ``AudioRefusal`` where there is no loudspeaker, or it does not take them.
  package static func play(_ samples: [Int16], device: String = "default") throws {
    let count = samples.count / 2
    let progress = Monitor(Progress())
    let playback = try AudioPlayback(device: device) { frames, heardAt in
      let place = progress.withLock { progress in
        defer { progress.place = min(count, progress.place + frames) }
        if progress.place >= count { progress.end = progress.end ?? heardAt }
        return progress.place
      }
      let part = samples[2 * place..<2 * min(count, place + frames)].map { Float($0) / 32_767 }
      return part + [Float](repeating: 0, count: 2 * frames - part.count)
    }
    defer { playback.stop() }
    let length = Int64(count) * 1_000_000_000 / Int64(AudioPlayback.rate)
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: length + timeoutNanoseconds)
    let end = progress.wait(until: deadline, for: { $0.end != nil }, then: { $0.end })
    guard let end = end ?? nil else { return }
    // Stopping forgets what was not heard yet.
    let rest = end.nanoseconds - MonotonicInstant.now.nanoseconds
    if rest > 0 { Thread.sleep(forTimeInterval: Double(rest) / 1e9) }
  }
}
