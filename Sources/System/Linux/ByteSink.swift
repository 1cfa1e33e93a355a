internal import Glibc

/// Writing to a descriptor that may refuse, fill up, or lose its reader.
package enum ByteSink {
  /// The timeout of a non-blocking descriptor that takes nothing.
  private static let stuckMilliseconds: Int32 = 60_000

  /// Writes all of `bytes`, however many calls that takes.
  ///
  /// Blocks while the reader of a pipe is slow; a descriptor that is non-blocking may take nothing for a minute. Never
  /// traps; a process that ignores `SIGPIPE` survives a reader that goes away. C: `write`, `poll`.
  ///
  /// - Parameters:
  ///   - descriptor: The kernel's number.
  ///   - action: What is done, for the error: "write /tmp/a.jpg".
  /// - Throws: ``SystemError``: ``SystemError/Reason/diskFull``, ``SystemError/Reason/readerGone``,
  ///   ``SystemError/Reason/closed``, ``SystemError/Reason/timedOut``.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ action: String
  ) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let count = Disk.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      guard count < 0 else {
        offset += count
        continue
      }
      let number = errno
      if number == EINTR { continue }
      guard number == EAGAIN else { throw SystemError(action, errno: number) }
      var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&wait, 1, stuckMilliseconds) == 0 { throw SystemError(action, errno: ETIMEDOUT) }
    }
  }

  /// Writes all of `bytes`.
  /// - Throws: ``SystemError``, as the other form does.
  package static func write(
    _ bytes: some Sequence<UInt8>, to descriptor: Int32, _ action: String
  ) throws(SystemError) {
    func result(_ buffer: UnsafeRawBufferPointer) -> Result<Void, SystemError> {
      Result { () throws(SystemError) in try write(buffer, to: descriptor, action) }
    }
    let direct = bytes.withContiguousStorageIfAvailable { result(UnsafeRawBufferPointer($0)) }
    try (direct ?? Array(bytes).withUnsafeBytes(result)).get()
  }
}
