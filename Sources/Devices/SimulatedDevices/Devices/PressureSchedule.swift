internal import CaptureDevice
internal import Linux

/// Presses a scene's phone when the scene says so.
///
/// Thread-safe.
final class PressureSchedule: Sendable {
  private let ticker = Locked<Ticker?>(nil)

  /// Begins; times count from the scene's installation.
  ///
  /// Where several faults overlap, the hardest counts.
  init(_ world: SimulatedWorld) throws(CaptureDeviceError) {
    let spans = world.scene.faults.compactMap { fault -> Span? in
      guard case .pressure(let level, let seconds) = fault.kind else { return nil }
      return Span(level: level, from: fault.at, to: fault.at + seconds)
    }
    guard !spans.isEmpty else { return }
    let times = Set(spans.flatMap { [$0.from, $0.to] }).sorted()
    let origin = world.installation
    let waiting = Locked(times[...])
    let pressure = world.pressure
    let begun = try Ticker(name: "sim-pressure", clock: world.clock, first: origin.advanced(by: times[0])) {
      guard let (now, next) = waiting.withLock({ times in times.popFirst().map { ($0, times.first) } }) else {
        return nil
      }
      let levels = spans.filter { $0.from <= now && now < $0.to }.map(\.level)
      pressure.press(OwnPressure.Level.allCases.last(where: levels.contains) ?? .nominal)
      return next.map { origin.advanced(by: $0) }
    }
    ticker.withLock { $0 = begun }
  }

  private struct Span {
    var level: OwnPressure.Level
    var from: Double
    var to: Double
  }

  /// Ends it.
  func end() {
    let ended = ticker.withLock { ticker in
      defer { ticker = nil }
      return ticker
    }
    ended?.cancel()
  }
}
