internal import AVFCore

/// Hears of what an `AVCaptureMetadataOutput` finds.
///
/// Source:
/// [AVCaptureMetadataOutputObjectsDelegate](https://developer.apple.com/documentation/avfoundation/avcapturemetadataoutputobjectsdelegate).
public protocol AVCaptureMetadataOutputObjectsDelegate: AnyObject {
  /// What was found in one picture.
  ///
  /// Comes for every searched picture in which something was found, and once with an empty array for the first in which
  /// nothing is any more. On the queue given to `setMetadataObjectsDelegate(_:queue:)`, one call at a time, in order.
  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection)
}

/// Every method is optional, as in Objective-C: what a delegate leaves out does nothing.
extension AVCaptureMetadataOutputObjectsDelegate {
  /// Does nothing.
  public func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {}
}
