/// Flags of the encoding of a frame.
///
/// Apple: `VTEncodeInfoFlags`.
public struct VTEncodeInfoFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// It is coded on another thread.
  public static let asynchronous = VTEncodeInfoFlags(rawValue: 1 << 0)
  /// No sample came of it.
  public static let frameDropped = VTEncodeInfoFlags(rawValue: 1 << 1)
}

/// Flags for decoding a frame.
///
/// Apple: `VTDecodeFrameFlags`.
public struct VTDecodeFrameFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The call may return before the picture is there.
  public static let _EnableAsynchronousDecompression = VTDecodeFrameFlags(rawValue: 1 << 0)
  /// The picture is needed for others only: the callback gets none.
  public static let _DoNotOutputFrame = VTDecodeFrameFlags(rawValue: 1 << 1)
  /// Pictures may be held back until they are in the order of showing, of samples that may also be decoded asynchronously.
  public static let _EnableTemporalProcessing = VTDecodeFrameFlags(rawValue: 1 << 3)
}

/// Flags of the decoding of a frame.
///
/// Apple: `VTDecodeInfoFlags`.
public struct VTDecodeInfoFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// It was decoded on another thread.
  public static let asynchronous = VTDecodeInfoFlags(rawValue: 1 << 0)
  /// No picture came of it.
  public static let frameDropped = VTDecodeInfoFlags(rawValue: 1 << 1)
}
