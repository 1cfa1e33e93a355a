public import CaptureDevice

/// A fault of a scene's devices.
///
/// Times count from the start of a device's stream, each time anew, for what happens to a stream (`stall`, `drop`,
/// `corrupt`, `jitter`, `privacy`, `drift`, `slow-start`, `few-buffers`). They count from the first start of the device,
/// once, for `unplug`, `plug` and `reset`, which outlive a stream. They count from the installation of the scene for what a
/// device need not have been started for: `busy`, `pressure`, and the `plug` of a device that was not there at first.
public struct SceneFault: Sendable, Hashable {
  /// The kind of a fault.
  public enum Kind: Sendable, Hashable {
    /// The device is pulled out: its stream fails as `disconnected`, and it leaves the list.
    case unplug
    /// The device comes back. Without an earlier `unplug` it is not there before.
    case plug
    /// No frames for that many seconds, without a word.
    case stall(seconds: Double)
    /// Each frame is lost with this probability, reported as a discontinuity.
    case drop(rate: Double)
    /// Each frame of a Motion JPEG format is damaged with this probability.
    case corrupt(rate: Double)
    /// Frames come up to that many milliseconds late; their timestamps stay right.
    case jitter(milliseconds: Double)
    /// Another client holds the device: opening fails, a running stream is interrupted; `nil` is for ever.
    case busy(seconds: Double?)
    /// The shutter is closed for that many seconds: the stream is interrupted.
    case privacy(seconds: Double)
    /// The microphone's clock runs fast by so many millionths.
    case drift(partsPerMillion: Double)
    /// The media service goes away: every stream fails as `mediaServicesReset`; it is back after that many seconds.
    case reset(seconds: Double)
    /// The first frame comes so many milliseconds later.
    case slowStart(milliseconds: Double)
    /// Opening the device takes so many milliseconds, as of a headset that is connected by radio; on a clock that is moved by hand
    /// none.
    case slowOpen(milliseconds: Double)
    /// The phone that carries the devices is so hard pressed for that many seconds, whatever ``SceneFault/device`` says.
    case pressure(level: OwnPressure.Level, seconds: Double)
    /// The device has no more than so many buffers.
    case fewBuffers(count: Int)
  }

  /// The kind of the fault.
  public var kind: Kind
  /// When, in seconds.
  public var at: Double
  /// The unique identifier of the device that is hit; `nil` hits every one that can be.
  public var device: String?

  /// A fault at `at` seconds.
  public init(_ kind: Kind, at: Double = 0, device: String? = nil) {
    self.kind = kind
    self.at = at
    self.device = device
  }

  /// Whether the device with this identifier is hit.
  func hits(_ uniqueID: String) -> Bool {
    device == nil || device == uniqueID
  }
}
