internal import Glibc

/// Lets the calling thread sleep.
enum Pause {
  /// Sleeps for about so many milliseconds.
  ///
  /// C: `usleep`.
  static func milliseconds(_ count: UInt32) {
    usleep(count * 1000)
  }
}
