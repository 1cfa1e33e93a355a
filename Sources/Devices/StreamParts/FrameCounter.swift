/// Turns a driver's sequence numbers into those of a stream: from 0, with gaps where frames were lost.
package struct FrameCounter: Sendable, Hashable {
  /// A larger jump is not a loss (that would be a minute) but a driver that numbers anew.
  package static let longestGap: UInt32 = 3600

  private var lastOfDriver: UInt32?
  private var last: UInt32 = 0
  /// Times that the driver's numbers stood still, went back, or jumped.
  package private(set) var renumberings = 0

  /// A counter for a stream that has just been started.
  package init() {}

  /// Counts a buffer that bears `number`; numbers wrap after 2³².
  /// - Returns: The frame's number in the stream, and how many frames before it were lost.
  package mutating func advance(to number: UInt32) -> (sequence: UInt32, lost: UInt32) {
    guard let previous = lastOfDriver else {
      lastOfDriver = number
      return (0, 0)
    }
    lastOfDriver = number
    var step = number &- previous
    if step == 0 || step > Self.longestGap {
      renumberings += 1
      step = 1
    }
    last &+= step
    return (last, step - 1)
  }

  /// Takes back the number that was given last: what bore it was no frame, and the next one gets it.
  package mutating func takeBack() {
    if last == 0 { lastOfDriver = nil } else { last -= 1 }
  }

  /// Passes over a buffer that bears `number` and is no frame: the next one follows the last that counted.
  package mutating func pass(over number: UInt32) {
    if lastOfDriver != nil { lastOfDriver = number }
  }
}
