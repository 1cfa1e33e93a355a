internal import Foundation
internal import Glibc
internal import Linux

/// Words of the command line that are not UTF-8, as the names of files from old disks and cameras may be.
///
/// A string cannot hold them, so a file that one names is reached by a link of a readable name, in a folder for temporary files that
/// goes with the process.
package enum RawNames {
  private struct State {
    var folder: String?
    /// The bytes of words that were no UTF-8, by the strings that stand for them.
    var words: [String: [CChar]] = [:]
  }

  private static let state = Locked(State())

  /// The words of the command line without the program's name; a word that is not UTF-8 and names a file is a link to it.
  package static func commandLine() -> [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { string(for: $0) }
    }
  }

  /// Whether `word` stands for one that is not UTF-8, or is the value at the end of such a one: `--output=…`, `-o…`.
  package static func contains(_ word: String) -> Bool {
    state.withLock { state in
      state.words[word] != nil
        || word.contains("\u{FFFD}") && state.words.keys.contains { $0.hasPrefix("-") && $0.hasSuffix(word) }
    }
  }

  /// Removes the file behind a link, where `word` is one.
  package static func removeFile(behind word: String) {
    if let bytes = state.withLock({ $0.words[word] }) { Disk.unlink(bytes) }
  }

  private static func string(for word: UnsafeMutablePointer<CChar>) -> String {
    if let text = String(validatingCString: word) { return text }
    let bytes = Array(UnsafeBufferPointer(start: word, count: strlen(word) + 1))
    let readable = String(cString: word)
    var status = stat()
    let text = lstat(word, &status) == 0 ? link(to: bytes, readable) ?? readable : readable
    state.withLock { $0.words[text] = bytes }
    return text
  }

  /// A link to the file of these bytes, by the last part of its readable name; `nil` where none can be made.
  private static func link(to bytes: [CChar], _ readable: String) -> String? {
    guard let target = realpath(bytes, nil), let folder = folder() else { return nil }
    defer { free(target) }
    let name = readable.split(separator: "/").last.map(String.init) ?? readable
    for number in 0..<1000 {
      // Two names may be the same once they are readable; the extension stays.
      let path = "\(folder)/\(number == 0 ? "" : "\(number)-")\(name)"
      if symlink(target, path) == 0 { return path }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  private static func folder() -> String? {
    if let folder = state.withLock({ $0.folder }) { return folder }
    var template = Array("\(NSTemporaryDirectory())/obscura-names-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    state.withLock { $0.folder = folder }
    atexit { RawNames.removeFolder() }
    return folder
  }

  private static func removeFolder() {
    if let folder = state.withLock({ $0.folder }) { Disk.removeAll(folder) }
  }
}
