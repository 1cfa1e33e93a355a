public import CaptureDevice

/// A program's permission to use the simulated devices, and the user's answer when asked.
public struct SimulatedAccess: Sendable, Hashable {
  /// The access before the user is asked.
  public var access: DeviceAccess
  /// The answer to a request of undetermined access.
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
