/// What the video screen shows.
public struct RecordingState: Sendable, Equatable {
  /// How far a recording is.
  public enum Phase: Sendable, Equatable { case idle, starting, recording, paused, finishing }

  public var phase = Phase.idle
  /// Seconds in the file.
  public var seconds = 0.0
  public var bytes: Int64 = 0
  /// How loud it is, from 0 to 1; `nil` without a microphone.
  public var level: Double?
  /// Bytes that are free where movies go.
  public var freeBytes: Int64?

  /// Nothing is recorded.
  public init() {}

  /// Whether a file is being written.
  public var isActive: Bool { phase != .idle }
}
