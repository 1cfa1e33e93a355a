import Dispatch
import Foundation

/// How often the machine itself is late.
///
/// All of its cores count at the rate of a camera, with as much to do for each frame as a program that was measured. What is lost there
/// no program could have kept.
enum Metronome {
  /// The frames of `count` at 30/s that were not done when the next one was due; such a one costs the next.
  ///
  /// - Parameter cpuSeconds: The work for each frame, of all cores together.
  static func late(cpuSeconds: Double, count: Int) -> Int {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let steps = Int(cpuSeconds / Double(cores) * stepsPerSecond)
    let begun = DispatchTime.now().uptimeNanoseconds
    let frame: UInt64 = 1_000_000_000 / 30
    var (late, number) = (0, 0)
    while number < count {
      let due = begun + UInt64(number) * frame
      let now = DispatchTime.now().uptimeNanoseconds
      if now < due { Thread.sleep(forTimeInterval: Double(due - now) / 1_000_000_000) }
      DispatchQueue.concurrentPerform(iterations: cores) { work(steps, core: $0) }
      number += 1
      if DispatchTime.now().uptimeNanoseconds > due + frame {
        late += 1
        number += 1
      }
    }
    return late
  }

  /// Of one core that nothing disturbs.
  private static var stepsPerSecond: Double {
    let steps = 2_000_000
    let times = (0..<20).map { _ in wallSeconds { work(steps, core: 0) } }
    return Double(steps) / (times.min() ?? 1)
  }

  /// Where each core leaves its number: in memory that others know, so that no compiler moves its loop past a look at the clock.
  nonisolated(unsafe) private static let numbers = UnsafeMutablePointer<UInt64>.allocate(
    capacity: ProcessInfo.processInfo.activeProcessorCount)  // Safe because each core writes its own.

  /// Arithmetic of which each step waits for the one before it.
  @inline(never)
  private static func work(_ steps: Int, core: Int) {
    var value: UInt64 = 1
    for _ in 0..<steps { value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    numbers[core] = value
  }
}
