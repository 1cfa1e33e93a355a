internal import CameraTasks
internal import Linux

/// The things that a command looks for in a camera's pictures.
///
/// Frames come on threads of their own; everything here is called by the command's thread.
protocol LookSubject: Sendable {
  /// The things for people, in the plural: `codes`.
  var name: String { get }
  /// The second half of the sentence that says that nothing was seen, and what to do, where `time` is the limit:
  /// `saw no code within 3 s; hold one nearer.`
  func nothingSeen(within time: String) -> String
  /// Adds its outputs to a run that has not started.
  /// - Throws: what keeps it from looking.
  func attach(to run: CameraRun) throws
  /// The number of frames that the camera has brought.
  var frameCount: Int { get }
  /// Frames have come since the last call, or since the start, at this moment.
  func framesCame(at moment: MonotonicInstant)
  /// Takes what is new; blocks until there is something, at most until `moment`.
  func takeNew(until moment: MonotonicInstant) -> [any LookAnswer]
  /// Whether the camera's absence and its return are printed, too; published they are in any case.
  var printsCamera: Bool { get }
  /// The camera is away.
  func cameraWentAway()
  /// The look ends: what is still to be said comes with the next ``takeNew(until:)``.
  func end()
}
