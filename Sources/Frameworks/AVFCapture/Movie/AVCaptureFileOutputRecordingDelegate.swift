public import CoreMedia
public import Foundation

/// Hears how the recording of one file goes.
///
/// For each file, in this order: `didStartRecordingTo`, `didPauseRecordingTo` and `didResumeRecordingTo` as often as the client asks
/// for it, `willFinishRecordingTo`, `didFinishRecordingTo`. The last two come exactly once whatever happens, the first only when
/// something was recorded. The delegate is retained until the end.
///
/// All calls of one output come on one serial queue of its own, never on the main queue, so that they come in programs whose
/// main queue does not run. Everything may be called from inside them.
///
/// Source: [AVCaptureFileOutputRecordingDelegate](https://developer.apple.com/documentation/avfoundation/avcapturefileoutputrecordingdelegate).
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
  /// The first sample is written.
  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection])

  /// The newer form of `didStartRecordingTo`: with the time of the first sample on the session's clock.
  ///
  /// A delegate that has both gets this one only.
  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
    from connections: [AVCaptureConnection])

  /// Samples from now on are left out.
  func fileOutput(
    _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection])

  /// Samples from now on are written again.
  func fileOutput(
    _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection])

  /// No sample comes any more; `error` says what ended the recording, `nil` that the client did.
  func fileOutput(
    _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?)

  /// The file is whole, unless `error` says otherwise.
  ///
  /// An error with `AVErrorRecordingSuccessfullyFinishedKey` says what ended the recording early; the file can be played.
  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?)
}

/// Every method but the last is optional, as in Objective-C: what a delegate leaves out does nothing.
extension AVCaptureFileOutputRecordingDelegate {
  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {}

  /// Calls the older form.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
    from connections: [AVCaptureConnection]
  ) {
    fileOutput(output, didStartRecordingTo: fileURL, from: connections)
  }

  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {}

  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {}

  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) {}
}
