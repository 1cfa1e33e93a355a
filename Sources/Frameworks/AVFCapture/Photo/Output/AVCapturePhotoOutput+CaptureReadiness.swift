extension AVCapturePhotoOutput {
  /// The readiness of an output to answer another press in good time.
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

extension PhotosUnderWay {
  /// How ready an output is for another photo, with `announced` photos that will be pressed any moment.
  ///
  /// - Parameters:
  ///   - isRunning: Whether the session runs and is not interrupted.
  ///   - overlaps: Whether the next photo may overlap these.
  ///   - announced: What is known of presses that were announced to a readiness coordinator.
  package func readiness(isRunning: Bool, overlaps: Bool, announced: [Kind] = [])
    -> AVCapturePhotoOutput.CaptureReadiness
  {
    guard isRunning else { return announced.isEmpty ? .sessionNotRunning : .notReadyMomentarily }
    var all = self
    // As if they were pressed now; no photo has their numbers, since real ones are positive.
    for (index, kind) in announced.enumerated() { _ = all.join(Int64(-1 - index), kind) }
    if all.waitingCount == 0, all.hasRoom(for: Kind(overlaps: overlaps)) { return .ready }
    let blocking = all.photos
    if blocking.contains(where: { $0.phase != .processing && $0.kind.isSlowToExpose }) {
      return .notReadyWaitingForCapture
    }
    return blocking.contains { $0.phase == .processing && $0.kind.isSlowToProcess }
      ? .notReadyWaitingForProcessing : .notReadyMomentarily
  }
}
