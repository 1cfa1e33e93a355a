/// An error of a device: the operation that failed, the reason and the remedy.
public struct CaptureDeviceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; programs match on it.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case deviceBusy, permissionDenied, disconnected, formatUnsupported, controlUnsupported
      case bandwidthExhausted, noFrames, frameExpired
      case mediaServicesReset, invalidScene, outOfMemory, ioFailure
    }
    private let kind: Kind

    /// Another client holds the device.
    public static let deviceBusy = Code(kind: .deviceBusy)
    /// The operating system refuses access.
    public static let permissionDenied = Code(kind: .permissionDenied)
    /// The device is gone.
    public static let disconnected = Code(kind: .disconnected)
    /// The device cannot stream as asked.
    public static let formatUnsupported = Code(kind: .formatUnsupported)
    /// The device has no such control, or not that value of it.
    public static let controlUnsupported = Code(kind: .controlUnsupported)
    /// The bus has no room for the stream.
    public static let bandwidthExhausted = Code(kind: .bandwidthExhausted)
    /// The device streams, but nothing comes.
    public static let noFrames = Code(kind: .noFrames)
    /// The frame of the past that was asked for is not kept any more.
    public static let frameExpired = Code(kind: .frameExpired)
    /// The service that serves the devices went away; streams end, devices come back.
    public static let mediaServicesReset = Code(kind: .mediaServicesReset)
    /// A scene file does not hold what it should.
    public static let invalidScene = Code(kind: .invalidScene)
    /// The driver or the machine had no memory left.
    public static let outOfMemory = Code(kind: .outOfMemory)
    /// The driver failed in a way that has no name here.
    public static let ioFailure = Code(kind: .ioFailure)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code
  /// One sentence: what failed, why, and what to do.
  public var message: String

  /// An error of a kind, and its sentence.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// ``message``.
  public var description: String { message }
}
