internal import CaptureDevice
internal import Foundation
internal import Linux

/// Fails unless the stream stops within a second.
func requireStop(_ stream: any CaptureStream, line: UInt = #line) throws {
  let before = MonotonicInstant.now
  stream.stop()
  let nanoseconds = MonotonicInstant.now.nanoseconds - before.nanoseconds
  try require(nanoseconds < 1_000_000_000, "stop took \(nanoseconds / 1_000_000) ms.", line: line)
}

/// Fails unless twenty times of `cycle` leave no file descriptor behind.
///
/// The descriptors are those of the whole process, and other tests open some meanwhile: a leak shows each time that it is looked for.
func requireNoLeak(line: UInt = #line, _ cycle: () throws -> Void) throws {
  func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
  // The first opening may load what stays.
  try cycle()
  var more = 0
  for _ in 0..<5 {
    let before = try openDescriptors()
    for _ in 0..<20 { try cycle() }
    more = try openDescriptors() - before
    if more < 15 { return }
  }
  try require(false, "\(more) descriptors more are open than before.", line: line)
}

/// Fails unless the numbers of `what` start at 0 and skip none, and the times of those that were delivered increase.
func requireOrder(
  _ what: String, numbers: [UInt32], delivered: [(sequence: UInt32, timestamp: MonotonicInstant)], line: UInt
) throws {
  for (index, sequence) in numbers.enumerated() {
    try require(
      sequence == UInt32(index),
      "Event \(index) is of \(what) \(sequence): a \(what) is neither delivered nor dropped.", line: line)
  }
  for (earlier, later) in zip(delivered, delivered.dropFirst()) {
    try require(
      earlier.timestamp < later.timestamp,
      "The \(what) \(later.sequence) is not later than the one before.", line: line)
  }
}

/// Fails unless `body` throws a device error with this code.
func expect(
  _ code: CaptureDeviceError.Code, _ what: String, line: UInt = #line, _ body: () throws -> Void
) throws {
  do {
    try body()
  } catch let error as CaptureDeviceError {
    try require(error.code == code, "\(what) failed as \(error.code), not \(code): \(error)", line: line)
    try require(!error.message.isEmpty, "\(what) failed without a word.", line: line)
    return
  }
  throw ConformanceFailure(message: "\(what) was accepted instead of failing as \(code).", line: line)
}
