internal import CaptureDevice
internal import V4L2Devices

/// One thing that the doctor looked at.
struct Finding: Encodable, Sendable {
  /// The subject: `nodes`, `cameras`, `usb`, `pipewire`, `microphones`, `plugs`, `libraries`, `encoders`, `decoders`, `codes`, `faces`,
  /// `text`, `publishing`, `library`, or a backend's name.
  var subject: String
  var isProblem: Bool
  /// Whether it is about a part that nothing else needs, and that is missing.
  var isNote = false
  /// One sentence; for a problem, with what to do.
  var text: String
  /// The unique identifier of the camera that it is about.
  var camera: String?
  /// The exit code when this keeps every camera from being used; `nil` for a finding that leaves them usable.
  var exitCode: ExitCode?

  /// The first word of the line for people, as wide as the longest one.
  var label: String { isProblem ? "problem" : isNote ? "note   " : "ok     " }

  private enum CodingKeys: String, CodingKey {
    case subject, isProblem, isNote, text, camera
  }

  init(_ subject: String, _ text: String) {
    self.subject = subject
    self.text = text
    isProblem = false
  }

  init(_ subject: String, note text: String) {
    self.init(subject, text)
    isNote = true
  }

  init(_ subject: String, problem text: String, exitCode: ExitCode? = nil, camera: String? = nil) {
    self.subject = subject
    self.text = text
    self.exitCode = exitCode
    self.camera = camera
    isProblem = true
  }

  /// - Parameter backend: The name of the backend that found it.
  init(_ finding: BackendFinding, of backend: String) {
    self.init(backend, finding.sentence)
    isProblem = finding.weight == .trouble
    isNote = finding.weight == .note
  }

  init(_ finding: CameraFinding) {
    subject = finding.subject.rawValue
    isProblem = finding.isTrouble
    text = finding.sentence
    camera = finding.uniqueID
    exitCode = finding.code.map { ExitCode($0) }
  }
}
