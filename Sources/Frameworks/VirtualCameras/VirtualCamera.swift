public import AVFoundation

/// A camera that offers this program's pictures to other programs.
///
/// ``PipeWireCamera`` is one; a test can have its own. Thread-safe.
public protocol VirtualCamera: AnyObject, Sendable {
  /// Shows a picture, taken at a time of the host's clock; one whose size is not the one that is watched is left out.
  func show(_ picture: CVPixelBuffer, at time: CMTime)
  /// Takes the camera away; nothing is reported after this.
  func close()
}

/// A report of a virtual camera, made on a thread of its own.
public enum VirtualCameraEvent: Sendable, Equatable {
  /// Programs watch, in pictures of this size.
  case watched(width: Int, height: Int)
  /// No program watches any more.
  case unwatched
  /// It is not offered any more.
  case lost(VirtualCameraProblem)
}
