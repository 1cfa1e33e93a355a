/// The state of zero shutter lag in a photo output.
struct ZeroShutterLag: Sendable {
  /// The values of the observable properties.
  struct Facts: Sendable, Equatable {
    var supported = false
    var enabled = false
  }

  /// Whether clients want it where it is possible.
  var isWanted = true
  /// The present values.
  var present = Facts()
  /// The values that observers know.
  var reported = Facts()
}
