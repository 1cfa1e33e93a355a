internal import FoundationExtras

extension AVCaptureMovieFileOutput {
  /// Whether movies for both eyes can be recorded: no.
  ///
  /// Apple: `AVCaptureMovieFileOutput.isSpatialVideoCaptureSupported`.
  public var isSpatialVideoCaptureSupported: Bool { false }

  /// Whether movies for both eyes are recorded.
  ///
  /// `true` is a programming mistake without effect while ``isSpatialVideoCaptureSupported`` is `false`.
  ///
  /// Apple: `AVCaptureMovieFileOutput.isSpatialVideoCaptureEnabled`.
  public var isSpatialVideoCaptureEnabled: Bool {
    get { false }
    set {
      guard newValue else { return }
      ProgrammingMistake.report(
        rule: "isSpatialVideoCaptureEnabled cannot be true here; ask isSpatialVideoCaptureSupported first.")
    }
  }
}
