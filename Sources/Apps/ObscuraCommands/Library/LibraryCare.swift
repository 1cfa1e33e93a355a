internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import Glibc
internal import Linux
internal import Photos

/// `obscura library verify`, `recover` and `process`.
enum LibraryCare {
  private struct Check: Encodable {
    struct Problem: Encodable {
      var kind: String
      var path: String
      var text: String
    }
    var schema = "obscura.library-check"
    var version = 1
    var assets: Int
    var files: Int
    var unfinished: Int
    var problems: [Problem]
  }

  static func verify(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let progress = Progress(terminal) { "Looking at the library" }
    defer { progress.end() }
    let report = try Verification(SharedLibrary.store(), readsFiles: arguments.has("deep")).run()
    if arguments.has("json") {
      try terminal.answer(
        json: Check(
          assets: report.assets, files: report.files, unfinished: report.unfinished,
          problems: report.problems.map { .init(kind: $0.kind.rawValue, path: $0.path, text: $0.sentence) }))
    } else {
      for problem in report.problems { try terminal.answer(problem.sentence) }
      let problems = report.problems.count
      try terminal.answer(
        (report.assets == 1 ? "1 photo or video" : "\(report.assets) photos and videos")
          + (report.files == 1 ? " in 1 file" : " in \(report.files) files")
          + ", \(report.unfinished) unfinished, "
          + (problems == 1 ? "1 problem" : "\(problems) problems"))
    }
    return report.problems.isEmpty ? .done : .otherFailure
  }

  private struct Repair: Encodable {
    var schema = "obscura.library-repair"
    var version = 1
    var setAside: String?
    var savedRows: Int
    var doubtfulRows: Int
    var appeared: [String]
    var vanished: [String]
    var returned: [String]
    var moved: [String]
    var changed: [String]
    var renamed: [String]
    var forgotten: Int
    var foreign: Int
  }

  static func recover(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let progress = Progress(terminal) { "Recovering the library" }
    defer { progress.end() }
    let place = LibraryFolders(environment: LibraryEnvironment.current)
    let (store, report) = try Recovery(place).run(forgetsMissing: arguments.has("forget"))
    SharedLibrary.use(store)
    let files = report.files
    if arguments.has("json") {
      try terminal.answer(
        json: Repair(
          setAside: report.setAside, savedRows: report.savedRows, doubtfulRows: report.doubtfulRows,
          appeared: files.appeared,
          vanished: files.vanished,
          returned: files.returned, moved: files.moved, changed: files.changed, renamed: report.renamed,
          forgotten: report.forgotten, foreign: report.foreign))
      return .done
    }
    if let aside = report.setAside {
      try terminal.answer("The damaged catalogue is \(aside) now; \(report.savedRows) rows of it were saved.")
      if report.doubtfulRows > 0 {
        try terminal.answer(
          "\(report.doubtfulRows) of them were said in two ways, of which one was taken; look at titles, dates and favorites."
        )
      }
    }
    for (paths, what) in [
      (report.renamed, "has a name now that is UTF-8"), (files.appeared, "was added"),
      (files.moved, "was found under this name"),
      (files.returned, "is there again"),
      (files.changed, "was read anew"), (files.vanished, "is missing"),
    ] {
      for path in paths { try terminal.answer("\(path) \(what)") }
    }
    if report.foreign > 0 {
      try terminal.answer(
        (report.foreign == 1 ? "1 file" : "\(report.foreign) files") + " outside of the library "
          + (report.foreign == 1 ? "was" : "were") + " forgotten, which the catalogue named")
    }
    if report.forgotten > 0 { try terminal.answer("\(report.forgotten) photos without files were forgotten") }
    return .done
  }

  private struct Processed: Encodable {
    var schema = "obscura.library-process"
    var version = 1
    var finished: Int
    var kept: Int
    var failed: Int
  }

  static func process(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let signals = StopSignals()
    // A timer asks every hour: where there is no library, none is made.
    let place = LibraryFolders(environment: LibraryEnvironment.current)
    guard access(place.database, F_OK) == 0 || errno != ENOENT else {
      return try answer(Processed(finished: 0, kept: 0, failed: 0), arguments, terminal)
    }
    let store = try SharedLibrary.store()
    let entries = try ProxyJournal.entries(store)
    guard let finisher = DeferredFinishing.finisher else {
      guard entries.isEmpty else {
        throw CommandError(
          .otherFailure,
          "\(entries.count) photos are not finished, and this program cannot finish them; use another.")
      }
      return try answer(Processed(finished: 0, kept: 0, failed: 0), arguments, terminal)
    }
    let journal = ProxyJournal(store, finisher)
    try journal.discardUnneeded()
    var done = Processed(finished: 0, kept: 0, failed: 0)
    let failures = Failures(terminal)
    let progress = Progress(terminal) { "Finishing photos" }
    defer { progress.end() }
    for (index, entry) in entries.enumerated() {
      // What was begun is finished first.
      guard !signals.request.isRequested else { return .aborted }
      progress.change { "Finishing photo \(index + 1) of \(entries.count)" }
      do throws(PHPhotosError) {
        switch try journal.finish(entry.asset) {
        case .finished: done.finished += 1
        case .keptProxy(let reason):
          done.kept += 1
          terminal.say("The proxy of a photo is kept as it is: \(reason)")
        case .notNeeded: break
        }
      } catch {
        done.failed += 1
        failures.report(error)
      }
      // Nothing more will fit, either.
      if [.diskFull, .permissionDenied].contains(failures.exitCode) { break }
    }
    let result = try answer(done, arguments, terminal)
    return failures.exitCode ?? result
  }

  private static func answer(_ done: Processed, _ arguments: Arguments, _ terminal: Terminal) throws
    -> ExitCode
  {
    if arguments.has("json") {
      try terminal.answer(json: done)
    } else {
      try terminal.answer(
        "\(done.finished) photos finished, \(done.kept) kept as they were, \(done.failed) failed")
    }
    return done.failed == 0 ? .done : .otherFailure
  }
}
