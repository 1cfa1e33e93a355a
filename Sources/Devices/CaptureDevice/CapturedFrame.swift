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
    /// One access unit of H.264 or HEVC.
    case coded(CodedPicture)
    /// The sensor's numbers, of which a picture is to be made.
    case mosaic(SensorMosaic)
  }

  /// The picture, in the device's own memory.
  public var picture: Picture {
    get { content.picture }
    set { content = FrameContent(newValue, content.inFlight) }
  }

  /// When the exposure began, or what the driver stamped; `CLOCK_MONOTONIC` or the simulated clock that stands for it.
  public var timestamp: MonotonicInstant
  /// The device's own count in this stream; 0 is the first frame after start.
  ///
  /// A gap is a dropped frame.
  public var sequence: UInt32
  /// The state of the controls while it was exposed; the same object as the frame before unless something changed.
  public var conditions: FrameConditions
  /// Held until the client's callback for this frame has returned: a manual clock waits for its end before it moves on.
  ///
  /// `nil` on real clocks.
  public var inFlight: (any AnyObject & Sendable)? {
    get { content.inFlight }
    set { content = content.with(inFlight: newValue) }
  }

  /// The sensor's numbers of the exposure: the ``picture`` where it is that, else what came beside it; `nil` for none.
  ///
  /// Beside a picture they come with stills alone, see ``StillRequest/wantsMosaic``.
  public var mosaic: SensorMosaic? {
    get { content.mosaic }
    set { content = content.with(mosaic: newValue) }
  }

  /// The people that it shows; `nil` from a camera without ``CameraCapabilities/personParts``.
  public var people: (any FramePeople)? {
    get { content.people }
    set { content = content.with(people: newValue) }
  }

  /// ``picture`` and ``inFlight``.
  package private(set) var content: FrameContent

  /// A frame; `inFlight` only from a manual clock.
  public init(
    picture: Picture, timestamp: MonotonicInstant, sequence: UInt32,
    conditions: FrameConditions = .unknown,
    inFlight: (any AnyObject & Sendable)? = nil
  ) {
    content = FrameContent(picture, inFlight)
    self.timestamp = timestamp
    self.sequence = sequence
    self.conditions = conditions
  }

  /// A frame of what another one had, and of which there may be a picture already.
  package init(
    content: FrameContent, timestamp: MonotonicInstant, sequence: UInt32, conditions: FrameConditions,
    inFlight: (any AnyObject & Sendable)?
  ) {
    self.content = content.with(inFlight: inFlight)
    self.timestamp = timestamp
    self.sequence = sequence
    self.conditions = conditions
  }

  /// A frame of uncompressed pixels, on a real clock.
  package init(
    pixels: CVPixelBuffer, timestamp: MonotonicInstant, sequence: UInt32, conditions: FrameConditions
  ) {
    content = .make(pixels)
    self.timestamp = timestamp
    self.sequence = sequence
    self.conditions = conditions
  }
}

/// A frame's picture as it came, and the picture that is made of it: one object, so that a frame is two references.
///
/// A frame is copied at each step of its way. To copy an enumeration, or a reference to any `AnyObject & Sendable`, is a
/// call of code that distinguishes cases and asks the runtime for types.
package final class FrameContent: Sendable {
  private let pixels: CVPixelBuffer?
  /// The parts that most frames lack.
  private let rest: Rest?
  nonisolated(unsafe) private var ownProcessed: AnyObject?

  private final class Rest: Sendable {
    let jpeg: (data: CMBlockBuffer, size: FrameSize, isIntact: Bool)?
    let coded: CodedPicture?
    let mosaic: SensorMosaic?
    let people: (any FramePeople)?
    let inFlight: (any AnyObject & Sendable)?
    let shared: Shared

    init(
      jpeg: (data: CMBlockBuffer, size: FrameSize, isIntact: Bool)? = nil, coded: CodedPicture? = nil,
      mosaic: SensorMosaic? = nil, people: (any FramePeople)? = nil,
      _ inFlight: (any AnyObject & Sendable)?, _ shared: Shared = Shared()
    ) {
      self.jpeg = jpeg
      self.coded = coded
      self.mosaic = mosaic
      self.people = people
      self.inFlight = inFlight
      self.shared = shared
    }
  }

  /// The part of a picture that it also has with another ``inFlight``.
  private final class Shared: Sendable {
    nonisolated(unsafe) var processed: AnyObject?
  }

  /// What the frame's consumers share of the picture that is made of it: reached by the stream's processor alone, under its lock.
  package var processed: AnyObject? {
    get { if let rest { rest.shared.processed } else { ownProcessed } }
    set { if let rest { rest.shared.processed = newValue } else { ownProcessed = newValue } }
  }

  /// The picture, as it came.
  ///
  /// - Parameters:
  ///   - isIntact: See ``isIntact``.
  ///   - inFlight: Only from a manual clock.
  package init(
    _ picture: CapturedFrame.Picture, isIntact: Bool = false, _ inFlight: (any AnyObject & Sendable)? = nil
  ) {
    switch picture {
    case .pixels(let pixels):
      self.pixels = pixels
      rest = inFlight.map { Rest($0) }
    case .jpeg(let data, let size):
      pixels = nil
      rest = Rest(jpeg: (data, size, isIntact), inFlight)
    case .coded(let coded):
      pixels = nil
      rest = Rest(coded: coded, inFlight)
    case .mosaic(let mosaic):
      pixels = nil
      rest = Rest(mosaic: mosaic, inFlight)
    }
  }

  private init(_ pixels: CVPixelBuffer?, _ rest: Rest? = nil) {
    self.pixels = pixels
    self.rest = rest
  }

  /// The same JPEG picture in other memory, without a token.
  package func with(copy data: CMBlockBuffer, _ size: FrameSize) -> FrameContent {
    FrameContent(
      nil, Rest(jpeg: (data, size, isIntact), people: rest?.people, nil, rest?.shared ?? Shared()))
  }

  /// The same picture with another token, or with none.
  package func with(inFlight: (any AnyObject & Sendable)?) -> FrameContent {
    if rest?.inFlight === inFlight { return self }
    return changed(mosaic, people, inFlight)
  }

  /// The same picture with other numbers of the sensor beside it, or with none; a frame that is nothing but these keeps its own.
  package func with(mosaic: SensorMosaic?) -> FrameContent {
    if mosaic == nil, rest?.mosaic == nil { return self }
    guard pixels != nil || rest?.jpeg != nil || rest?.coded != nil else { return self }
    return changed(mosaic, people, inFlight)
  }

  /// The same picture with other people, or without.
  package func with(people: (any FramePeople)?) -> FrameContent {
    if people == nil, rest?.people == nil { return self }
    return changed(mosaic, people, inFlight)
  }

  private func changed(
    _ mosaic: SensorMosaic?, _ people: (any FramePeople)?, _ inFlight: (any AnyObject & Sendable)?
  ) -> FrameContent {
    FrameContent(
      pixels,
      rest.map {
        Rest(jpeg: $0.jpeg, coded: $0.coded, mosaic: mosaic, people: people, inFlight, $0.shared)
      } ?? Rest(mosaic: mosaic, people: people, inFlight))
  }

  /// The same mosaic in other memory, without a token.
  package func with(copy data: CMBlockBuffer) -> FrameContent {
    guard var mosaic = rest?.mosaic else { return with(inFlight: nil) }
    mosaic.data = data
    return FrameContent(
      pixels,
      Rest(jpeg: rest?.jpeg, mosaic: mosaic, people: rest?.people, nil, rest?.shared ?? Shared()))
  }

  @inline(__always)
  fileprivate static func make(_ pixels: CVPixelBuffer) -> FrameContent { FrameContent(pixels) }

  package var picture: CapturedFrame.Picture {
    if let pixels { return .pixels(pixels) }
    if let coded { return .coded(coded) }
    if let jpeg = rest?.jpeg { return .jpeg(jpeg.data, jpeg.size) }
    guard let mosaic = rest?.mosaic else { preconditionFailure("A frame has a picture.") }
    return .mosaic(mosaic)
  }

  /// Whether a picture of motion JPEG came by a way that has checksums and counts what it carries, as the network does and a webcam's
  /// isochronous USB does not: then its codes need no search for damage.
  package var isIntact: Bool { rest?.jpeg?.isIntact ?? false }

  /// The sensor's numbers, as a picture or beside one.
  package var mosaic: SensorMosaic? { rest?.mosaic }

  /// The people that it shows, if the camera knows them.
  package var people: (any FramePeople)? { rest?.people }

  package var inFlight: (any AnyObject & Sendable)? { rest?.inFlight }

  /// The picture, if it is H.264 or HEVC.
  package var coded: CodedPicture? { rest?.coded }

  /// The picture, if it is uncompressed.
  package func uncompressed() -> CVPixelBuffer? { pixels }
}

extension CapturedFrame {
  /// The frame's exposure.
  public var exposure: FrameExposure { conditions.state.exposure }
}

/// A chunk of audio as it leaves a device.
public struct CapturedAudio: Sendable {
  /// Interleaved signed 16-bit little-endian samples.
  public var samples: CMBlockBuffer
  /// Samples of one channel in a second.
  public var sampleRate: Double
  /// 1 or 2.
  public var channels: Int
  /// Samples of one channel in this chunk.
  public var frameCount: Int
  /// When the first sample was taken, on the clock of ``CapturedFrame/timestamp``.
  public var timestamp: MonotonicInstant
  /// The device's own count of chunks in this stream, from 0.
  public var sequence: UInt32
  /// As ``CapturedFrame/inFlight``.
  public var inFlight: (any AnyObject & Sendable)?

  /// A chunk of audio; `inFlight` only from a manual clock.
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

/// The reason why a device lost a frame.
public enum DropReason: Sendable, Hashable {
  /// Every buffer was out with clients.
  case outOfBuffers
  /// The driver skipped it, marked it broken, its data did not parse, or it builds on a frame that was lost.
  case discontinuity
}

/// A frame that the device counted and could not hand over.
public struct DroppedFrame: Sendable {
  /// The number that the device gave the frame.
  public var sequence: UInt32
  /// When it was exposed, or when its loss was noticed, on the clock of ``CapturedFrame/timestamp``.
  public var timestamp: MonotonicInstant
  /// The reason of the loss.
  public var reason: DropReason
  /// As ``CapturedFrame/inFlight``: a loss is an event, too.
  public var inFlight: (any AnyObject & Sendable)?

  /// A loss; `inFlight` only from a manual clock.
  public init(
    sequence: UInt32, timestamp: MonotonicInstant, reason: DropReason,
    inFlight: (any AnyObject & Sendable)? = nil
  ) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.reason = reason
    self.inFlight = inFlight
  }
}
