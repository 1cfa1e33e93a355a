internal import Glibc

/// The CPU time of the calling thread.
package enum ThreadTime {
  /// Nanoseconds of CPU time since the thread began.
  ///
  /// C: `clock_gettime(CLOCK_THREAD_CPUTIME_ID)`; some 200 ns.
  package static var nanoseconds: Int64 {
    var time = Glibc.timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
