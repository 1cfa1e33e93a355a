public import CaptureDevice

extension SimulatedDevice {
  /// The pressure on the scene's phone by its scene's faults or the program, however hot and busy the computing machine is.
  public var ownPressure: OwnPressure? { world.pressure }

  /// The simulated phone for cameras that have a place on it; `nil`, upright for ever, for those that are plugged in.
  public var machine: DeviceAttitude? {
    facts.position == .unspecified ? nil : world.machine
  }
}

extension SimulatedDeviceProvider {
  /// The phone that carries the scene's cameras: upright until a program holds it otherwise.
  ///
  /// Turning it changes no picture: the scene turns with the phone.
  public var machine: DeviceAttitude { world.machine }

  /// The pressure on that phone: nominal but for the scene's faults, and for a program that sets it.
  public var pressure: OwnPressure { world.pressure }
}
