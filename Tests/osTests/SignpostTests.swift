import Linux
import Testing
import os
import os.signpost

@Suite("Signposts")
struct SignpostTests {
  private func logged(level: String?, _ body: () -> Void) -> [String] {
    let lines = Locked<[String]>([])
    let writer = LogWriter(environment: { $0 == "OBSCURA_LOG" ? level : nil }, errorStream: -1) { line in
      lines.withLock { $0.append(line) }
    }
    LogWriter.$current.withValue(writer, operation: body)
    return lines.withLock { $0 }.map { line in String(line.split(separator: "debug: ").last ?? "") }
  }

  @Test func `an interval is a line with its length, and ends once`() {
    let signposter = OSSignposter(subsystem: "a", category: .pointsOfInterest)
    let lines = logged(level: "debug") {
      #expect(signposter.isEnabled)
      let state = signposter.beginInterval("photo", id: signposter.makeSignpostID())
      signposter.emitEvent("shutter", "number \(4)")
      signposter.endInterval("photo", state, "\(2) frames")
      signposter.endInterval("photo", state)
      #expect(signposter.withIntervalSignpost("save") { 7 } == 7)
    }
    #expect(lines.count == 3)
    #expect(lines[0] == "signpost shutter: number 4")
    #expect(lines[1].hasPrefix("signpost photo took ") && lines[1].hasSuffix(" µs: 2 frames"))
    #expect(lines[2].hasPrefix("signpost save took "))
  }

  @Test func `without the level of debugging, or by the disabled one, nothing is written`() {
    let lines = logged(level: nil) {
      let signposter = OSSignposter()
      #expect(!signposter.isEnabled)
      signposter.endInterval("photo", signposter.beginInterval("photo", "\(1)"))
    }
    #expect(lines.isEmpty)
    #expect(logged(level: "debug") { OSSignposter.disabled.emitEvent("a") }.isEmpty)
  }

  @Test func `signposts of the older kind are lines, too`() {
    let log = OSLog(subsystem: "a", category: .pointsOfInterest)
    let lines = logged(level: "debug") {
      os_signpost(.begin, log: log, name: "photo")
      os_signpost(.event, log: log, name: "shutter", "%d", 5)
      os_signpost(.end, log: log, name: "photo", signpostID: .exclusive)
    }
    #expect(lines == ["signpost photo begins", "signpost shutter: 5", "signpost photo ends"])
  }

  @Test func `identifiers differ, and those of an object do not`() {
    final class Thing {}
    let (log, thing) = (OSLog.default, Thing())
    #expect(OSSignpostID(log: log) != OSSignpostID(log: log))
    #expect(OSSignpostID(log: log, object: thing) == OSSignposter().makeSignpostID(from: thing))
    #expect(OSSignpostID.null < .exclusive && OSSignpostID.exclusive < .invalid)
  }
}
