internal import Foundation
internal import Linux

/// The names that a run has given to its files, so that it gives none twice.
///
/// Thread-safe.
final class UsedNames: Sendable {
  private struct State {
    var names: Set<String> = []
    /// The names in the folder when a number was asked for first; `nil` before.
    var former: [String]?
    /// The last number of each row of names, by the name that number 0 would have.
    var numbers: [String: Int] = [:]
  }

  private let state = Locked(State())

  func note(_ name: String) { state.withLock { _ = $0.names.insert(name) } }

  func contains(_ name: String) -> Bool { state.withLock { $0.names.contains(name) } }

  /// The names that were in `folder`, the one of the run, when this was asked first: it is listed once.
  func formerNames(in folder: String) -> [String] {
    if let known = state.withLock({ $0.former }) { return known }
    let names = DeviceTree.names(in: folder)
    state.withLock { $0.former = names }
    return names
  }

  /// The next number of a row of names; `first` says where it begins when it was not asked for before.
  func nextNumber(of row: String, first: () -> Int) -> Int {
    let known = state.withLock { $0.numbers[row] }
    let number = known.map { $0 + 1 } ?? first()
    state.withLock { $0.numbers[row] = number }
    return number
  }
}

/// The names that a file may get, the best first.
///
/// A pattern's numbers go on behind the highest one that is there, so that later files have higher numbers, also where earlier
/// ones were deleted. A pattern without a number is taken as it is, unless the run gave that name before; then come `-1`, `-2` …
/// before the extension, in the same way.
struct NameCandidates: Sequence, IteratorProtocol {
  private let file: PictureFile
  private let date: Date
  private var plain: String?
  private var numbering: FileNamePattern
  private var left = 100_000

  init(_ file: PictureFile, date: Date) {
    self.file = file
    self.date = date
    if file.pattern.hasNumber {
      numbering = file.pattern
    } else {
      let name = file.pattern.name(number: 0, date: date)
      plain = name
      numbering = .numbered(beside: name)
    }
  }

  mutating func next() -> String? {
    if let plain = plain.take(), !file.given.contains(plain) { return plain }
    guard left > 0 else { return nil }
    left -= 1
    let number = file.given.nextNumber(of: numbering.name(number: 0, date: date)) {
      // What is overwritten begins anew.
      file.overwrites
        ? 1 : 1 + numbering.highestNumber(in: file.given.formerNames(in: file.folder.path), date: date)
    }
    return numbering.name(number: number, date: date)
  }
}
