/// The state of a recording on the video screen.
package struct RecordingState: Sendable, Equatable {
  /// The phase of a recording.
  package enum Phase: Sendable, Equatable { case idle, starting, recording, paused, finishing }

  package var phase = Phase.idle
  /// Seconds in the file.
  package var seconds = 0.0
  package var bytes: Int64 = 0
  /// The pictures of a time-lapse that the camera did not have in time.
  package var missed = 0
  /// The audio level, from 0 to 1; `nil` without a microphone.
  package var level: Double?
  /// Bytes that are free where movies go.
  package var freeBytes: Int64?

  /// Nothing is recorded.
  package init() {}

  /// Whether a file is being written.
  package var isActive: Bool { phase != .idle }
}
