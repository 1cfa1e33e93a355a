internal import Linux

/// Counts the jobs of actors whose executor is a queue that run or can run: a simulated clock waits for them.
///
/// Always none under a toolchain with a `DispatchSerialQueue` of its own, which says nothing of its jobs. Thread-safe.
package enum ActorJobs {
  private static let jobs = Locked(0)

  /// How many there are at present in the whole process.
  package static var count: Int { jobs.withLock { $0 } }

  static func add() { jobs.withLock { $0 += 1 } }

  static func remove() { jobs.withLock { $0 -= 1 } }
}
