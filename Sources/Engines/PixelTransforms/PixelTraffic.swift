internal import Linux

/// Counts every byte of pixels that this package writes, so that "zero copies" is counted and not assumed.
public enum PixelTraffic {
  private static let total = Locked(0)

  /// Bytes of pixels written in this process so far by transforms and other reporters; thread-safe.
  public static var bytesWritten: Int {
    total.withLock { $0 }
  }

  /// Adds `bytes` to the count; for decoders and copies outside this module.
  ///
  /// Thread-safe, one uncontended lock.
  public static func count(_ bytes: Int) {
    total.withLock { $0 += bytes }
  }
}
