/// What a photo output knows of zero shutter lag.
struct ZeroShutterLag: Sendable {
  /// Whether clients want it where it is possible.
  var isWanted = true
  /// What observers know.
  var reported = (supported: false, enabled: false)
}
