/// What a photo output knows of zero shutter lag.
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
