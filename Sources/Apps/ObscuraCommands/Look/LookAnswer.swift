/// One event of a look at a camera, as it is printed.
protocol LookAnswer: Encodable, Sendable {
  /// The line for people.
  var line: String { get }
  /// The word for what it tells about: `code`, `motion`, `face`, `person` or `camera`.
  var subject: String { get }
  /// The name that no other event of any run has; `nil` where it is none of a camera.
  var id: String? { get set }
  /// Whether it is what was looked for, with which `--once` ends.
  var isFinding: Bool { get }
}
