/// A request for a full-size picture.
public struct StillRequest: Sendable, Hashable {
  /// One of ``StreamFormat/stillSizes`` or ``StreamFormat/fullStillSizes``.
  public var size: FrameSize
  /// Whether the flash fires; one of ``CameraCapabilities/flashModes``, or `off`.
  public var flash: FlashMode
  /// The exposure of this one picture, independent of the stream's; `nil` is as the stream.
  ///
  /// Only for cameras with ``CameraCapabilities/exposesStillsApart``.
  public var exposure: StillExposure?
  /// The number of a frame that this stream has delivered already, whose exposure the picture shall be of; `nil` is the next.
  ///
  /// Only for cameras with ``CameraCapabilities/recalledFrames``, and without a flash or an exposure of its own.
  public var frame: UInt32?
  /// The camera under a virtual one that takes the picture, by unique identifier; `nil` is the one that takes the stream's
  /// frames.
  ///
  /// Only for cameras with ``CameraCapabilities/takesConstituentStills``, and without an exposure of its own.
  public var constituent: String?
  /// Of how many requests, made one after the other, this is one; 1 for a request by itself.
  ///
  /// The camera takes their pictures at the same time, once it has all of them.
  public var groupSize = 1
  /// Whether the picture shall come with the sensor's numbers, as ``CapturedFrame/mosaic``.
  ///
  /// Only for formats with ``StreamFormat/stillMosaic``, or whose frames are mosaics anyway; zoom is none then.
  public var wantsMosaic = false

  /// Asks for a picture of `size`.
  public init(
    size: FrameSize, flash: FlashMode = .off, exposure: StillExposure? = nil, frame: UInt32? = nil,
    constituent: String? = nil, groupSize: Int = 1
  ) {
    self.size = size
    self.flash = flash
    self.exposure = exposure
    self.frame = frame
    self.constituent = constituent
    self.groupSize = groupSize
  }
}

/// The exposure of one picture, for brackets.
public enum StillExposure: Sendable, Hashable, Codable {
  /// As auto exposure finds it, and so many stops brighter; within ``CameraCapabilities/exposureBias``.
  case bias(Float)
  /// Nanoseconds and ISO, both within the format's ranges; `nil` is what the stream has.
  case manual(durationNanoseconds: Int64?, iso: Float?)
}

/// A mode of the flash.
public enum FlashMode: Sendable, Hashable, Codable, CaseIterable {
  /// Never.
  case off
  /// Always.
  case on
  /// When ``ControlState/isDark``.
  case auto
}
