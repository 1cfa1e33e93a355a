import Foundation
import SimulatedDevices
import Testing

/// Recordings on disks that fail: what is lost of them, at each call.
@Suite("Recordings on disks that fail", .serialized)
struct RecordingDiskTests {
  /// A way of recording, and the file's name.
  struct Way: Sendable, CustomTestStringConvertible {
    var operation: String
    var file = "movie.mov"
    /// The seconds that it takes.
    var length = 2.4
    /// The most seconds that a death may take, and a power cut.
    var most = 1.0
    var mostAtPowerCut = 2.0

    var testDescription: String { operation }
  }

  static let ways = [
    Way(operation: "movie"), Way(operation: "hevc"),
    // What was asked for more often than usual is lost less of.
    Way(operation: "fragments", length: 0.6, most: 0.3, mostAtPowerCut: 0.3), Way(operation: "writer"),
    Way(operation: "audio", file: "sound.wav", length: 1.3),
  ]

  /// The seconds that can be played of what is left.
  private func seconds(_ trial: DiskTrial, _ way: Way) throws -> Double {
    let words = try trial.run("measure", [way.file]).words("seconds")
    return words.first.flatMap { Double($0.prefix { $0 != " " }) } ?? 0
  }

  private func check(_ way: Way, _ fault: DiskFault, most: Double) throws -> Double {
    let trial = try DiskTrial()
    let outcome = try trial.run(way.operation, fault: fault)
    let taken = outcome.words("taken").last.flatMap { Double($0) } ?? 0
    let kept = try seconds(trial, way)
    #expect(outcome.status != nil, "\(fault.text): a signal ended the process")
    // A writer takes media faster than it is, so that it has no seconds of its own.
    #expect(taken - kept <= most + 0.05, "\(fault.text): of \(taken) s only \(kept) s can be played")
    if outcome.says("done") {
      #expect(kept >= way.length - 0.1, "\(fault.text): of a whole recording \(kept) s are left")
    }
    return taken - kept
  }

  @Test(arguments: ways)
  func `a recording whose process dies at any call can be played but for its last second`(way: Way)
    async throws
  {
    let whole = try DiskTrial()
    let points = DiskPoints(try whole.run(way.operation))
    #expect(try seconds(whole, way) >= way.length - 0.1 && points.calls.count > 5)
    let deaths = points.deaths(usual: 4)
    let lost = try await DiskPoints.tryEach(deaths) { try check(way, $0, most: way.most) }.max() ?? 0
    print(
      "Figure: \(way.operation): \(points.calls.count) calls, \(deaths.count) deaths, at most \(lost) s lost")
  }

  @Test(arguments: ways)
  func `a recording whose power fails at any call can be played but for its last two seconds`(way: Way)
    async throws
  {
    let points = DiskPoints(try DiskTrial().run(way.operation))
    let cuts = points.powerCuts(usual: 4)
    let lost = try await DiskPoints.tryEach(cuts) { try check(way, $0, most: way.mostAtPowerCut) }.max() ?? 0
    print(
      "Figure: \(way.operation): \(points.calls.count) calls, \(cuts.count) power cuts, at most \(lost) s lost"
    )
  }

  @Test(arguments: ways)
  func `a recording that meets a refused call or a full disk says so, or is whole`(way: Way) async throws {
    let points = DiskPoints(try DiskTrial().run(way.operation))
    let faults = points.fullDisks(usual: 2) + points.refusals(usual: 3)
    let said = try await DiskPoints.tryEach(faults) { fault in
      let trial = try DiskTrial()
      let outcome = try trial.run(way.operation, fault: fault)
      let kept = try seconds(trial, way)
      #expect(outcome.status == 0, "\(fault.text): \(outcome.status ?? -1)")
      #expect(outcome.says("done") || outcome.says("failed"), "\(fault.text): nothing is said")
      if !outcome.says("failed") {
        #expect(kept >= way.length - 0.1, "\(fault.text): \(kept) s, and nothing was said")
      }
      let taken = outcome.words("taken").last.flatMap { Double($0) } ?? 0
      if outcome.words("failed").contains(where: { $0.hasPrefix("kept") }) {
        #expect(kept > 0, "\(fault.text): kept \(kept) s of \(taken) s")
      }
      return outcome.words("failed").map { $0.replacing(trial.folder.path + "/", with: "") }
    }
    print("Figure: \(way.operation): \(faults.count) full disks and refusals")
    for sentence in Set(said.joined()).sorted() { print("Figure: \(way.operation) says: \(sentence)") }
  }
}
