import Foundation
import SeededNumbers
import SimulatedDevices
import Testing

/// Recordings, photos and libraries on a disk on which each call takes its time.
@Suite("Disks that are slow", .serialized)
struct SlowDiskTests {
  /// Two seconds a call where all is tried.
  private let fault = DiskFault.isSlow(.milliseconds(FuzzCount(usual: 50, all: 2000).value))

  @Test(arguments: ["movie", "hevc", "writer"])
  func `a recording is late, and whole`(operation: String) throws {
    let trial = try DiskTrial()
    let outcome = try trial.run(operation, fault: fault)
    #expect(outcome.says("done") && !outcome.says("failed"), "\(outcome.lines)")
    #expect(outcome.says("met") && !outcome.calls.isEmpty)
    let words = try trial.run("measure", ["movie.mov"]).words("seconds")
    let seconds = words.first.flatMap { Double($0.prefix { $0 != " " }) } ?? 0
    #expect(seconds >= 2.3, "\(seconds) s are left")
  }

  @Test func `a photo is late, and whole`() throws {
    let trial = try DiskTrial()
    let outcome = try trial.run("command", ["photo", "-o", "\(trial.folder.path)/a.jpg"], fault: fault)
    #expect(outcome.says("done"), "\(outcome.lines)")
    #expect(outcome.says("met"))
    #expect(try trial.run("measure", ["a.jpg"]).says("picture whole"))
  }

  @Test(arguments: ["add", "move", "edit", "delete"])
  func `a change of a library is late, and made`(change: String) throws {
    let fast = try DiskTrial()
    #expect(try fast.run("prepare").says("done prepare"))
    let slow = try DiskTrial(copying: fast)
    #expect(try fast.run(change).says("done"))
    let outcome = try slow.run(change, fault: fault)
    #expect(outcome.says("done") && outcome.says("met"), "\(outcome.lines)")
    #expect(try slow.run("check").words("state") == fast.run("check").words("state"))
  }
}
