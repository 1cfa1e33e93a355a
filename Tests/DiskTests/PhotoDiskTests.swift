import Foundation
import SimulatedDevices
import Testing

/// Photos, settings and recordings of the command on disks that fail: a path that was printed names a whole file.
@Suite("Photos and settings on disks that fail", .serialized)
struct PhotoDiskTests {
  /// A command of `obscura` that writes files in the folder of a trial.
  struct Order: Sendable, CustomTestStringConvertible {
    var name: String
    var words: [String]
    /// The endings of the files of which each is whole or not there.
    var files: [String]

    var testDescription: String { name }
  }

  static let orders = [
    Order(name: "photo", words: ["photo", "-o", "a.jpg"], files: ["jpg"]),
    Order(name: "live", words: ["photo", "--live", "-o", "a.heic"], files: ["heic", "mov"]),
    Order(name: "raw", words: ["photo", "--raw", "-o", "a.jpg"], files: ["jpg", "dng"]),
    Order(
      name: "segments",
      words: ["record", "--immediate", "--segment", "1s", "-t", "2s", "-o", "part.mov"],
      files: ["mov", "mov"]),
  ]

  private func run(_ trial: DiskTrial, _ order: Order, _ fault: DiskFault? = nil) throws -> DiskOutcome {
    var words = order.words
    words[words.count - 1] = "\(trial.folder.path)/\(words[words.count - 1])"
    return try trial.run("command", words, fault: fault)
  }

  /// The visible files, and whether each is whole.
  private func files(_ trial: DiskTrial) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: trial.folder.path).filter { !$0.hasPrefix(".") }
      .sorted()
  }

  private func isWhole(_ trial: DiskTrial, _ name: String) throws -> Bool {
    let url = trial.folder.appendingPathComponent(name)
    guard !name.hasSuffix("mov") else {
      return try trial.run("measure", [name]).words("seconds").first.map { !$0.hasPrefix("0 ") && $0 != "0" }
        ?? false
    }
    let data = try Data(contentsOf: url)
    guard !name.hasSuffix("json") else { return (try? JSONSerialization.jsonObject(with: data)) != nil }
    return try trial.run("measure", [name]).says("picture whole")
  }

  private func check(_ order: Order, _ fault: DiskFault) throws -> [String] {
    let trial = try DiskTrial()
    let outcome = try run(trial, order, fault)
    #expect(outcome.status != nil, "\(order.name), \(fault.text): a signal ended the process")
    let left = try files(trial)
    for name in left { #expect(try isWhole(trial, name), "\(order.name), \(fault.text): \(name) is broken") }
    // A path on standard output is a promise.
    for path in outcome.lines where path.hasPrefix("/") {
      #expect(
        left.contains((path as NSString).lastPathComponent), "\(order.name), \(fault.text): \(path) is gone")
    }
    if outcome.says("done") {
      #expect(left.count == order.files.count, "\(order.name), \(fault.text): \(left)")
    }
    return outcome.words("failed")
  }

  @Test(arguments: orders)
  func `a photo whose process dies, or whose power fails, at any call is whole or not there`(order: Order)
    async throws
  {
    let trial = try DiskTrial()
    let outcome = try run(trial, order)
    #expect(outcome.says("done"), "\(outcome.lines)")
    let points = DiskPoints(outcome)
    let faults = points.deaths(usual: 3) + points.powerCuts(usual: 3)
    _ = try await DiskPoints.tryEach(faults) { try check(order, $0) }
    print("Figure: \(order.name): \(points.calls.count) calls, \(faults.count) deaths and power cuts")
  }

  @Test(arguments: orders)
  func `a photo that meets a refused call or a full disk is whole, or its absence is said`(order: Order)
    async throws
  {
    let points = DiskPoints(try run(try DiskTrial(), order))
    let faults = points.fullDisks(usual: 3) + points.refusals(usual: 3)
    _ = try await DiskPoints.tryEach(faults) { try check(order, $0) }
    print("Figure: \(order.name): \(faults.count) full disks and refusals")
  }

  @Test func `settings are the old ones or the new ones after any death`() throws {
    let base = try DiskTrial()
    let points = DiskPoints(try base.run("effects"))
    let old = try Data(contentsOf: base.folder.appendingPathComponent("settings/effects.json"))
    for fault in points.deaths(usual: 4) + points.powerCuts(usual: 4) + points.refusals(usual: 4) {
      for isNew in [true, false] {
        let trial = isNew ? try DiskTrial() : try DiskTrial(copying: base)
        let outcome = try trial.run("effects", fault: fault)
        let file = trial.folder.appendingPathComponent("settings/effects.json")
        let left = try? Data(contentsOf: file)
        #expect(
          left == nil && isNew || left == old,
          "\(fault.text): \(left.map { "\($0.count) bytes" } ?? "nothing")")
        if outcome.says("done") { #expect(left == old, "\(fault.text)") }
      }
    }
  }
}
