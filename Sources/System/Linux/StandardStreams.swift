internal import Glibc

/// The process's standard input, output and error, whichever of them are open.
package enum StandardStreams {
  /// Makes sure that no file which is opened later gets the number of a closed standard stream.
  ///
  /// Without this a camera's node or a photo could become the standard output, and answers would be written into it.
  /// A closed input and a closed output stay unusable, so that reading and writing fail; what goes to a closed error
  /// stream is lost. Call it before anything is opened.
  package static func reserve() {
    for (number, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is the one that is missing.
      _ = open("/dev/null", flags)
    }
  }

  /// Writes `bytes` to standard output, unbuffered.
  /// - Throws: ``SystemError`` when not all of them could be written.
  package static func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
    try ByteSink.write(bytes, to: STDOUT_FILENO, "write to standard output")
  }

  /// Asks whether standard output has kept what was written to it.
  ///
  /// A network's file system may report a full disk only when a file is closed. C: `close` of a copy.
  /// - Throws: ``SystemError`` when it has not.
  package static func check() throws(SystemError) {
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return }
    guard close(copy) == 0 || errno == EINTR else { throw .last("write to standard output") }
  }

  /// Writes `text` to standard error; what cannot be written there is lost.
  ///
  /// Thread-safe; never traps.
  package static func complain(_ text: String) {
    try? ByteSink.write(text.utf8, to: STDERR_FILENO, "write to standard error")
  }

  /// Whether standard output is a terminal.
  package static var hasOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard error is a terminal.
  package static var hasErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
