internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras

/// Cameras and microphones that live in a scene instead of the world.
public enum SimulatedDevices {
  /// Makes the devices of `scene` the program's only ones, at once and for every observer of the devices.
  ///
  /// - Parameters:
  ///   - scene: What they see; the built-in scene by default.
  ///   - clock: The time they live in; a manual clock makes everything repeatable to the byte.
  ///   - access: Whether the program may use them.
  /// - Returns: The provider, whose devices can be reached without a session.
  @discardableResult
  public static func install(
    scene: Scene = .builtIn, clock: SimulatedClock = .real, access: SimulatedAccess = .granted
  ) -> SimulatedDeviceProvider {
    let provider = SimulatedDeviceProvider(scene: scene, clock: clock, access: access)
    if clock.isManual {
      InFlight.setSource { [weak clock] in clock?.makeToken(isOfClient: true) }
      MachineClock.install(clock.mediaClock)
    } else {
      returnToMachineTime()
    }
    CaptureDeviceProviders.install([provider])
    return provider
  }

  /// Returns to the devices that the environment chooses.
  public static func uninstall() {
    CaptureDeviceProviders.install(nil)
    returnToMachineTime()
  }

  /// Returns to the machine's time, whatever the devices are: what waited in the world's goes on in it.
  package static func returnToMachineTime() {
    InFlight.setSource(nil)
    MachineClock.install(nil)
  }
}
