/// Keys of properties that ImageIO has no name for.
package enum FrameKeys {
  /// The device's own number of the frame in its stream, a `UInt32`; never written into a file.
  package static let sequenceNumber = "ObscuraFrameSequence"
}
