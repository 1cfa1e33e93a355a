public import CoreMedia
public import CoreVideo
public import Linux

/// How one frame was exposed.
public struct FrameExposure: Sendable, Hashable {
  /// Nanoseconds; `nil` where the device does not tell.
  public var durationNanoseconds: Int64?
  /// `nil` where the device does not tell.
  public var iso: Float?
  /// Whether auto exposure was still moving.
  public var isAdjusting: Bool

  /// An exposure of which nothing is known unless it is given.
  public init(durationNanoseconds: Int64? = nil, iso: Float? = nil, isAdjusting: Bool = false) {
    self.durationNanoseconds = durationNanoseconds
    self.iso = iso
    self.isAdjusting = isAdjusting
  }
}

/// One frame as it leaves a device: the device's own memory, not a copy.
public struct CapturedFrame: Sendable {
  /// The picture.
  ///
  /// Its memory goes back to the device when the last reference does.
  public enum Picture: Sendable {
    /// Uncompressed.
    case pixels(CVPixelBuffer)
    /// One JPEG picture of the given size.
    case jpeg(CMBlockBuffer, FrameSize)
  }

  /// The picture, in the device's own memory.
  public var picture: Picture
  /// When the exposure began, or what the driver stamped; `CLOCK_MONOTONIC` or the simulated clock that stands for it.
  public var timestamp: MonotonicInstant
  /// The device's own count in this stream; 0 is the first frame after start.
  ///
  /// A gap is a dropped frame.
  public var sequence: UInt32
  /// How the frame was exposed.
  public var exposure: FrameExposure
  /// Held until the client's callback for this frame has returned: a manual clock waits for its end before it moves on.
  ///
  /// `nil` on real clocks.
  public var inFlight: (any AnyObject & Sendable)?

  /// A frame; `inFlight` only from a manual clock.
  public init(
    picture: Picture, timestamp: MonotonicInstant, sequence: UInt32,
    exposure: FrameExposure = FrameExposure(),
    inFlight: (any AnyObject & Sendable)? = nil
  ) {
    self.picture = picture
    self.timestamp = timestamp
    self.sequence = sequence
    self.exposure = exposure
    self.inFlight = inFlight
  }
}

/// A stretch of sound as it leaves a device.
public struct CapturedSound: Sendable {
  /// Interleaved signed 16-bit little-endian samples.
  public var samples: CMBlockBuffer
  /// Samples of one channel in a second.
  public var sampleRate: Double
  /// 1 or 2.
  public var channels: Int
  /// Samples of one channel in this stretch.
  public var frameCount: Int
  /// When the first sample was taken, on the clock of ``CapturedFrame/timestamp``.
  public var timestamp: MonotonicInstant
  /// The device's own count of stretches in this stream, from 0.
  public var sequence: UInt32
  /// As ``CapturedFrame/inFlight``.
  public var inFlight: (any AnyObject & Sendable)?

  /// A stretch of sound; `inFlight` only from a manual clock.
  public init(
    samples: CMBlockBuffer, sampleRate: Double, channels: Int, frameCount: Int, timestamp: MonotonicInstant,
    sequence: UInt32, inFlight: (any AnyObject & Sendable)? = nil
  ) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.channels = channels
    self.frameCount = frameCount
    self.timestamp = timestamp
    self.sequence = sequence
    self.inFlight = inFlight
  }
}

/// Why a device lost a frame.
public enum DropReason: Sendable, Hashable {
  /// Every buffer was out with clients.
  case outOfBuffers
  /// The driver skipped it, marked it broken, or its data did not parse.
  case discontinuity
}

/// A frame that the device counted and could not hand over.
public struct DroppedFrame: Sendable, Hashable {
  /// The number that the device gave the frame.
  public var sequence: UInt32
  /// When it was exposed, or when its loss was noticed, on the clock of ``CapturedFrame/timestamp``.
  public var timestamp: MonotonicInstant
  /// Why it was lost.
  public var reason: DropReason

  /// A loss.
  public init(sequence: UInt32, timestamp: MonotonicInstant, reason: DropReason) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.reason = reason
  }
}
