public import CoreVideo

/// A part of people that a camera can tell from the rest of its picture.
public enum PersonPart: Sendable, Hashable, CaseIterable {
  case skin, hair, teeth, glasses
}

/// The people of one frame, of which each part can be told from the rest.
///
/// Thread-safe.
public protocol FramePeople: AnyObject, Sendable {
  /// The matte of a part: its share of each pixel, white where the pixel shows nothing else.
  ///
  /// Takes as long as painting a picture of that size; on the caller's thread.
  ///
  /// - Parameters:
  ///   - part: One of ``CameraCapabilities/personParts``.
  ///   - size: Of the matte, which lies over the whole frame.
  /// - Returns: A grey picture in 420f.
  /// - Throws: `outOfMemory`.
  func matte(of part: PersonPart, size: FrameSize) throws(CaptureDeviceError) -> CVPixelBuffer
}
