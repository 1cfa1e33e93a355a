/// What the video screen shows.
package struct RecordingState: Sendable, Equatable {
  /// How far a recording is.
  package enum Phase: Sendable, Equatable { case idle, starting, recording, paused, finishing }

  package var phase = Phase.idle
  /// Seconds in the file.
  package var seconds = 0.0
  package var bytes: Int64 = 0
  /// How loud it is, from 0 to 1; `nil` without a microphone.
  package var level: Double?
  /// Bytes that are free where movies go.
  package var freeBytes: Int64?

  /// Nothing is recorded.
  package init() {}

  /// Whether a file is being written.
  package var isActive: Bool { phase != .idle }
}
