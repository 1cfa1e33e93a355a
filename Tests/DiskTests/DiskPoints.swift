import Foundation
import SeededNumbers
import SimulatedDevices

/// The faults of a disk that an operation of so many calls is tried with: all with `OBSCURA_STRESS=1`, few otherwise.
struct DiskPoints {
  /// The calls of a run without a fault.
  let calls: [String]
  let bytes: Int

  init(_ outcome: DiskOutcome) {
    calls = outcome.calls
    bytes = outcome.bytes
  }

  /// Tries faults, as many at once as there are processors: a trial is a process that has one to itself.
  static func tryEach<Found: Sendable>(
    _ faults: [DiskFault], _ trial: @escaping @Sendable (DiskFault) throws -> Found
  ) async throws -> [Found] {
    try await withThrowingTaskGroup(of: Found.self) { group in
      var found: [Found] = []
      for (index, fault) in faults.enumerated() {
        if index >= ProcessInfo.processInfo.activeProcessorCount, let ended = try await group.next() {
          found.append(ended)
        }
        group.addTask { try trial(fault) }
      }
      for try await ended in group { found.append(ended) }
      return found
    }
  }

  /// Of so many points those that are tried, spread evenly, others for each seed.
  private func chosen(_ count: Int, usual: Int) -> [Int] {
    let wanted = min(count, FuzzCount(usual: usual, all: count).value)
    guard wanted > 0, count > 0 else { return [] }
    var numbers = SeededGenerator(usual: 46)
    let shift = Int.random(in: 0..<count, using: &numbers)
    return Set((0..<wanted).map { ($0 * count / wanted + shift) % count + 1 }).sorted()
  }

  /// The process dies before a call.
  func deaths(usual: Int) -> [DiskFault] { chosen(calls.count, usual: usual).map { .dies(at: $0) } }

  /// The power fails before a call, each with several seeds where all are tried.
  func powerCuts(usual: Int) -> [DiskFault] {
    let seeds = FuzzCount(usual: 1, all: 3).value
    return chosen(calls.count, usual: usual).flatMap { number in
      (1...seeds).map { .losesPower(at: number, seed: UInt64(number * 100 + $0)) }
    }
  }

  /// The disk is full, from the first byte to the last.
  func fullDisks(usual: Int) -> [DiskFault] {
    let all = min(calls.count, 64)
    return chosen(all, usual: usual).map { .isFull(after: ($0 - 1) * bytes / max(1, all)) }
  }

  /// A call is refused.
  func refusals(usual: Int) -> [DiskFault] {
    chosen(calls.count, usual: usual).compactMap { number in
      let kind = calls[number - 1]
      let earlier = calls[..<number].count { $0 == kind }
      return DiskOperation(rawValue: kind).map { .fails($0, at: earlier, errno: 5) }
    }
  }
}
