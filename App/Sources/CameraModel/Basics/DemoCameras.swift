import SimulatedDevices

/// Cameras for trying the program without hardware.
package enum DemoCameras {
  /// Takes the library's built-in scene, without the strip of bits that tests read.
  package static func install() {
    var scene = Scene.builtIn
    scene.isStamped = false
    SimulatedDevices.install(scene: scene)
  }
}
