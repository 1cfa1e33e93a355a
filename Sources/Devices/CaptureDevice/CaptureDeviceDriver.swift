public import CoreMedia

/// The configuration of a stream.
public struct StreamConfiguration: Sendable, Hashable {
  /// One of the device's formats.
  public var format: StreamFormat
  /// The size of the streamed frames: the format's, or smaller with the same aspect where ``StreamFormat/scalesStream``.
  public var size: FrameSize
  /// The duration of one frame; within one of ``StreamFormat/frameDurations``.
  public var frameDuration: FrameDuration
  /// Frames that clients may hold at once before frames are dropped as `outOfBuffers`; a driver may grant fewer.
  public var bufferCount: Int
  /// Frames more that clients may hold once ``CaptureStream/addBuffers()`` was called; only asked of drivers that
  /// ``CaptureDeviceDriver/addsBuffers`` says it of.
  ///
  /// A driver that turns out not to add any grants them at once, as ``bufferCount``.
  public var laterBufferCount = 0
  /// Whether colours are P3 instead of sRGB.
  public var usesP3: Bool
  /// The stabilization of the frames; one of ``StreamFormat/stabilizationModes``, or `off`.
  public var stabilization = StabilizationMode.off
  /// The configuration of depth maps beside the frames; `nil` when depth is not measured.
  public var depth: DepthConfiguration?
  /// The format of a microphone's audio; cameras ignore it.
  public var audio = AudioStreamFormat.usual[0]

  /// A configuration; without `size` the frames are as large as the format says.
  public init(
    format: StreamFormat, size: FrameSize? = nil, frameDuration: FrameDuration, bufferCount: Int = 8,
    usesP3: Bool = false
  ) {
    self.format = format
    self.size = size ?? format.size
    self.frameDuration = frameDuration
    self.bufferCount = bufferCount
    self.usesP3 = usesP3
  }
}

extension StreamConfiguration {
  /// A microphone's configuration: one of ``DeviceFacts/audioFormats``, in chunks of about a hundredth of a second.
  public static func audio(
    _ audio: AudioStreamFormat = AudioStreamFormat.usual[0]
  ) -> StreamConfiguration {
    let nothing = FrameSize(width: 0, height: 0)
    let chunk = FrameDuration(1, 100)
    var configuration = StreamConfiguration(
      format: StreamFormat(size: nothing, encoding: .pixels(0), frameDurations: [chunk...chunk]),
      frameDuration: chunk)
    configuration.audio = audio
    return configuration
  }
}

/// The reason why a stream is silent for a while without an error.
public enum StreamInterruption: Sendable, Hashable {
  /// The camera's shutter or privacy switch is closed.
  case privacy
  /// Another client has taken the device.
  case inUseByAnotherClient
}

/// An event of a running stream; events come in the order in which they happened.
///
/// Indirect, so that an event is one reference on its way.
public indirect enum StreamEvent: Sendable {
  /// A frame, in order.
  case frame(CapturedFrame)
  /// A chunk of audio, in order.
  case audio(CapturedAudio)
  /// A depth map, in order; after the frame of its moment where one sensor makes both.
  case depth(CapturedDepth)
  /// A depth map that was lost, in its place in the order of maps.
  case depthDropped(DroppedFrame)
  /// A frame that was lost, in its place in the order.
  case dropped(DroppedFrame)
  /// No frames from now until ``resumed``.
  case interrupted(StreamInterruption)
  /// Frames come again.
  case resumed
  /// The stream is over; nothing follows. `disconnected`, `mediaServicesReset`, `noFrames`, `ioFailure`.
  case failed(CaptureDeviceError)
}

/// A device that can be opened: a camera or a microphone, of whatever backend.
///
/// Thread-safe. Nothing here calls a client.
public protocol CaptureDeviceDriver: AnyObject, Sendable {
  /// The facts of the device: its identity and its abilities.
  var facts: DeviceFacts { get }

  /// The clock of the device's timestamps: the host's, or the simulated one that stands for it.
  ///
  /// The same object for all devices that share a clock.
  var clock: CMClock { get }

  /// The machine that carries the device and turns with it; `nil` for a device that stands by itself, upright for ever.
  var machine: DeviceAttitude? { get }

  /// The system pressure of the device's machine, where that is a simulated one; `nil` where the device is in or at this machine.
  var ownPressure: OwnPressure? { get }

  /// Opens the device for this client alone and sets it to `configuration`; nothing streams yet.
  ///
  /// Dropping the stream closes the device. May block as long as the driver's open and set-format do.
  /// - Throws: `deviceBusy`, `permissionDenied`, `disconnected`, `formatUnsupported`, `bandwidthExhausted`, `outOfMemory`.
  func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream

  /// Whether streams may take more buffers while they run, see ``CaptureStream/addBuffers()``.
  var addsBuffers: Bool { get }

  /// The state of the controls: of the newest frame, or at the start of the next stream.
  ///
  /// A default where the backend does not handle them.
  var controlState: ControlState { get }

  /// Changes controls, all at once and in order; the changes stay for the streams to come.
  ///
  /// - Returns: The number of the change, greater than all before it. The first frame whose ``ControlState/change`` is at
  ///   least this number shows it; a running stream has that frame within three frames, and as many more as the mode of
  ///   its stabilization looks ahead.
  /// - Throws: `controlUnsupported` for what ``DeviceFacts/capabilities`` or the present format lack, `disconnected`.
  ///   Nothing has changed then.
  func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64

  /// Makes a manual clock wait as ``CapturedFrame/inFlight`` does: until what is returned is released; `nil` on real clocks.
  func holdClock() -> (any AnyObject & Sendable)?
}

/// A device opened by one client.
///
/// Thread-safe. Events come on one thread at a time: the device's reader thread, or the thread that moves a manual
/// clock. The receiver must only enqueue: a receiver that blocks costs frames.
public protocol CaptureStream: AnyObject, Sendable {
  /// The granted configuration; equals the requested one but for the frame durations, which may be the driver's nearest, the buffers,
  /// which may be fewer, and the audio of a microphone that could not be asked for its formats when it was found.
  var configuration: StreamConfiguration { get }

  /// Starts streaming and returns when the driver has accepted; the first frame may come later.
  ///
  /// May be called again after ``stop()``; sequence numbers then start at 0 again.
  /// - Throws: `deviceBusy`, `disconnected`, `bandwidthExhausted`, `ioFailure`.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError)

  /// Stops streaming, within one second under every fault, also from inside the receiver.
  ///
  /// No event comes after it has returned (inside the receiver: after the receiver has returned). Frames that clients
  /// still hold stay readable. Stopping twice is harmless.
  func stop()

  /// Changes the frame duration of the running stream without a gap; returns what was granted.
  /// - Throws: `formatUnsupported` when the driver must stop for that: the caller then reopens.
  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration

  /// Changes how the device steadies the frames of the running stream, without a gap; those that were exposed before stay as
  /// they are, and come.
  ///
  /// - Parameter mode: One of the format's ``StreamFormat/stabilizationModes``, or `off`.
  /// - Throws: `formatUnsupported` when the driver must stop for that: the caller then reopens.
  func setStabilization(_ mode: StabilizationMode) throws(CaptureDeviceError)

  /// Adds the buffers of ``StreamConfiguration/laterBufferCount``, of which none is asked for any more afterwards.
  ///
  /// The stream goes on without a gap. Blocks as long as the driver does to find the memory.
  ///
  /// - Returns: How many frames clients may hold at once from now on: more than before, or as many where the driver refuses.
  @discardableResult
  func addBuffers() -> Int

  /// The frames that must be exposed after a frame before it comes, because the mode of the stabilization looks ahead.
  var lookAhead: Int { get }

  /// Delivers one frame in full size: the next exposure's picture, with its timestamp and sequence number.
  ///
  /// Requests that want an exposure or a flash of their own take one exposure each, in the order in which they were asked,
  /// one frame after the other; requests that want neither share the next exposure. A request with a
  /// ``StillRequest/frame`` waits for none: its picture is of that frame's exposure.
  ///
  /// `completion` is called exactly once, on the thread of the events, or on the caller's when the stream is not running
  /// (then with an error); for a past frame on whatever thread, which may be the caller's, but as little as an event after
  /// ``stop()`` has returned. The stream itself goes on and delivers the same exposure in stream size too.
  /// Errors: `formatUnsupported` for a size the format lacks, `controlUnsupported` for an exposure, a flash or a past frame
  /// that the capabilities lack, `frameExpired`, `disconnected`, `noFrames` when the stream stops first.
  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void)

  /// Whether the stream is made in this process and is late, because the machine gives it no time: then it is slow, and not
  /// silent.
  var isBehind: Bool { get }
}

extension CaptureStream {
  /// For devices that work by themselves.
  public var isBehind: Bool { false }

  /// For devices whose frames come when they are exposed.
  public var lookAhead: Int { 0 }

  /// For devices that have all their buffers from the start.
  public func addBuffers() -> Int { configuration.bufferCount }

  /// For devices without stabilization, or that must stop for a change.
  public func setStabilization(_ mode: StabilizationMode) throws(CaptureDeviceError) {
    guard mode != configuration.stabilization else { return }
    throw CaptureDeviceError(
      .formatUnsupported,
      "The device cannot change its stabilization while it streams; stop the stream and open it again.")
  }
}

extension CaptureDeviceDriver {
  /// For devices in or at this machine.
  public var ownPressure: OwnPressure? { nil }

  /// For devices that have all their buffers from the start.
  public var addsBuffers: Bool { false }

  /// For devices that stand by themselves.
  public var machine: DeviceAttitude? { nil }

  /// For devices on a clock that does not wait.
  public func holdClock() -> (any AnyObject & Sendable)? { nil }

  /// The host's clock, for devices whose timestamps are the kernel's.
  public var clock: CMClock { .hostTimeClock }

  /// For devices without controls.
  public var controlState: ControlState { ControlState() }

  /// For devices without controls: every change is refused.
  public func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    guard let first = controls.first else { return controlState.change }
    throw CaptureDeviceError(
      .controlUnsupported, "\(facts.name) cannot change its \(first.name); it has no such control.")
  }
}
