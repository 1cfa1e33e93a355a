internal import Linux

/// What a program asked for of the system's short sounds and of vibration; for tests.
///
/// Thread-safe.
package final class SystemSoundRecording: Sendable {
  private static let recordings = WeakObjects<SystemSoundRecording>()

  private let list = Locked<[UInt32]>([])

  /// Gets every request of the process from now on, as long as it is held.
  package init() {
    Self.recordings.add(self)
  }

  /// The numbers of the sounds until now, in order.
  package var sounds: [UInt32] { list.withLock { $0 } }

  /// Notes a request.
  ///
  /// - Returns: Whether there is a recording that has it now, so that neither sound nor vibration is wanted.
  package static func note(_ sound: UInt32) -> Bool {
    let present = recordings.present
    for recording in present { recording.list.withLock { $0.append(sound) } }
    return !present.isEmpty
  }
}
