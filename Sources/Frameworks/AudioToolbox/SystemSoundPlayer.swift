internal import ALSADevices
internal import Dispatch
package import Foundation
internal import Linux

/// Plays the program's short sounds, several at a time.
///
/// Thread-safe.
package final class SystemSoundPlayer: Sendable {
  /// A function that plays a sound and returns when it is over, or at once where it cannot play.
  package typealias Output = @Sendable (ShortSound) -> Void

  /// The process's, on ALSA's default device.
  package static let shared = SystemSoundPlayer { sound in
    // A machine without a loudspeaker is silent.
    try? SpeakerOutput.play(sound.samples)
  }

  private struct State {
    var sounds: [UInt32: ShortSound] = [:]
    var next: UInt32 = SystemSoundPlayer.first
    var playing = 0
    var output: Output
  }

  /// Numbers below it are the system's.
  private static let first: UInt32 = 0x1000
  /// More at a time would only be noise, and each holds a thread.
  private static let mostPlaying = 8

  private let state: Locked<State>
  private let queue = DispatchQueue(
    label: "obscura.system-sounds", qos: .userInitiated, attributes: .concurrent)

  /// A player on `output`.
  package init(_ output: @escaping Output) {
    state = Locked(State(output: output))
  }

  /// Plays on another output from now on; returns the one before.
  package func exchange(_ output: @escaping Output) -> Output {
    state.withLock { state in
      defer { state.output = output }
      return state.output
    }
  }

  /// Plays a sound and calls `completion` when it is over, on a thread of its own.
  package func play(_ number: UInt32, _ completion: (@Sendable () -> Void)?) {
    let (sound, output) = state.withLock { state -> (ShortSound?, Output) in
      guard state.playing < Self.mostPlaying,
        let sound = state.sounds[number] ?? ShortSound.system(number)
      else { return (nil, state.output) }
      state.playing += 1
      return (sound, state.output)
    }
    guard sound != nil || completion != nil else { return }
    queue.async { [self] in
      if let sound {
        output(sound)
        state.withLock { $0.playing -= 1 }
      }
      completion?()
    }
  }

  /// The number of a new sound; `nil` where the file is no sound.
  package func create(_ file: URL) -> UInt32? {
    guard let sound = ShortSound(contentsOf: file) else { return nil }
    return state.withLock { state in
      while state.sounds[state.next] != nil { state.next = max(Self.first, state.next &+ 1) }
      defer { state.next = max(Self.first, state.next &+ 1) }
      state.sounds[state.next] = sound
      return state.next
    }
  }

  /// Forgets a sound; whether it was one that was created.
  package func dispose(_ number: UInt32) -> Bool {
    state.withLock { $0.sounds.removeValue(forKey: number) } != nil
  }
}
