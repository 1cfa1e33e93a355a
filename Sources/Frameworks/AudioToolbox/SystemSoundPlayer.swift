internal import ALSADevices
internal import Dispatch
package import Foundation
package import FoundationExtras
internal import Linux

/// Plays the program's short sounds, several at a time.
///
/// Thread-safe.
package final class SystemSoundPlayer: Sendable {
  /// A function that plays a sound and returns when it is over, or at once where it cannot play.
  package typealias Output = @Sendable (ShortSound) -> Void
  /// A function that begins to vibrate; what it returns is kept as long as that takes, and is `nil` where nothing vibrates.
  package typealias Motor = @Sendable () -> (any AnyObject & Sendable)?

  /// The process's, on ALSA's default device and the machine's motor.
  package static let shared = SystemSoundPlayer { sound in
    // A machine without a loudspeaker is silent.
    try? SpeakerOutput.play(sound.samples)
  } motor: {
    Vibration().start()
  }

  private struct State {
    var sounds: [UInt32: ShortSound] = [:]
    var next: UInt32 = SystemSoundPlayer.first
    var playing = 0
    /// Whether the motor is being asked, which may take its time.
    var asksMotor = false
    var output: Output
    var motor: Motor
    var silence = SystemSoundSilence.shared
  }

  /// Numbers below it are the system's.
  private static let first: UInt32 = 0x1000
  /// More at a time would only be noise, and each holds a thread.
  private static let mostPlaying = 8

  private let state: Locked<State>
  private let queue = DispatchQueue(
    label: "obscura.system-sounds", qos: .userInitiated, attributes: .concurrent)

  /// A player on `output` and `motor`.
  package init(_ output: @escaping Output, motor: @escaping Motor) {
    state = Locked(State(output: output, motor: motor))
  }

  /// Plays on another output from now on; returns the one before.
  package func exchange(_ output: @escaping Output) -> Output {
    state.withLock { state in
      defer { state.output = output }
      return state.output
    }
  }

  /// Vibrates with another motor from now on; returns the one before.
  package func exchange(motor: @escaping Motor) -> Motor {
    state.withLock { state in
      defer { state.motor = motor }
      return state.motor
    }
  }

  /// Is silent as another silence says from now on; returns the one before.
  package func exchange(silence: SystemSoundSilence) -> SystemSoundSilence {
    state.withLock { state in
      defer { state.silence = silence }
      return state.silence
    }
  }

  /// Plays a sound, or vibrates, and calls `completion` when it is over, on a thread of its own.
  ///
  /// While a ``SystemSoundRecording`` notes it, or the program's microphone runs and silences it, it is over at once.
  ///
  /// - Parameter isAlert: Whether the sound is an alert, with which a phone vibrates.
  package func play(_ number: UInt32, isAlert: Bool = false, _ completion: (@Sendable () -> Void)?) {
    if state.withLock({ $0.silence }).isSilent || SystemSoundRecording.note(number) {
      if let completion { queue.async(execute: completion) }
      return
    }
    let isVibration = number == kSystemSoundID_Vibrate
    let (sound, motor, output) = state.withLock { state -> (ShortSound?, Motor?, Output) in
      let known = state.sounds[number] ?? ShortSound.system(number)
      let sound = state.playing < Self.mostPlaying ? known : nil
      // While it is being asked, another request would only wait for the same answer.
      let moves = isVibration || (isAlert && known != nil)
      let motor = moves && !state.asksMotor ? state.motor : nil
      if sound != nil { state.playing += 1 }
      if motor != nil { state.asksMotor = true }
      return (sound, motor, state.output)
    }
    let group = DispatchGroup()
    if let sound {
      queue.async(group: group) { [state] in
        output(sound)
        state.withLock { $0.playing -= 1 }
      }
    }
    // Beside the sound: who moves the motor may take half a minute to answer.
    if let motor { queue.async(group: group) { [self] in vibrate(motor, group) } }
    if let completion { group.notify(queue: queue, execute: completion) }
  }

  private func vibrate(_ motor: Motor, _ group: DispatchGroup) {
    let running = motor()
    state.withLock { $0.asksMotor = false }
    guard let running else { return }
    group.enter()
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(Vibration.milliseconds))) {
      withExtendedLifetime(running) {}
      group.leave()
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
