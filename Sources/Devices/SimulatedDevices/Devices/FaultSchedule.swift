internal import CaptureDevice
internal import Linux

/// The schedule of a device's unplugs, plugs and resets, as its scene has them.
///
/// Thread-safe.
final class FaultSchedule: Sendable {
  /// Whether the device is there when the scene begins.
  let isPresentAtFirst: Bool

  private let clock: SimulatedClock
  /// Faults whose time counts from the scene's installation: the plug of a device that is not there at first.
  private let fromInstallation: [SceneFault]
  private let fromFirstStart: [SceneFault]
  private let tickers = Locked<[Ticker]>([])

  /// The schedule of the device that `faults` hit.
  init(_ faults: [SceneFault], clock: SimulatedClock) {
    self.clock = clock
    let outlets = faults.filter { $0.kind == .plug || $0.kind == .unplug }.sorted { $0.at < $1.at }
    isPresentAtFirst = outlets.first?.kind != .plug
    let early = isPresentAtFirst ? 0 : 1
    fromInstallation = Array(outlets.prefix(early))
    let resets = faults.filter { if case .reset = $0.kind { true } else { false } }
    fromFirstStart = (outlets.dropFirst(early) + resets).sorted { $0.at < $1.at }
  }

  /// Begins what counts from the scene's installation; `act` is called on the clock's thread.
  func begin(installedAt origin: MonotonicInstant, _ act: @escaping @Sendable (SceneFault) -> Void)
    throws(CaptureDeviceError)
  {
    try begin(fromInstallation, at: origin, act)
  }

  /// Begins what counts from the device's first start; `act` is called on the clock's thread.
  func begin(startedAt origin: MonotonicInstant, _ act: @escaping @Sendable (SceneFault) -> Void)
    throws(CaptureDeviceError)
  {
    try begin(fromFirstStart, at: origin, act)
  }

  private func begin(
    _ events: [SceneFault], at origin: MonotonicInstant, _ act: @escaping @Sendable (SceneFault) -> Void
  ) throws(CaptureDeviceError) {
    guard let first = events.first else { return }
    let queue = Locked(events)
    let ticker = try Ticker(name: "sim-faults", clock: clock, first: origin.advanced(by: first.at)) {
      let (fault, next) = queue.withLock { queue in (queue.removeFirst(), queue.first?.at) }
      act(fault)
      return next.map { origin.advanced(by: $0) }
    }
    tickers.withLock { $0.append(ticker) }
  }

  /// Ends it all.
  func end() {
    let ended = tickers.withLock { tickers in
      defer { tickers = [] }
      return tickers
    }
    for ticker in ended { ticker.cancel() }
  }
}
