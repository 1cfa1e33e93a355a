internal import Dispatch
internal import Foundation
internal import Linux

/// The current choices of video effects for this program.
///
/// Reads the file on first use and again after each change, which it reports within a quarter of a second. A program that installed
/// simulated devices itself, without `OBSCURA_DEVICES`, as tests do, does not use the file: it has what it sets, or the defaults. Thread-safe.
package final class VideoEffectSettings: Sendable {
  /// The settings of the process.
  package static let shared = VideoEffectSettings(
    path: VideoEffectsFile.path(ProcessInfo.processInfo.environment),
    program: ProcessInfo.processInfo.processName
  ) {
    // Who names devices in the environment runs a program, not a test.
    LibraryEnvironment.isSimulatedByProgram
      && ProcessInfo.processInfo.environment["OBSCURA_DEVICES"]?.isEmpty ?? true
  }

  private struct State {
    var file: VideoEffectChoices?
    var own: VideoEffectChoices?
    /// What this program itself has switched on or off, whatever the user wants.
    var overrides: [VideoEffect: Bool] = [:]
    var watch: FolderWatch?
    /// The choices of the last report.
    var reported: VideoEffectChoices?
  }

  private let path: String
  private let program: String
  private let isFileIgnored: @Sendable () -> Bool
  private let state = Locked(State())
  private let changes = Hook<(old: VideoEffectChoices, new: VideoEffectChoices)>()
  /// Serializes reports, so that each has the choices of its moment.
  private let reports = DispatchQueue(label: "obscura.effects.settings")
  private let key = DispatchSpecificKey<Bool>()

  /// The settings of a program in the file at `path`.
  ///
  /// - Parameter isFileIgnored: Called at each access; `true` ignores the file.
  package init(
    path: String, program: String, isFileIgnored: @escaping @Sendable () -> Bool = { false }
  ) {
    self.path = path
    self.program = program
    self.isFileIgnored = isFileIgnored
    reports.setSpecific(key: key, value: true)
  }

  /// The choices in force.
  package var choices: VideoEffectChoices {
    var choices = userChoices
    for (effect, isOn) in state.withLock({ $0.overrides }) { choices[effect].isOn = isOn }
    return choices
  }

  /// The user's choices, which this program may have overridden.
  private var userChoices: VideoEffectChoices {
    if let own = state.withLock({ $0.own }) { return own }
    if isFileIgnored() { return .standard }
    return state.withLock { $0.file } ?? read()
  }

  /// Switches an effect on or off in this process, whatever the user chooses; `nil` leaves it to the user again.
  ///
  /// Returns after a change was reported.
  package func override(_ isOn: Bool?, of effect: VideoEffect) {
    noteReported()
    state.withLock { $0.overrides[effect] = isOn }
    onReports { report() }
  }

  /// Overrides the file in this process; `nil` ends that.
  ///
  /// Returns after the change was reported.
  package func setOwn(_ choices: VideoEffectChoices?) {
    noteReported()
    state.withLock { $0.own = choices }
    onReports { report() }
  }

  /// Calls `body` with each change from now on, one call at a time, on any thread under no lock; replaces the former one.
  package func observe(_ body: (@Sendable (_ old: VideoEffectChoices, _ new: VideoEffectChoices) -> Void)?) {
    noteReported()
    if let body { changes.set { body($0.old, $0.new) } } else { changes.set(nil) }
  }

  /// Changes this program's choice in the file, or, where the file is ignored or overridden, as ``setOwn(_:)`` does.
  ///
  /// Returns after the change was reported.
  ///
  /// - Throws: What ``VideoEffectsFile/change(at:_:)`` throws; nothing has changed then.
  package func choose(_ choice: VideoEffectChoice, for effect: VideoEffect) throws {
    noteReported()
    let isInFile = try onReports {
      guard !isFileIgnored(), state.withLock({ $0.own == nil }) else {
        var all = userChoices
        all[effect] = choice
        state.withLock { $0.own = all }
        return false
      }
      try VideoEffectsFile.change(at: path) { file in
        file[effect, program] = VideoEffectsFile.Entry(choice, for: effect, beside: file[effect, nil])
      }
      return true
    }
    if isInFile { reload() } else { onReports { report() } }
  }

  /// Reads the file now instead of waiting for the notification of its change; returns after a change was reported.
  package func reload() {
    noteReported()
    onReports {
      _ = read()
      report()
    }
  }

  // MARK: The file

  private func read() -> VideoEffectChoices {
    watch()
    let choices: VideoEffectChoices
    do {
      choices = try VideoEffectsFile(at: path).choices(for: program)
    } catch {
      StandardStreams.complain("obscura: \(error)\n")
      choices = state.withLock { $0.file } ?? .standard
    }
    state.withLock { $0.file = choices }
    return choices
  }

  private func watch() {
    guard state.withLock({ $0.watch == nil }) else { return }
    // The folder above, too: until the first choice the file's own folder is missing.
    let folder = (path as NSString).deletingLastPathComponent
    let above = (folder as NSString).deletingLastPathComponent
    let places = [
      FolderWatch.Place(folder, prefix: (path as NSString).lastPathComponent),
      FolderWatch.Place(above, prefix: (folder as NSString).lastPathComponent),
    ]
    let watch = try? FolderWatch(places) { [weak self] in
      guard let self else { return }
      _ = read()
      reports.async { [weak self] in self?.report() }
    }
    state.withLock { $0.watch = watch }
  }

  // MARK: Reports

  /// Runs `body` on the queue of reports, or directly when an observer calls from that queue.
  private func onReports<Result>(_ body: () throws -> Result) rethrows -> Result {
    DispatchQueue.getSpecific(key: key) == true ? try body() : try reports.sync(execute: body)
  }

  private func noteReported() {
    let now = choices
    state.withLock { if $0.reported == nil { $0.reported = now } }
  }

  private func report() {
    let new = choices
    let old = state.withLock { state in
      defer { state.reported = new }
      return state.reported ?? new
    }
    if old != new { changes.call((old, new)) }
  }
}
