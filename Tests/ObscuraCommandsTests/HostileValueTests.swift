import Foundation
import Linux
import ObscuraCommands
import Testing

@Suite("obscura: hostile values")
struct HostileValueTests {
  private static let values = [
    "", " ", "-1", "-0", "0", "00", "+5", "1e308", "-1e308", "1e309", "9e18s", "99999999999999999999999",
    "1e-320",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
    "2147483648",
    "nan", "-nan", "inf", "-inf", "infinity", "0x10", "0x1p-3", "1_000", "1,5", "1/0", "0/0", "1/-1",
    "1/1e-320",
    "1e308/1e-308", "1/9223372036854775808", "٣", "３", "5\u{0301}", "1e", "e", ".", "..", "--", "%n", "1\n2",
    "\u{1B}[2J",
    "0.5,0.5,0.5,0.5", "nan,nan,nan,nan", "1e308,1,1,1", "point nan,nan", "point 0x1,1", "1e308h", "1e306m",
    "-5s",
    "5S", "ms", "1e308ms", "/dev/null", "/dev/fd/99", "~", "%s%s%n", "%0d", "%99d", "%9999999999Y",
    String(repeating: "9", count: 4000), String(repeating: "%c", count: 500),
  ]

  /// The options with values that a command's own help names.
  private static func options(_ command: String) throws -> [String] {
    let (code, help, _) = run([command, "--help"])
    try #require(code == .done)
    return help.matches(of: #/--([a-z-]+) [A-Z]/#).map { String($0.1) }
  }

  private static func run(_ words: [String]) -> (code: ExitCode, output: String, messages: [String]) {
    let output = Locked(Data())
    let messages = Locked<[String]>([])
    let code = ObscuraCommand.run(
      words,
      terminal: Terminal(
        output: { data in output.withLock { $0 += data } },
        messages: { line in messages.withLock { $0.append(line) } }))
    return (code, String(decoding: output.withLock { $0 }, as: UTF8.self), messages.withLock { $0 })
  }

  /// A word too many ends each command once all its options are read, before any device is looked for.
  @Test(arguments: ["devices", "photo", "scan", "depth", "stamp", "doctor", "bench"])
  func `no value of any option does worse than exit code and sentence`(command: String) throws {
    let options = try Self.options(command)
    #expect(options.contains("devices") && options.contains("device"))
    for option in options {
      for value in Self.values {
        let words = [command, "--\(option)=\(value)", "no-such-file", "no-such-file"]
        let result = Self.run(words)
        #expect([.usage, .otherFailure].contains(result.code) && result.output.isEmpty, "\(words)")
        #expect(!result.messages.isEmpty)
        for message in result.messages {
          #expect(!message.contains("\n") && !message.contains("\u{1B}"), "\(words)")
          #expect(!message.contains("couldn’t") && !message.contains("Domain"), "\(message)")
        }
      }
    }
  }

  @Test(arguments: [
    "", "-1", "9223372036854775808", "nan", "1e308", "0x0", "٣", "\n", "/dev/full", "/dev/fd/99", "~",
  ])
  func `no device has a hostile name`(name: String) throws {
    let run = try Run("devices", "--devices", "simulated", "--device=\(name)")
    #expect(run.exitCode == .noSuchCamera && run.messages.count == 1, "\(run.messages)")
    let place = try Run("devices", "--devices=\(name)")
    #expect(
      [.usage, .noSuchCamera].contains(place.exitCode) && place.messages.count == 1, "\(place.messages)")
  }

  @Test(arguments: [
    ("photo", "timer", "1e308", "24 h"), ("photo", "timer", "86401", "24 h"),
    ("photo", "interval", "9e18s", "24 h"),
    ("photo", "count", "1000001", "1000000"), ("scan", "timeout", "99999999999999999999999", "720 h"),
    ("depth", "interval", "1e300h", "24 h"), ("depth", "count", "0", "1000000"),
    ("photo", "shutter", "1/9223372036854775808", "1 ns"), ("photo", "shutter", "3601", "1 h"),
    ("photo", "ev", "1e308", "100"), ("photo", "zoom", "1e300", "10000"),
    ("photo", "iso", "1e38", "100000000"),
    ("photo", "wb", "1e9", "25000"), ("photo", "focus", "1e308", "1"), ("bench", "presses", "-1", "1000000"),
    ("bench", "live", "1e3", "1000000"), ("scan", "region", "0,0,1e308,1", "1"),
  ])
  func `a value beyond its bounds is exit code 2 and a sentence with the bound`(
    command: String, option: String, value: String, bound: String
  ) throws {
    let run = try Run(command, "--devices", "simulated", "--\(option)", value)
    #expect(run.exitCode == .usage)
    #expect(run.messages.count == 1 && run.output.isEmpty)
    let message = try #require(run.messages.first)
    #expect(
      message.contains("--\(option)") && message.contains(bound) && !message.contains("inf"), "\(message)")
  }

  @Test func `a command beside other threads leaves the environment as it is`() {
    let before = getenv("OBSCURA_DEVICES").map { String(cString: $0) }
    let result = Self.run(["stamp", "--devices", "nowhere", "no-such-file"])
    #expect(result.code == .usage && result.output.isEmpty)
    #expect(getenv("OBSCURA_DEVICES").map { String(cString: $0) } == before)
  }

  @Test func `a moment that no clock reaches is the last one`() {
    let now = MonotonicInstant.now
    #expect(now.advanced(bySeconds: 1e308).nanoseconds == .max)
    #expect(now.advanced(bySeconds: .infinity).nanoseconds == .max)
    #expect(now.advanced(bySeconds: 1.5).nanoseconds == now.nanoseconds + 1_500_000_000)
  }
}
