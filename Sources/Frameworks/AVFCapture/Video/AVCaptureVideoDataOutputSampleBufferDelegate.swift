public import CoreMedia
internal import Foundation

/// Gets the frames of an `AVCaptureVideoDataOutput`, and reports of those that were lost.
///
/// Every call comes on the queue given to `setSampleBufferDelegate(_:queue:)`, one at a time, in the order of capture.
///
/// Source:
/// [AVCaptureVideoDataOutputSampleBufferDelegate](https://developer.apple.com/documentation/avfoundation/avcapturevideodataoutputsamplebufferdelegate).
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: SampleBufferReceiver {
  /// A frame.
  ///
  /// Its picture is the device's own memory wherever no conversion is due: a client that keeps many of them starves the device,
  /// which then drops frames as out of buffers.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)

  /// A frame that was lost: `sampleBuffer` has its time and, as attachment
  /// `kCMSampleBufferAttachmentKey_DroppedFrameReason`, the reason, but no picture.
  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

/// Every method is optional, as in Objective-C: what a delegate leaves out does nothing.
extension AVCaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {}
}
