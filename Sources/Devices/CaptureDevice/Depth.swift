public import CoreVideo
public import FoundationExtras
public import Linux

/// One way in which a camera can measure depth while it streams pictures.
public struct DepthStreamFormat: Sendable, Hashable {
  /// The size of the maps.
  ///
  /// They show what the frames show, edge to edge, where one lens makes both. A kernel camera's depth sensor sees through a lens
  /// of its own, beside the other: its maps have their own aspect and show about the same, not registered to the frames.
  public var size: FrameSize
  /// The clients' pixel format: `kCVPixelFormatType_DepthFloat16`, `…DepthFloat32`, `…DisparityFloat16` or `…DisparityFloat32`.
  ///
  /// Depth is in metres, disparity in 1/metres, and NaN is where nothing is known.
  public var pixelFormat: OSType
  /// The shortest and longest time from one map to the next, of each range, shortest first; a discrete rate is a range of one
  /// value.
  public var frameDurations: [ClosedRange<FrameDuration>]
  /// Whether a map shows what the frames show, edge to edge.
  public var isAligned: Bool
  /// The lens that measures, of which the field of view spans a map's width; `nil` where it is the frames', or nothing is known of it.
  public var lens: LensFacts?

  /// A format of maps.
  public init(
    size: FrameSize, pixelFormat: OSType, frameDurations: [ClosedRange<FrameDuration>], isAligned: Bool = true
  ) {
    self.size = size
    self.pixelFormat = pixelFormat
    self.frameDurations = frameDurations
    self.isAligned = isAligned
  }
}

/// The configuration of depth maps beside a stream's pictures.
public struct DepthConfiguration: Sendable, Hashable {
  /// One of ``StreamFormat/depthFormats`` of the configuration's format.
  public var format: DepthStreamFormat
  /// The shortest time from one map to the next; what comes is the next longer that the device has, and never shorter than a
  /// frame lasts where both come from one sensor.
  public var frameDuration: FrameDuration
  /// Maps that clients may hold at once before maps are dropped as `outOfBuffers`; a driver may grant fewer.
  public var bufferCount: Int

  /// Maps of `format`, so many a second.
  public init(format: DepthStreamFormat, frameDuration: FrameDuration, bufferCount: Int = 8) {
    self.format = format
    self.frameDuration = frameDuration
    self.bufferCount = bufferCount
  }
}

/// One depth map as it leaves a device: the device's own memory, not a copy.
public struct CapturedDepth: Sendable {
  /// The distances: of ``DepthStreamFormat/pixelFormat``, or as the next property says.
  ///
  /// Its memory goes back to the device when the last reference does.
  public var map: CVPixelBuffer
  /// The metres of one unit of ``map``; `nil` where the map is as the format says.
  ///
  /// Otherwise the map is `kCVPixelFormatType_OneComponent16`, as the sensor sent it, and 0 where nothing is known.
  public var metresPerUnit: Float?
  /// When it was measured, on the clock of ``CapturedFrame/timestamp``; that of the frame whose sensor measured it, where that is
  /// the same.
  public var timestamp: MonotonicInstant
  /// The device's own count of maps in this stream; 0 is the first after start.
  ///
  /// A gap is a dropped map.
  public var sequence: UInt32
  /// The state of the controls meanwhile; as ``CapturedFrame/conditions``.
  public var conditions: FrameConditions
  /// As ``CapturedFrame/inFlight``.
  public var inFlight: (any AnyObject & Sendable)?

  /// A map; `inFlight` only from a manual clock.
  public init(
    map: CVPixelBuffer, metresPerUnit: Float? = nil, timestamp: MonotonicInstant, sequence: UInt32,
    conditions: FrameConditions = .unknown, inFlight: (any AnyObject & Sendable)? = nil
  ) {
    self.map = map
    self.metresPerUnit = metresPerUnit
    self.timestamp = timestamp
    self.sequence = sequence
    self.conditions = conditions
    self.inFlight = inFlight
  }
}
