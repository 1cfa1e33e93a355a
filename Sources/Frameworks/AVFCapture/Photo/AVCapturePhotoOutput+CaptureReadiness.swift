extension AVCapturePhotoOutput {
  /// Whether an output can answer another press in good time.
  ///
  /// Source:
  /// [CaptureReadiness](https://developer.apple.com/documentation/avfoundation/avcapturephotooutput/capturereadiness-swift.enum).
  public enum CaptureReadiness: Int, Sendable {
    /// The session does not run, or is interrupted.
    case sessionNotRunning = 0
    /// A press begins at once.
    case ready = 1
    /// Not now, but in a moment: no reason to dim a shutter button.
    case notReadyMomentarily = 2
    /// Not for a while: a flash, a bracket or an exposure of more than a quarter of a second is being taken.
    case notReadyWaitingForCapture = 3
    /// Not for a while: a photo is processed that asked for `.quality`, or whose like took half a second and more.
    case notReadyWaitingForProcessing = 4
  }
}
