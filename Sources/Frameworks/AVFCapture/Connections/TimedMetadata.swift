internal import CoreMedia
internal import Foundation

/// Metadata of a client from a moment on, as its bytes in a track.
struct TimedMetadata: Sendable {
  /// The moment, on ``clock``.
  var start: CMTime
  /// When it ends; `nil` when the next one ends it.
  var end: CMTime?
  /// The boxes of its items; an empty box for a time without metadata.
  var data: Data
  var clock: CMClock
}

/// An output that takes what clients bring of metadata: a movie file output, as its inputs know it.
protocol TimedMetadataReceiver: AnyObject {
  /// Takes metadata that follows what came before it over the same connection; must only enqueue.
  func receive(_ metadata: TimedMetadata, over connection: AVCaptureConnection)
}

/// An output that follows how connections turn and mirror: a movie file output, as its connections know it.
protocol OrientationReceiver: AnyObject {
  /// Notes what a connection does to pictures from now on; must only enqueue.
  func noteOrientation(of connection: AVCaptureConnection)
}
