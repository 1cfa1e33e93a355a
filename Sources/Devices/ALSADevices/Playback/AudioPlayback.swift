internal import CALSA
internal import Foundation
package import Linux

/// Plays audio on the machine's default output, on a thread of its own.
///
/// Thread-safe.
package final class AudioPlayback: Sendable {
  /// Makes samples: so many moments of interleaved stereo, of which the first is heard then.
  package typealias Render = @Sendable (_ frames: Int, _ heardAt: MonotonicInstant) -> [Float]

  /// Moments in a second.
  package static let rate = 48_000
  private let wake: WakeUp
  private let stopped = Locked(false)
  private let thread: ReaderThread

  /// Opens the output and begins to play.
  ///
  /// - Throws: ``AudioRefusal`` when there is no sound card, or another program has it.
  package init(device: String = "default", render: @escaping Render) throws {
    let output = try Output(device)
    let wake = try WakeUp()
    self.wake = wake
    let stopped = stopped
    thread = try ReaderThread(name: "obscura-audio") {
      output.run(wake, render) { stopped.withLock { $0 } }
    }
  }

  deinit {
    stop()
  }

  /// Ends playing at once; what was not heard yet is not.
  package func stop() {
    stopped.withLock { $0 = true }
    wake.signal()
  }

  /// The open device.
  private final class Output: @unchecked Sendable {  // Safe because only the thread uses it once it is made.
    let pcm: OpaquePointer
    let setup: cam_alsa_setup

    init(_ name: String) throws(AudioRefusal) {
      var opened: OpaquePointer?
      let status = cam_alsa_open_playback(name, &opened)
      guard status >= 0, let opened else { throw AudioRefusal(.open, -status) }
      var asked = cam_alsa_setup(
        format: 0, rate: UInt32(AudioPlayback.rate), channels: 2, chunk_frames: 480, buffer_frames: 3840)
      let configured = cam_alsa_configure(opened, &asked)
      // The formats that this plays are the common ones; a card with others is reached through ALSA's own conversion.
      guard configured >= 0, asked.format == Int32(CAM_ALSA_S16), asked.channels == 2,
        asked.rate == UInt32(AudioPlayback.rate)
      else {
        cam_alsa_close(opened)
        throw AudioRefusal(.configure, configured < 0 ? -configured : EINVAL)
      }
      pcm = opened
      setup = asked
    }

    deinit {
      cam_alsa_close(pcm)
    }

    func run(_ wake: WakeUp, _ render: Render, _ isStopped: () -> Bool) {
      let chunk = 480
      var isStarted = false
      var queued = 0
      while !isStopped() {
        if isStarted {
          let answer = cam_alsa_wait(pcm, wake.descriptor.number, 1_000)
          if answer < 0, !recover(&isStarted, &queued) { return }
          if answer <= 0 { continue }
        }
        if isStopped() { break }
        let delay = isStarted ? max(0, cam_alsa_delay(pcm)) : queued
        let heard = MonotonicInstant(
          nanoseconds: MonotonicInstant.now.nanoseconds + Int64(delay) * 1_000_000_000
            / Int64(AudioPlayback.rate))
        let samples = render(chunk, heard).map { Int16((max(-1, min(1, $0)) * 32_767).rounded()) }
        let written = samples.withUnsafeBytes {
          cam_alsa_write(pcm, $0.baseAddress, UInt(samples.count / 2))
        }
        if written < 0 {
          if written != -Int(EAGAIN), !recover(&isStarted, &queued) { return }
          continue
        }
        queued += Int(written)
        if !isStarted, queued + chunk > Int(setup.buffer_frames) {
          guard cam_alsa_start(pcm) >= 0 else { return }
          isStarted = true
        }
      }
      _ = cam_alsa_stop(pcm)
    }

    /// After a gap: begins anew; `false` when the card is gone.
    private func recover(_ isStarted: inout Bool, _ queued: inout Int) -> Bool {
      (isStarted, queued) = (false, 0)
      return cam_alsa_prepare(pcm) >= 0
    }
  }
}
