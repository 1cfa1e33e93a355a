public import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// The state of the system's pressure: its level and its factors; an unchanging picture of one moment.
  ///
  /// Apple: `AVCaptureDevice.SystemPressureState`.
  open class SystemPressureState: NSObject, @unchecked Sendable {  // Safe: constants.
    /// How hard the pressure is: that of the hardest of its causes.
    ///
    /// Apple: `AVCaptureDevice.SystemPressureState.level`.
    public let level: Level
    /// Which causes are above nominal.
    ///
    /// Apple has no factor for busy processors: pressure by them alone comes without a factor.
    /// Apple: `AVCaptureDevice.SystemPressureState.factors`.
    public let factors: Factors

    package init(level: Level, factors: Factors = []) {
      self.level = level
      self.factors = factors
      super.init()
    }

    /// The level and the factors.
    open override var description: String {
      "<AVCaptureDevice.SystemPressureState: \(level.rawValue), factors \(factors.rawValue)>"
    }
  }

  /// How hard pressed the machine is: temperatures against the kernel's limits, and threads that wait for processors.
  ///
  /// The same for all devices but simulated ones, which only their scene presses: what a test sees must not depend on what else
  /// its machine does. Read from the kernel's thermal zones and pressure-stall figures when it is asked for, at most
  /// once a second (then it costs some hundred microseconds), every second while the device has observers, and while a session
  /// runs with it every second to every four, as hot as it is; never by a thread that frames come on. Apple does not say which figures make which level; ours are on the
  /// levels' pages. A level rises at once and falls when the figure is 5 K, or 10 percentage points, lower. A
  /// machine that reports neither is nominal. At `shutdown` a session's cameras are closed and the session is
  /// interrupted, until the machine has cooled down.
  ///
  /// Observable, on a queue of its own. Apple: `AVCaptureDevice.systemPressureState`.
  public var systemPressureState: SystemPressureState {
    observerTable.access(\AVCaptureDevice.systemPressureState)
    pressure.follow(self)
    return pressure.current
  }

  /// Whether the machine is cool enough to light a lamp.
  var isCoolEnoughForLamp: Bool {
    PressureLevel(pressure.current.level) < .critical
  }

  /// Notifies observers and sessions that the pressure has changed.
  func notifySystemPressure(from old: SystemPressureState, to new: SystemPressureState) {
    observerTable.changed(\AVCaptureDevice.systemPressureState, of: self, from: old, to: new)
    let wasCool = PressureLevel(old.level) < .critical, isCool = PressureLevel(new.level) < .critical
    if wasCool != isCool, state.withLock({ $0.isConnected }) {
      if hasTorch {
        observerTable.changed(\AVCaptureDevice.isTorchAvailable, of: self, from: wasCool, to: isCool)
      }
      if hasFlash {
        observerTable.changed(\AVCaptureDevice.isFlashAvailable, of: self, from: wasCool, to: isCool)
      }
    }
    for user in users { user.systemPressureDidChange() }
  }
}

extension AVCaptureDevice.SystemPressureState {
  /// The level of the pressure.
  ///
  /// Apple: `AVCaptureDevice.SystemPressureState.Level`.
  public struct Level: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the constant.
    public let rawValue: String

    /// The level with Apple's name `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing presses.
    public static let nominal = Level(rawValue: "AVCaptureSystemPressureLevelNominal")
    /// A little; nothing needs to be done yet.
    ///
    /// Within 5 K of `serious`, or threads waited for a processor in 40 % of the last ten seconds.
    public static let fair = Level(rawValue: "AVCaptureSystemPressureLevelFair")
    /// Much: the system slows down or threads wait; ask for fewer frames.
    ///
    /// The kernel throttles (a zone's passive limit; without one, 10 K below its critical one), or threads waited for a
    /// processor in 80 % of the last ten seconds.
    public static let serious = Level(rawValue: "AVCaptureSystemPressureLevelSerious")
    /// Close to the end: lamps are not lit any more.
    ///
    /// A zone is at its hot limit or 5 K below its critical one.
    public static let critical = Level(rawValue: "AVCaptureSystemPressureLevelCritical")
    /// Too much: sessions are interrupted.
    ///
    /// A zone is 2 K below its critical limit, at which the kernel switches the machine off.
    public static let shutdown = Level(rawValue: "AVCaptureSystemPressureLevelShutdown")
  }

  /// The factors that cause system pressure.
  ///
  /// Apple: `AVCaptureDevice.SystemPressureState.Factors`.
  public struct Factors: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// The factors with Apple's bits `rawValue`.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// A part of the machine is hot.
    public static let systemTemperature = Factors(rawValue: 1)
    /// More power is wanted than the battery can give; Linux does not say, so it is never reported.
    public static let peakPower = Factors(rawValue: 2)
    /// The depth camera is hot; never reported.
    public static let depthModuleTemperature = Factors(rawValue: 4)
    /// The camera is hot: reported where the kernel has a thermal zone for it.
    public static let cameraTemperature = Factors(rawValue: 8)
  }
}

extension PressureLevel {
  /// The number of Apple's level; an unknown one is nominal.
  init(_ level: AVCaptureDevice.SystemPressureState.Level) {
    self = PressureLevel.allCases.first { $0.appleLevel == level } ?? .nominal
  }

  /// Apple's level.
  var appleLevel: AVCaptureDevice.SystemPressureState.Level {
    switch self {
    case .nominal: .nominal
    case .fair: .fair
    case .serious: .serious
    case .critical: .critical
    case .shutdown: .shutdown
    }
  }
}
