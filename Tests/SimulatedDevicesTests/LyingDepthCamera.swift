import CaptureDevice
import CoreMedia
import CoreVideo
import Linux
import SimulatedDevices

/// A breach of the contract by a depth camera.
enum DepthLie: String, CaseIterable, Sendable {
  case losesMapsSilently, countsFromOne, repeatsTimes, livesOnAnotherClock, sendsAnotherSize, sendsUnasked
  case sendsAfterStop, copiesMaps, promisesNoDepth, acceptsAnything, sendsTooOften, writesIntoHeldMaps
  case namesNoUnit

  /// A part of the sentence that must see through it.
  var promise: String {
    switch self {
    case .promisesNoDepth: "exactly where some format has it"
    case .acceptsAnything: "that the format lacks is refused"
    case .sendsUnasked: "without being asked"
    case .losesMapsSilently, .countsFromOne, .repeatsTimes, .livesOnAnotherClock, .sendsAnotherSize,
      .sendsAfterStop, .namesNoUnit:
      "maps come beside frames"
    case .sendsTooOften: "no more often than asked"
    case .copiesMaps: "used again and again"
    case .writesIntoHeldMaps: "stay readable"
    }
  }
}

/// A simulated camera whose maps break the contract in one way.
final class LyingDepthCamera: CaptureDeviceProvider, CaptureDeviceDriver {
  let name = "lying"
  let camera: SimulatedDevice
  let lie: DepthLie
  private let provider: SimulatedDeviceProvider
  private let late: Locked<(@Sendable () -> Void)?>

  /// - Parameter late: Where it puts what it wants to report after a stop.
  init(
    _ lie: DepthLie, of provider: SimulatedDeviceProvider, late: Locked<(@Sendable () -> Void)?>
  ) throws {
    self.late = late
    guard let camera = provider.all(with: .depth).first else {
      throw CaptureDeviceError(.disconnected, "The provider has no camera that measures depth.")
    }
    self.lie = lie
    self.provider = provider
    self.camera = camera
  }

  var facts: DeviceFacts {
    var facts = camera.facts
    if lie == .promisesNoDepth { facts.media = [.video] }
    return facts
  }

  var clock: CMClock { camera.clock }
  func devices() -> [any CaptureDeviceDriver] { [self] }
  func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}
  func access(for media: MediaKind) -> DeviceAccess { .granted }
  func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }

  func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream {
    var honest = configuration
    if let depth = configuration.depth {
      if lie == .acceptsAnything, let own = configuration.format.depthFormats.last {
        honest.depth?.format = own
      }
      if lie == .sendsTooOften { honest.depth?.frameDuration = depth.format.frameDurations[0].lowerBound }
    } else if lie == .sendsUnasked, let own = configuration.format.depthFormats.last {
      honest.depth = DepthConfiguration(format: own, frameDuration: own.frameDurations[0].lowerBound)
    }
    let stream = try camera.openStream(honest)
    return LyingDepthStream(stream, lie, configuration, late: late)
  }
}

extension SimulatedDeviceProvider {
  fileprivate func all(with media: MediaKind) -> [SimulatedDevice] {
    devices().compactMap { $0 as? SimulatedDevice }.filter { $0.facts.media.contains(media) }
  }
}

/// The stream of such a camera.
private final class LyingDepthStream: CaptureStream {
  private struct State {
    var receiver: (@Sendable (StreamEvent) -> Void)?
    var firstTime: MonotonicInstant?
    var firstMap: CVPixelBuffer?
    var last: CapturedDepth?
  }

  let configuration: StreamConfiguration
  private let stream: any CaptureStream
  private let lie: DepthLie
  private let state = Locked(State())
  private let copies = Locked<[CVPixelBuffer]>([])
  private let late: Locked<(@Sendable () -> Void)?>

  init(
    _ stream: any CaptureStream, _ lie: DepthLie, _ asked: StreamConfiguration,
    late: Locked<(@Sendable () -> Void)?>
  ) {
    self.late = late
    self.stream = stream
    self.lie = lie
    configuration = asked
  }

  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    state.withLock { $0 = State(receiver: receiver) }
    try stream.start { [self] event in
      switch event {
      case .depth(let depth): if let reported = reported(depth) { receiver(.depth(reported)) }
      default: receiver(event)
      }
    }
  }

  private func reported(_ depth: CapturedDepth) -> CapturedDepth? {
    var depth = depth
    return state.withLock { state in
      switch lie {
      case .losesMapsSilently: if depth.sequence == 1 { return nil }
      case .countsFromOne: depth.sequence += 1
      case .repeatsTimes:
        state.firstTime = state.firstTime ?? depth.timestamp
        depth.timestamp = state.firstTime ?? depth.timestamp
      case .livesOnAnotherClock: depth.timestamp = depth.timestamp.advanced(byNanoseconds: 3_000_000_000)
      case .namesNoUnit: depth.metresPerUnit = 0
      case .sendsAnotherSize:
        if let other = try? CVPixelBuffer(format: depth.map.format, width: 8, height: 6) { depth.map = other }
      case .copiesMaps:
        // Each stays where it is as long as the others do.
        if let copy = try? CVPixelBuffer(
          format: depth.map.format, width: depth.map.width, height: depth.map.height)
        {
          copies.withLock { $0.append(copy) }
          depth.map = copy
        }
      case .writesIntoHeldMaps:
        state.firstMap = state.firstMap ?? depth.map
      default: break
      }
      if lie == .sendsAfterStop {
        state.last = depth
        // The clock does not wait for what is only remembered.
        state.last?.inFlight = nil
      }
      return depth
    }
  }

  func stop() {
    stream.stop()
    let (receiver, last, first) = state.withLock { ($0.receiver, $0.last, $0.firstMap) }
    if lie == .writesIntoHeldMaps { first?.planes[0].row(0).storeBytes(of: 12_345, as: Float.self) }
    if lie == .sendsAfterStop, let last {
      let event = StreamEvent.depth(last)
      late.withLock { $0 = { receiver?(event) } }
    }
  }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    try stream.setFrameDuration(duration)
  }

  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    stream.captureStill(request, completion: completion)
  }
}
