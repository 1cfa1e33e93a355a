public import CaptureDevice

/// The conformance checks of the cameras of a ``CaptureDeviceProvider``, for simulated and real devices alike.
///
/// The suite knows no testing library. With Swift Testing, hand ``checks`` to a test as arguments:
///
/// ```swift
/// @Test(arguments: DeviceConformanceSuite(makeProvider: { MyProvider() }).checks)
/// func `my devices keep the contract`(check: DeviceConformanceSuite.Check) throws {
///   try check.run()
/// }
/// ```
public struct DeviceConformanceSuite: Sendable {
  /// A check of one promise of the contract.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let name: String
    private let body: @Sendable () throws -> Void

    init(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
      self.name = name
      self.body = body
    }

    /// Runs the check on the calling thread.
    ///
    /// - Throws: ``ConformanceFailure`` when the promise is broken, or what the device threw unexpectedly.
    public func run() throws {
      try body()
    }

    /// ``name``.
    public var description: String { name }
  }

  let makeProvider: @Sendable () throws -> any CaptureDeviceProvider
  let uniqueID: String?
  let advance: (@Sendable (Duration) -> Void)?
  let chooseFormats: @Sendable (DeviceFacts) -> [StreamFormat]

  /// A suite for one camera of a provider.
  ///
  /// - Parameters:
  ///   - device: The unique identifier of the camera to check; the provider's first camera when `nil`.
  ///   - advance: Moves the devices' clock by hand; `nil` for devices that live in real time.
  ///   - formats: Which formats to stream; for each encoding the smallest when `nil`.
  ///   - makeProvider: Called once for each check; may return the same provider each time.
  public init(
    device: String? = nil, advance: (@Sendable (Duration) -> Void)? = nil,
    formats: (@Sendable (DeviceFacts) -> [StreamFormat])? = nil,
    makeProvider: @escaping @Sendable () throws -> any CaptureDeviceProvider
  ) {
    self.makeProvider = makeProvider
    uniqueID = device
    self.advance = advance
    chooseFormats = formats ?? Self.smallestOfEachEncoding
  }

  /// All checks, in the order of a device's life.
  public var checks: [Check] {
    discoveryChecks + openingChecks + streamingChecks + stoppingChecks + bufferChecks + stillChecks
      + controlChecks + depthChecks
  }

  /// The smallest format of each encoding: enough to see every code path, and quick.
  private static func smallestOfEachEncoding(_ facts: DeviceFacts) -> [StreamFormat] {
    var chosen: [StreamFormat] = []
    for format in facts.formats.sorted(by: { $0.size.width * $0.size.height < $1.size.width * $1.size.height }
    )
    where !chosen.contains(where: { $0.encoding == format.encoding }) {
      chosen.append(format)
    }
    return chosen
  }
}

/// A promise of the device contract that was broken: what, and how it showed.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// One sentence.
  public let message: String
  /// The place in the suite that found it.
  public let line: UInt

  /// The message with its place.
  public var description: String { "\(message) (conformance suite, line \(line))" }
}

/// Fails with `message` unless `condition` holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) throws {
  if !condition { throw ConformanceFailure(message: message(), line: line) }
}
