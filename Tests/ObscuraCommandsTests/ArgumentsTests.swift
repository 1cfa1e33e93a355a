import ObscuraCommands
import Testing

@Suite("Arguments")
struct ArgumentsTests {
  private static let options: [Arguments.Option] = [
    .init("output", "o", value: "FILE", help: ""), .init("json", help: ""), .init("quiet", "q", help: ""),
    .init("verbose", "v", help: ""), .init("timer", value: "TIME", .time(0...86_400), help: ""),
    .init("count", value: "N", .wholeNumber(1...100), help: ""),
  ]

  private func parse(_ words: String...) throws -> Arguments {
    try Arguments(words, options: Self.options, command: "photo")
  }

  @Test(arguments: [
    ["--output", "a.jpg"], ["--output=a.jpg"], ["-o", "a.jpg"], ["-oa.jpg"], ["-qo", "a.jpg"], ["-qvoa.jpg"],
  ])
  func `every spelling of an option with a value is understood`(words: [String]) throws {
    let arguments = try Arguments(words, options: Self.options, command: "photo")
    #expect(arguments["output"] == "a.jpg")
  }

  @Test func `clustered flags are all set`() throws {
    let arguments = try parse("-qv")
    #expect(arguments.has("quiet") && arguments.has("verbose"))
  }

  @Test func `a dash alone and everything behind two dashes are operands`() throws {
    let arguments = try parse("-", "--json", "--", "--output", "-q")
    #expect(arguments.operands == ["-", "--output", "-q"])
    #expect(arguments.has("json"))
  }

  @Test(arguments: [["--nonsense"], ["-x"], ["--output"], ["--json=1"], ["-qx"]])
  func `what no declaration matches is a usage error`(words: [String]) {
    let error = #expect(throws: CommandError.self) {
      try Arguments(words, options: Self.options, command: "photo")
    }
    #expect(error?.exitCode == .usage)
  }

  @Test(arguments: [("500ms", 0.5), ("5s", 5), ("2m", 120), ("1h", 3600), ("0.25", 0.25), ("0", 0)])
  func `durations are read with and without units`(text: String, seconds: Double) throws {
    #expect(try parse("--timer", text).number("timer") == seconds)
  }

  @Test(arguments: ["", "s", "fast", "-1s", "5x", "nan", "inf"])
  func `what is no duration is a usage error`(text: String) throws {
    #expect(throws: CommandError.self) { try parse("--timer=\(text)") }
  }

  @Test(arguments: ["0", "-3", "many", "1.5", "99999999999999999999"])
  func `a count outside its range is a usage error`(text: String) throws {
    #expect(throws: CommandError.self) { try parse("--count=\(text)") }
  }
}
