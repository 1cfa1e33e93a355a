/// What a photo output knows of zero shutter lag.
struct ZeroShutterLag: Sendable {
  /// What can be observed.
  struct Facts: Sendable, Equatable {
    var supported = false
    var enabled = false
  }

  /// Whether clients want it where it is possible.
  var isWanted = true
  /// What holds.
  var present = Facts()
  /// What observers know.
  var reported = Facts()
}
