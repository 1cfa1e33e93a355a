internal import CaptureDevice
internal import Foundation
internal import Linux

/// The shared world of one provider's devices: the scene, its clock, and the moment when the scene was installed.
final class SimulatedWorld: Sendable {
  let scene: Scene
  let clock: SimulatedClock
  let installation: MonotonicInstant
  let machine = DeviceAttitude()
  let pressure = OwnPressure()
  /// The number of painted pictures.
  let paintedPictures = Locked(0)
  /// The coverages of the scene's layers, by their place in the scene; of those that a depth map needed.
  private let coverages = Locked<[Int: LayerCoverage]>([:])

  init(scene: Scene, clock: SimulatedClock) {
    self.scene = scene
    self.clock = clock
    installation = clock.now
  }

  /// The coverage of the scene's layer number `index`; computed once for all maps.
  func coverage(ofLayer index: Int) -> LayerCoverage {
    if let kept = coverages.withLock({ $0[index] }) { return kept }
    let coverage = LayerCoverage(scene.layers[index].content.drawing(at: 0))
    coverages.withLock { $0[index] = coverage }
    return coverage
  }

  /// Whether a click begins within the `length` seconds from `seconds` on; the first is one interval after the start.
  func clicks(from seconds: Double, length: Double) -> Bool {
    guard let interval = scene.clickInterval else { return false }
    // A nanosecond's slack, because seconds come from whole nanoseconds and the interval does not.
    let next = ((seconds - 1e-9) / interval).rounded(.up)
    return max(next, 1) * interval < seconds + length - 1e-9
  }

  /// The hand's shift at `seconds`, in pixels of a frame `width` pixels wide: smooth, below one pixel exact.
  ///
  /// A sum of sines between 0.9 and 9 Hz, the band of a hand's tremor, with phases from the seed.
  func shake(at seconds: Double, width: Int) -> (x: Double, y: Double) {
    guard scene.shakePixels > 0 else { return (0, 0) }
    let frequencies = [0.9, 1.7, 3.1, 5.3, 8.9]
    let weights = [1.0, 0.8, 0.5, 0.3, 0.2]
    let power = weights.reduce(0) { $0 + $1 * $1 / 2 }
    // Half of the power goes to each axis, so that the length of the shift has the RMS that was asked for.
    let scale = scene.shakePixels * Double(width) / 1920 / (2 * power).squareRoot()
    var shift = (x: 0.0, y: 0.0)
    for (index, (frequency, weight)) in zip(frequencies, weights).enumerated() {
      let x = Chance(scene.seed, "shake x", UInt64(index)).fraction * 2 * .pi
      let y = Chance(scene.seed, "shake y", UInt64(index)).fraction * 2 * .pi
      shift.x += weight * sin(2 * .pi * frequency * seconds + x)
      shift.y += weight * sin(2 * .pi * frequency * 1.07 * seconds + y)
    }
    return (shift.x * scale, shift.y * scale)
  }
}
