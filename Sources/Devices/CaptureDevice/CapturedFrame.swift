public import CoreMedia
public import CoreVideo
public import Linux

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
  /// What the controls stood at while it was exposed; the same object as the frame before unless something changed.
  public var conditions: FrameConditions
  /// Held until the client's callback for this frame has returned: a manual clock waits for its end before it moves on.
  ///
  /// `nil` on real clocks.
  public var inFlight: (any AnyObject & Sendable)?

  /// A frame; `inFlight` only from a manual clock.
  public init(
    picture: Picture, timestamp: MonotonicInstant, sequence: UInt32,
    conditions: FrameConditions = .unknown,
    inFlight: (any AnyObject & Sendable)? = nil
  ) {
    self.picture = picture
    self.timestamp = timestamp
    self.sequence = sequence
    self.conditions = conditions
    self.inFlight = inFlight
  }
}

extension CapturedFrame {
  /// How the frame was exposed.
  public var exposure: FrameExposure { conditions.state.exposure }
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
