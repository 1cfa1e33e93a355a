package import CaptureDevice

/// A sample that a device hands to its sinks, in order, or the report of a lost one.
package enum MediaSample: Sendable {
  case frame(CapturedFrame)
  case audio(CapturedAudio)
  case depth(CapturedDepth)
  /// A frame, a chunk of audio or a depth map that the device counted and lost; the route says which.
  case lost(DroppedFrame)
}
