public import CoreMedia

/// Gets the maps of an `AVCaptureDepthDataOutput`, and reports of those that were lost.
///
/// Every call comes on the queue given to `setDelegate(_:callbackQueue:)`, one at a time, in the order of capture.
///
/// Source:
/// [AVCaptureDepthDataOutputDelegate](https://developer.apple.com/documentation/avfoundation/avcapturedepthdataoutputdelegate).
public protocol AVCaptureDepthDataOutputDelegate: AnyObject {
  /// A map, measured at `timestamp` on the session's `synchronizationClock`: that of the frame of the same moment, where one
  /// sensor makes both.
  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection)

  /// A map that was lost: `depthData` has its type and size, and knows no distance.
  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason)
}

/// Every method is optional, as in Objective-C: what a delegate leaves out does nothing.
extension AVCaptureDepthDataOutputDelegate {
  /// Does nothing.
  public func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {}

  /// Does nothing.
  public func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason
  ) {}
}
