public import CoreMedia

/// The method that the delegates of video and audio data outputs share.
///
/// Their Apple names have one method with the same signature, which is optional in both. In Swift that needs one default for
/// both, or a class that is the delegate of both and leaves the method out would have two to choose from.
public protocol SampleBufferReceiver: AnyObject {
  /// A frame or a chunk of audio.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension SampleBufferReceiver {
  /// Does nothing: the method is optional, as in Objective-C.
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {}
}
