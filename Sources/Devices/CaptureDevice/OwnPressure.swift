package import FoundationExtras
internal import Linux

/// The system pressure of the machine that carries simulated devices, which is not this one.
///
/// Thread-safe.
public final class OwnPressure: Sendable {
  /// A level of pressure, in ascending order.
  public enum Level: String, Sendable, CaseIterable {
    /// Nothing presses.
    case nominal
    /// A little.
    case fair
    /// Much: fewer frames would be better.
    case serious
    /// Almost too much: lamps are not lit any more.
    case critical
    /// Too much: cameras are closed.
    case shutdown

    /// The same on the scale of this machine.
    package var pressureLevel: PressureLevel {
      switch self {
      case .nominal: .nominal
      case .fair: .fair
      case .serious: .serious
      case .critical: .critical
      case .shutdown: .shutdown
      }
    }
  }

  private struct State {
    var level = Level.nominal
    var observer: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// A machine that nothing presses.
  public init() {}

  /// The present level.
  public var level: Level { state.withLock { $0.level } }

  /// Presses the machine so hard from now on; the observer is called on this thread where that is new.
  public func press(_ level: Level) {
    let observer = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.level != level else { return nil }
      state.level = level
      return state.observer
    }
    observer?()
  }

  /// Calls `observer` after each change, in place of the observer before it.
  package func observe(_ observer: @escaping @Sendable () -> Void) {
    let old = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
    withExtendedLifetime(old) {}
  }
}
