/// A user of a device, to which the device reports its changes: a session that has an input of it.
///
/// Called on any thread, under no lock.
protocol DeviceObserver: AnyObject, Sendable {
  /// A setting has changed that planning depends on.
  func somethingChanged()
  /// A client has chosen the camera's format by itself.
  func activeFormatWasSet()
  /// A device of this identifier is plugged in; must only enqueue. Reported to those that ask ``DeviceRegistry`` for it.
  func deviceCameBack(_ id: String)
  /// The system's pressure has changed; must only enqueue.
  func systemPressureDidChange()
}
