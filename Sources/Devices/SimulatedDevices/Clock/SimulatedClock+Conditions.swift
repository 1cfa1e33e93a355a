internal import Foundation
internal import FoundationExtras
internal import Linux

extension SimulatedClock {
  /// The environment's `OBSCURA_SEED`; 0 without it.
  public static let environmentSeed: UInt64 = {
    guard let text = ProcessInfo.processInfo.environment["OBSCURA_SEED"], !text.isEmpty else { return 0 }
    if let seed = UInt64(text) { return seed }
    ProgrammingMistake.report(
      rule: "OBSCURA_SEED must be a whole number from 0 on; '\(text)' is none, and 0 was taken.")
    return 0
  }()

  /// An error of ``advance(atMost:until:)``: the condition did not hold.
  public struct ConditionError: Error, Sendable, CustomStringConvertible {
    /// One sentence: how far the clock went, and what it stands before.
    public let description: String
  }

  /// Moves a manual clock from event to event, until a condition holds.
  ///
  /// ```swift
  /// try clock.advance { photos.count == 3 }
  /// ```
  ///
  /// The condition is asked first, and after each event once what follows from it has been seen by clients, as after ``advance(by:waitingForClients:)``.
  ///
  /// - Parameters:
  ///   - limit: How far the clock may go; a minute, unless another is given.
  ///   - condition: Called on this thread; it must not move the clock.
  /// - Throws: ``ConditionError`` when the clock came to the limit, or nothing was due any more, and the condition did not hold.
  public func advance(atMost limit: Duration = .seconds(60), until condition: () throws -> Bool) throws {
    guard isManual, limit >= .zero, limit <= .longestAdvance else {
      return ProgrammingMistake.report(rule: Self.advanceRule)
    }
    let start = now
    let end = start.advanced(byNanoseconds: limit.wholeNanoseconds)
    settle()
    while try !condition() {
      guard now < end, advanceToNextEvent(until: end) else {
        throw ConditionError(description: sentence(since: start))
      }
    }
  }

  /// Moves a manual clock without running what falls due on the way: that comes late, with the next move, as on a machine that had no time
  /// for this process.
  ///
  /// - Parameter duration: How far; not below zero, and a year at most. While the clock is moving, and on the real one, the call is a programming
  ///   mistake without effect.
  public func skip(by duration: Duration) {
    guard isManual, duration >= .zero, duration <= .longestAdvance,
      jump(byNanoseconds: duration.wholeNanoseconds)
    else {
      return ProgrammingMistake.report(rule: Self.advanceRule)
    }
  }

  private func sentence(since start: MonotonicInstant) -> String {
    func text(_ nanoseconds: Int64) -> String {
      let milliseconds = (nanoseconds + 500_000) / 1_000_000
      let rest = String(milliseconds % 1000)
      return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
    }
    let (next, isBusy) = outlook
    let ahead =
      next.map { "the next event is due in \(text($0.nanoseconds - now.nanoseconds))" }
      ?? "nothing is due: no session runs"
    return
      "The condition did not hold within \(text(now.nanoseconds - start.nanoseconds)) of the clock's time; \(ahead)\(isBusy ? ", and a client has not returned" : "")."
  }
}
