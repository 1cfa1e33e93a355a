internal import Glibc

/// The writer of lines, which knows the least level, and whether private values are shown.
///
/// A line is one write. A service's lines begin with the number by which systemd's journal files them, instead of with time and process,
/// which the journal has.
package struct LogWriter: Sendable {
  /// What writes to the standard error stream, as the environment says.
  package static let standard = LogWriter(
    environment: ProcessEnvironment.value, errorStream: STDERR_FILENO, write: Self.writeToErrorStream)

  /// What writes in the present task; a test's own.
  @TaskLocal package static var current = LogWriter.standard

  private let leastRank: Int
  private let isJournal: Bool
  let showsPrivate: Bool
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - environment: What gives a variable of the environment: `OBSCURA_LOG`, `OBSCURA_LOG_PRIVATE` and `JOURNAL_STREAM`.
  ///   - errorStream: The stream that may be a terminal or the journal.
  ///   - write: Writes a line, without its end.
  package init(
    environment: (String) -> String?, errorStream: Int32, write: @escaping @Sendable (String) -> Void
  ) {
    leastRank =
      switch environment("OBSCURA_LOG") {
      case "debug": 0
      case "info": 1
      case "error": 3
      case "fault": 4
      case "off": 5
      default: 2
      }
    var status = stat()
    let place = fstat(errorStream, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
    isJournal = place != nil && environment("JOURNAL_STREAM") == place
    showsPrivate = isatty(errorStream) == 1 || environment("OBSCURA_LOG_PRIVATE") == "1"
    self.write = write
  }

  func writes(_ type: OSLogType) -> Bool {
    type.traits.rank >= leastRank
  }

  func log(_ type: OSLogType, _ name: String?, _ text: String) {
    let place = name.map { "[\($0)] " } ?? ""
    let message = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in message.enumerated() {
      let head = index == 0 ? "\(place)\(type.traits.word): " : "  "
      write(isJournal ? "<\(type.traits.priority)>\(head)\(part)" : "\(Self.origin()) \(head)\(part)")
    }
  }

  /// The time and the process.
  private static func origin() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    localtime_r(&now.tv_sec, &parts)
    let numbers = [
      parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
    ]
    let texts = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    let fraction = String(1000 + now.tv_nsec / 1_000_000).dropFirst()
    let process = CommandLine.arguments.first?.split(separator: "/").last ?? "?"
    return
      "\(texts[0])-\(texts[1])-\(texts[2]) \(texts[3]):\(texts[4]):\(texts[5]).\(fraction) \(process)[\(getpid())]"
  }

  @Sendable private static func writeToErrorStream(_ line: String) {
    var bytes = Array(line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(STDERR_FILENO, $0.baseAddress.map { $0 + offset }, $0.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      offset += count
    }
  }
}

private enum ProcessEnvironment {
  static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
