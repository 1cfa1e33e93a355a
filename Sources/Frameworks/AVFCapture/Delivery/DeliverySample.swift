package import CaptureDevice
package import Linux

/// A sample with the properties that a ``DeliveryQueue`` needs.
package protocol DeliverySample: Sendable {
  /// The device's number of the sample in its stream.
  var sequence: UInt32 { get }
  /// When it was captured.
  var timestamp: MonotonicInstant { get }
  /// See ``CapturedFrame/inFlight``.
  var inFlight: (any AnyObject & Sendable)? { get }
  /// The picture, if it is one that others build on.
  var codedPicture: CodedPicture? { get }
  /// How long the sample lasts; 0 where that has no meaning.
  var durationNanoseconds: Int64 { get }
  /// Whether the client may be given this sample instead of an older one that still waits.
  func replaces(_ older: Self) -> Bool
}

extension DeliverySample {
  package var codedPicture: CodedPicture? { nil }
  package var durationNanoseconds: Int64 { 0 }
  package func replaces(_ older: Self) -> Bool { true }
}

extension CapturedFrame: DeliverySample {
  package var codedPicture: CodedPicture? { content.coded }
}

extension CapturedDepth: DeliverySample {}

extension CapturedAudio: DeliverySample {
  package var durationNanoseconds: Int64 {
    Int64((Double(frameCount) * 1e9 / sampleRate).rounded())
  }
}
