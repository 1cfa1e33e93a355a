public import CaptureDevice

extension SimulatedDevice {
  /// What presses the scene's phone, however hot and busy the machine is that computes it: the faults of its scene, or the program.
  public var ownPressure: OwnPressure? { world.pressure }

  /// The simulated phone for cameras that have a place on it; `nil`, upright for ever, for those that are plugged in.
  public var machine: HeldMachine? {
    facts.position == .unspecified ? nil : world.machine
  }
}

extension SimulatedDeviceProvider {
  /// The phone that carries the scene's cameras: upright until a program holds it otherwise.
  ///
  /// Turning it changes no picture: the scene turns with the phone.
  public var machine: HeldMachine { world.machine }

  /// How hard pressed that phone is: not at all but for the scene's faults, and for a program that presses it.
  public var pressure: OwnPressure { world.pressure }
}
