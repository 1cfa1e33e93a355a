import Foundation
import SimulatedDevices
import Testing

/// Photo libraries on disks that fail: each change is made whole or not at all, at each call.
@Suite("Libraries on disks that fail", .serialized)
struct LibraryDiskTests {
  static let changes = ["add", "import", "move", "edit", "delete", "albums", "defer", "finish"]

  /// A library that changes are tried on.
  private static let prepared = Result { () throws -> DiskTrial in
    let trial = try DiskTrial()
    let outcome = try trial.run("prepare")
    #expect(outcome.says("done prepare"), "\(outcome.lines)")
    return trial
  }

  /// All that is in a library, by which it is compared.
  private struct Content: Equatable {
    var state: [String]

    init(_ outcome: DiskOutcome) { state = outcome.words("state") }

    /// Whether nothing that was there before is missing, a photo that was moved in not counted.
    func contains(_ other: Content) -> Bool {
      var rest = state
      for line in other.state where !line.hasPrefix("waiting") {
        guard let index = rest.firstIndex(of: line) else { return false }
        rest.remove(at: index)
      }
      return true
    }
  }

  /// Looks at what is left, with a process that may itself be stopped, and then with one that is not.
  private func look(_ trial: DiskTrial, _ place: String, fault: DiskFault? = nil) throws -> (
    Content, DiskOutcome
  ) {
    if let fault {
      let stopped = try trial.run("check", fault: fault)
      #expect(stopped.status != nil, "\(place): a signal ended the start")
    }
    let outcome = try trial.run("check")
    #expect(outcome.says("done check") && outcome.words("problem").isEmpty, "\(place): \(outcome.lines)")
    return (Content(outcome), outcome)
  }

  /// The calls of a change, and the library before and after it.
  private func reference(_ change: String) throws -> (points: DiskPoints, before: Content, after: Content) {
    let base = try Self.prepared.get()
    let (before, _) = try look(try DiskTrial(copying: base), "before")
    let trial = try DiskTrial(copying: base)
    let outcome = try trial.run(change)
    #expect(outcome.says("done"), "\(outcome.lines)")
    let (after, _) = try look(trial, "after")
    #expect(before != after)
    return (DiskPoints(outcome), before, after)
  }

  private func check(
    _ change: String, _ fault: DiskFault, _ before: Content, _ after: Content, recovery: DiskFault? = nil
  ) throws -> [String] {
    let trial = try DiskTrial(copying: try Self.prepared.get())
    let outcome = try trial.run(change, fault: fault)
    let place = "\(change), \(fault.text)\(recovery.map { ", then \($0.text)" } ?? "")"
    #expect(outcome.status != nil, "\(place): a signal ended the process")
    let (left, last) = try look(trial, place, fault: recovery)
    if outcome.says("done") {
      #expect(left == after, "\(place): what was said to be done is not: \(left.state)")
    } else {
      #expect(left == before || left == after, "\(place): \(left.state)")
    }
    if change == "move", left != after { #expect(last.says("incoming"), "\(place): the photo is nowhere") }
    if outcome.status == 0 {
      #expect(outcome.says("done") || outcome.says("failed"), "\(place): nothing is said")
    }
    return outcome.words("failed")
  }

  @Test(arguments: changes)
  func `a change whose process dies at any call is made whole or not at all`(change: String) async throws {
    let (points, before, after) = try reference(change)
    let deaths = points.deaths(usual: 3)
    _ = try await DiskPoints.tryEach(deaths) { try check(change, $0, before, after) }
    print("Figure: \(change): \(points.calls.count) calls, \(deaths.count) deaths")
  }

  @Test(arguments: changes)
  func `a change whose power fails at any call is made whole or not at all`(change: String) async throws {
    let (points, before, after) = try reference(change)
    let cuts = points.powerCuts(usual: 3)
    _ = try await DiskPoints.tryEach(cuts) { try check(change, $0, before, after) }
    print("Figure: \(change): \(points.calls.count) calls, \(cuts.count) power cuts")
  }

  @Test(arguments: changes)
  func `the start after a death may die at each of its own calls`(change: String) async throws {
    let (points, before, after) = try reference(change)
    var (tried, known) = (0, Set<[String]>())
    for fault in points.deaths(usual: 1) {
      // The calls of the start here; many deaths leave it the same work.
      let trial = try DiskTrial(copying: try Self.prepared.get())
      _ = try trial.run(change, fault: fault)
      let start = DiskPoints(try trial.run("check"))
      guard known.insert(start.calls).inserted else { continue }
      let ends = start.deaths(usual: 1) + start.powerCuts(usual: 1)
      _ = try await DiskPoints.tryEach(ends) { try check(change, fault, before, after, recovery: $0) }
      tried += ends.count
    }
    print("Figure: \(change): \(known.count) kinds of starts, \(tried) that die themselves")
  }

  @Test(arguments: changes)
  func `a change that meets a refused call or a full disk says so, or is made`(change: String) async throws {
    let (points, before, after) = try reference(change)
    let faults = points.fullDisks(usual: 2) + points.refusals(usual: 3)
    let said = try await DiskPoints.tryEach(faults) { try check(change, $0, before, after) }
    print("Figure: \(change): \(faults.count) full disks and refusals")
    for sentence in Set(said.joined()).sorted() { print("Figure: \(change) says: \(sentence)") }
  }

  @Test func `a commit that the disk refuses leaves no entry without its file`() async throws {
    let (points, before, after) = try reference("add")
    let count = points.calls.count { $0 == "sync" }
    #expect(count > 2)
    let faults = (1...count).map { DiskFault.fails(.sync, at: $0, errno: 5) }
    _ = try await DiskPoints.tryEach(faults) { try check("add", $0, before, after) }
  }

  @Test func `a library whose first write was not ended is made by the next start`() throws {
    let calls = DiskPoints(try DiskTrial().run("make")).calls
    // SQLite takes its journal away when what it journals is on the disk.
    let end = try #require(calls.firstIndex(of: "remove"))
    let trial = try DiskTrial()
    #expect(try trial.run("make", fault: .dies(at: end + 1)).died)
    let journal = trial.folder.path + "/library/.catalogue/library.sqlite-journal"
    #expect(FileManager.default.fileExists(atPath: journal))
    let (left, _) = try look(trial, "make")
    #expect(left.state == ["waiting 0"])
  }

  @Test func `a library whose making dies at any call is made by the next start`() async throws {
    let points = DiskPoints(try DiskTrial().run("make"))
    #expect(points.calls.count > 5)
    _ = try await DiskPoints.tryEach(points.deaths(usual: 4) + points.powerCuts(usual: 4)) { fault in
      let trial = try DiskTrial()
      _ = try trial.run("make", fault: fault)
      let (left, _) = try look(trial, "make, \(fault.text)")
      #expect(left.state == ["waiting 0"], "\(fault.text): \(left.state)")
    }
  }
}
