import Foundation
import Linux
import Testing
import os
import os.log

/// What is logged in a closure, as the environment says, without time and process.
private func logged(_ environment: [String: String] = [:], _ body: () -> Void) -> [String] {
  let lines = Locked<[String]>([])
  let writer = LogWriter(environment: { environment[$0] }, errorStream: -1) { line in
    lines.withLock { $0.append(line) }
  }
  LogWriter.$current.withValue(writer, operation: body)
  return lines.withLock { $0 }.map { line in
    line.range(of: #"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \S+\[\d+\] "#, options: .regularExpression)
      .map { String(line[$0.upperBound...]) } ?? line
  }
}

@Suite("The log")
struct LogTests {
  private let logger = Logger(subsystem: "org.example.camera", category: "session")

  @Test func `a message has its place and its level`() {
    let lines = logged(["OBSCURA_LOG": "debug"]) {
      logger.trace("a")
      logger.debug("b")
      logger.info("c")
      logger.notice("d")
      logger.log("e")
      logger.log(level: .error, "f")
      logger.warning("g")
      logger.error("h")
      logger.critical("i")
      logger.fault("j")
      Logger().log("k")
    }
    let words = ["debug", "debug", "info", "notice", "notice", "error", "error", "error", "fault", "fault"]
    #expect(
      lines == zip(words, "abcdefghij").map { "[org.example.camera:session] \($0): \($1)" } + ["notice: k"])
  }

  @Test(arguments: [
    (nil, "notice error fault"), ("debug", "debug info notice error fault"),
    ("info", "info notice error fault"),
    ("default", "notice error fault"), ("error", "error fault"), ("fault", "fault"), ("off", ""),
  ])
  func `the environment says which levels are written, and the values of others are not looked at`(
    level: String?, words: String
  ) {
    var seen = 0
    func look() -> Int {
      seen += 1
      return seen
    }
    let place = OSLog(subsystem: "a", category: "b")
    let lines = logged(level.map { ["OBSCURA_LOG": $0] } ?? [:]) {
      for type in [OSLogType.debug, .info, .default, .error, .fault] {
        let before = seen
        Logger(place).log(level: type, "\(look())")
        #expect(place.isEnabled(type: type) == (seen > before))
      }
    }
    #expect(lines.map { $0.split(separator: " ")[1].dropLast() }.joined(separator: " ") == words)
    #expect(seen == lines.count)
  }

  @Test func `numbers are public and texts private, unless a message says otherwise`() {
    let (name, count) = ("Kim", 3)
    func write() {
      logger.log(
        "\(count) of \(name), \(name, privacy: .public), \(count, privacy: .private), \(name, privacy: .sensitive)"
      )
    }
    let head = "[org.example.camera:session] notice: "
    #expect(logged([:], write) == [head + "3 of <private>, Kim, <private>, <sensitive>"])
    #expect(logged(["OBSCURA_LOG_PRIVATE": "1"], write) == [head + "3 of Kim, Kim, 3, <sensitive>"])
  }

  @Test func `a mask tells equal values from others`() {
    let lines = logged {
      for name in ["a", "b", "a"] { Logger().log("\(name, privacy: .private(mask: .hash))") }
    }
    #expect(lines[0] == lines[2] && lines[0] != lines[1])
    #expect(lines[0].hasPrefix("notice: <mask.hash: ") && !lines[0].contains("\"a\""))
  }

  @Test func `values are written in the form that is asked for`() {
    let lines = logged {
      Logger().log(
        "\(255, format: .hex) \(255, format: .hex(includePrefix: true, uppercase: true)) \(7, format: .decimal(minDigits: 3)) \(-5, format: .decimal(explicitPositiveSign: true)) \(8, format: .octal)"
      )
      Logger().log(
        "\(1.5) \(1.256, format: .fixed(precision: 2)) \(Float(0.5), format: .fixed(precision: 1)) \(1500.0, format: .exponential(precision: 1))"
      )
      Logger().log("\(true) \(false, format: .answer) \(Int.self)")
      Logger().log("|\("a", align: .right(columns: 3), privacy: .public)|\(5, align: .left(columns: 3))|")
      Logger().log("\(CocoaError(.fileNoSuchFile) as any Error, privacy: .public)")
    }
    #expect(lines[0] == "notice: ff 0xFF 007 -5 10")
    #expect(lines[1] == "notice: 1.500000 1.26 0.5 1.5e+03")
    #expect(lines[2] == "notice: true NO Int")
    #expect(lines[3] == "notice: |  a|5  |")
    #expect(lines[4].contains("NSCocoaErrorDomain"))
  }

  @Test func `formats in the manner of printf are filled, their texts private unless said otherwise`() {
    let place = OSLog(subsystem: "a", category: "b")
    let lines = logged {
      os_log("plain")
      os_log("%{public}@ %@ %d %.1f 100%%", log: place, type: .error, "x", "y", 3, 0.25)
      os_log(.fault, log: place, "%{private}d %ld %{public}@", 1, 2, "z" as NSString)
      os_log(.info, "not written")
      os_log("\(4) values")
    }
    #expect(
      lines == [
        "notice: plain", "[a:b] error: x <private> 3 0.2 100%", "[a:b] fault: <private> 2 z",
        "notice: 4 values",
      ])
  }

  @Test func `a message of several lines is several lines`() {
    #expect(logged { Logger().log("a\nb") } == ["notice: a", "  b"])
  }

  @Test func `a place for nothing writes nothing`() {
    #expect(logged(["OBSCURA_LOG": "debug"]) { Logger(.disabled).fault("a") }.isEmpty)
    #expect(!OSLog.disabled.isEnabled(type: .fault))
  }

  @Test func `lines for systemd's journal begin with its number`() throws {
    var status = stat()
    try #require(fstat(0, &status) == 0)
    let lines = Locked<[String]>([])
    let place = "\(status.st_dev):\(status.st_ino)"
    let writer = LogWriter(environment: { $0 == "JOURNAL_STREAM" ? place : nil }, errorStream: 0) { line in
      lines.withLock { $0.append(line) }
    }
    LogWriter.$current.withValue(writer) { logger.error("a") }
    #expect(lines.withLock { $0 } == ["<3>[org.example.camera:session] error: a"])
  }
}
