/// What a device reports its changes to: a session that has an input of it.
///
/// Called on any thread, under no lock.
protocol DeviceUser: AnyObject, Sendable {
  /// A setting has changed that planning depends on.
  func somethingChanged()
  /// A client has chosen the camera's format by itself.
  func activeFormatWasSet()
  /// A device of this identifier is plugged in; must only enqueue. Reported to those that ask ``DeviceRegistry`` for it.
  func deviceCameBack(_ id: String)
  /// The system's pressure has changed; must only enqueue.
  func systemPressureDidChange()
}
