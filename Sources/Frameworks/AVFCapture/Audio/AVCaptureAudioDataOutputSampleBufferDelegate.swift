public import CoreMedia
internal import Foundation

/// Gets the audio of an `AVCaptureAudioDataOutput`.
///
/// The method is the same as that of `AVCaptureVideoDataOutputSampleBufferDelegate`: a class that is the delegate of both
/// has it once and distinguishes audio from pictures by the output or the connection. Every call comes on the queue given to
/// `setSampleBufferDelegate(_:queue:)`, one at a time, in the order of capture.
///
/// Source:
/// [AVCaptureAudioDataOutputSampleBufferDelegate](https://developer.apple.com/documentation/avfoundation/avcaptureaudiodataoutputsamplebufferdelegate).
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: SampleBufferReceiver {
  /// A chunk of audio; optional.
  ///
  /// Its data is the device's own memory wherever no conversion is due. The stretch that follows lost audio carries the
  /// attachment `kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence`.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}
