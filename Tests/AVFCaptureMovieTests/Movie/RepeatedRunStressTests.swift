import CaptureStage
import Foundation
import Testing

extension DeviceSuites {
  /// A thousand seeds, and one seed two hundred times, with `OBSCURA_STRESS=1`; a few otherwise.
  @Suite("Stress: runs that repeat")
  struct RepeatedRunStressTests {
    static let isFull = ProcessInfo.processInfo.environment["OBSCURA_STRESS"] != nil

    static func words(_ outcome: RunOutcome, _ source: String) -> [String] {
      outcome.news[source]?.compactMap { $0.split(separator: ": ").last.map(String.init) } ?? []
    }

    @Test func `each of many seeds gives all photos, the recording and all news`() async {
      await #expect(processExitsWith: .success) {
        for seed in 1...UInt64(RepeatedRunStressTests.isFull ? 1000 : 8) {
          let outcome = try RepeatedRun.run(seed: seed)
          #expect(outcome.news["photo"]?.count == 10 && outcome.files.count == 6, "seed \(seed)")
          #expect(outcome.files.allSatisfy { $0.count > 4000 }, "seed \(seed): \(outcome.files)")
          #expect(
            RepeatedRunStressTests.words(outcome, "recording") == ["started", "finishing", "finished"],
            "seed \(seed)")
          // The privacy switch ends it, the unplug, and the stop.
          let isRunning = RepeatedRunStressTests.words(outcome, "isRunning")
          #expect(
            isRunning == ["true", "false", "true", "false", "true", "false"], "seed \(seed): \(isRunning)")
          let session = RepeatedRunStressTests.words(outcome, "session")
          #expect(
            session.filter { $0 == "interrupted" }.count
              == session.filter { $0 == "interruption ended" }.count
              && session.contains("interrupted"), "seed \(seed): \(session)")
          #expect(RepeatedRunStressTests.words(outcome, "codes").contains("again"), "seed \(seed)")
          #expect(RepeatedRunStressTests.words(outcome, "frames").count > 30, "seed \(seed)")
          #expect(
            RepeatedRunStressTests.words(outcome, "library").count == 6,
            "seed \(seed): \(RepeatedRunStressTests.words(outcome, "library"))")
        }
      }
    }

    @Test func `one seed gives the same run each time`() async {
      await #expect(processExitsWith: .success) {
        let first = try RepeatedRun.run(seed: 7)
        for round in 1...(RepeatedRunStressTests.isFull ? 200 : 3) {
          let again = try RepeatedRun.run(seed: 7)
          for source in Set(first.news.keys).union(again.news.keys) {
            #expect(first.news[source] == again.news[source], "\(source) in round \(round)")
          }
          #expect(first.files == again.files, "round \(round)")
        }
      }
    }
  }
}
