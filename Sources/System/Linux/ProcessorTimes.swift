/// The time that the machine's processors have worked and rested since it started, all together, in the kernel's ticks.
///
/// Linux: the first line of `/proc/stat`, `Documentation/filesystems/proc.rst`.
package struct ProcessorTimes: Sendable, Hashable {
  /// With programs, the kernel and interrupts, or taken away by the machine that carries this one.
  package var busy: Int
  /// With nothing, or waiting for a disk.
  package var resting: Int

  /// Times by hand.
  package init(busy: Int, resting: Int) {
    self.busy = busy
    self.resting = resting
  }

  /// The present times, or those of another such line; `nil` where the kernel does not count them.
  package init?(_ line: String? = DeviceTree.line("/proc/stat")) {
    let words = line?.split(separator: " ") ?? []
    // What follows the first eight is counted among them already.
    let ticks = words.dropFirst().prefix(8).compactMap { Int($0) }
    guard words.first == "cpu", ticks.count == 8 else { return nil }
    resting = ticks[3] + ticks[4]
    busy = ticks.reduce(0, +) - resting
  }

  /// Which share of the processors rested since `earlier`, 0 to 1; `nil` where no time has passed.
  package func restingShare(since earlier: ProcessorTimes) -> Double? {
    // The time of waiting may go backwards by a tick.
    let (busy, resting) = (max(0, busy - earlier.busy), max(0, resting - earlier.resting))
    return busy + resting == 0 ? nil : Double(resting) / Double(busy + resting)
  }
}
