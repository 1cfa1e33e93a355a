import Foundation
import ObscuraCommands
import Testing

/// The answer of `obscura bench zsl`.
private func shutterLag(_ words: [String]) throws -> [[String: Any]] {
  let run = try Run(["bench", "zsl", "--json"] + words)
  #expect(run.exitCode == .done, "\(run.messages)")
  return try run.json()
}

extension CommandTests {
  /// The measurements that `obscura bench` makes, in short.
  @Suite("obscura bench")
  struct BenchTests {
    @Test func `with zero shutter lag every photo is of the frame on show, without it of a later one`() throws
    {
      let answers = try shutterLag(["--presses", "30", "--live", "0"])
      try #require(answers.count == 2)
      #expect(answers.map { $0["zeroShutterLag"] as? Bool } == [true, false])
      for answer in answers {
        #expect(answer["presses"] as? Int == 30 && answer["clock"] as? String == "manual")
        #expect(answer["viewfinderDrops"] as? Int == 0)
      }
      #expect(answers[0]["lags"] as? [String: Int] == ["0": 30])
      #expect(answers[0]["laterThanViewfinder"] as? Int == 0 && answers[0]["tooEarly"] as? Int == 0)
      #expect(try #require(answers[1]["earliest"] as? Int) >= 1)
      #expect(answers[1]["laterThanViewfinder"] as? Int == 30)
    }

    @Test func `an unknown measurement is a usage error that names those there are`() throws {
      let run = try Run("bench", "everything")
      #expect(run.exitCode == .usage && run.messages.joined().contains("obscura bench burst"))
    }
  }

  /// In real time, which takes as long as it takes; with `OBSCURA_STRESS=real` only.
  @Suite(
    "obscura bench: stress",
    .enabled(if: ProcessInfo.processInfo.environment["OBSCURA_STRESS"] == "real", "set OBSCURA_STRESS=real"))
  struct BenchStressTests {
    @Test func `at twelve megapixels in real time a photo is of the frame on show`() throws {
      let answers = try shutterLag(["--presses", "0", "--live", "300"])
      try #require(answers.count == 2)
      let lag = answers[0]
      #expect(lag["clock"] as? String == "real" && lag["zeroShutterLag"] as? Bool == true)
      #expect(lag["width"] as? Int == 4032 && lag["height"] as? Int == 3024)
      #expect(lag["presses"] as? Int == 300)
      #expect((lag["lags"] as? [String: Int])?.values.reduce(0, +) == 300)
      // A delegate that the machine stops at its first line has not yet noted the frame that it is given.
      #expect(try #require(lag["latest"] as? Int) <= 1)
      #expect(try #require((lag["delivered"] as? [String: Any])?["median"] as? Double) > 0)
    }
  }
}
