public import CaptureDevice

/// Whether a program may use the simulated devices, and what the user answers when asked.
public struct SimulatedAccess: Sendable, Hashable {
  /// What holds before the user is asked.
  public var access: DeviceAccess
  /// What an undetermined access becomes when asked for.
  public var answer: DeviceAccess

  /// Access that is `access` until asked and, when undetermined, `answer` from then on.
  public init(_ access: DeviceAccess, answer: DeviceAccess = .granted) {
    self.access = access
    self.answer = answer
  }

  /// Everything may be used.
  public static let granted = SimulatedAccess(.granted)
  /// The user has refused.
  public static let denied = SimulatedAccess(.denied)
  /// The user has not been asked yet, and will agree.
  public static let undetermined = SimulatedAccess(.undetermined)
}
