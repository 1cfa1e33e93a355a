public import Foundation

/// The source of the machine's thermal state: `ProcessInfo`.
///
/// Foundation of Linux lacks `thermalState`. It is an extension of a protocol because a member of the class itself is
/// preferred to it: a toolchain that has the property needs no change here.
public protocol ThermalStateSource {}

extension ProcessInfo: ThermalStateSource {}

extension ThermalStateSource {
  /// The thermal state of the machine.
  ///
  /// Apple: `ProcessInfo.ThermalState`.
  public typealias ThermalState = MachineThermalState

  /// How hot the machine is, by the kernel's thermal zones and their limits; at most a second old.
  ///
  /// The first access begins to watch the machine: changes are posted as ``thermalStateDidChangeNotification`` from then on.
  /// `nominal` where the kernel watches no temperature. Costs some hundred microseconds where the zones are read. Thread-safe.
  ///
  /// Apple: `ProcessInfo.thermalState`.
  public var thermalState: MachineThermalState { ThermalWatch.shared.current }

  /// The thermal state has changed; the object is `ProcessInfo.processInfo`.
  ///
  /// Posted on a queue of its own, within two seconds, once ``thermalState`` was read.
  ///
  /// Apple: `ProcessInfo.thermalStateDidChangeNotification`.
  public static var thermalStateDidChangeNotification: Notification.Name {
    Notification.Name("NSProcessInfoThermalStateDidChangeNotification")
  }
}

/// The thermal state of the machine, in order.
///
/// Apple: `ProcessInfo.ThermalState`.
public enum MachineThermalState: Int, Sendable {
  /// Within normal limits.
  case nominal = 0
  /// Slightly raised: put off what can wait.
  case fair = 1
  /// High: the kernel slows the machine down, or is about to.
  case serious = 2
  /// Near the limit at which the kernel switches the machine off.
  case critical = 3

  init(_ level: PressureLevel) {
    switch level {
    case .nominal: self = .nominal
    case .fair: self = .fair
    case .serious: self = .serious
    case .critical, .shutdown: self = .critical
    }
  }
}
