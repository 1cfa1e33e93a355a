package import CaptureDevice

/// A sample that a device hands to its sinks, in order, or the report of a lost one.
package enum MediaSample: Sendable {
  case frame(CapturedFrame)
  case audio(CapturedAudio)
  case depth(CapturedDepth)
  /// A frame, a chunk of audio or a depth map that the device counted and lost; the route says which.
  case lost(DroppedFrame)

  /// See ``CapturedFrame/inFlight``.
  var inFlight: (any AnyObject & Sendable)? {
    switch self {
    case .frame(let frame): frame.inFlight
    case .audio(let audio): audio.inFlight
    case .depth(let depth): depth.inFlight
    case .lost(let drop): drop.inFlight
    }
  }
}
