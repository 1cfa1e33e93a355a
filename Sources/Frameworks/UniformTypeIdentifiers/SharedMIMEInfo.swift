package import Foundation

/// The desktop's database of file types, freedesktop's shared-mime-info, where the machine has it.
///
/// Read once, when a type is looked for that is not declared.
package struct SharedMIMEInfo: Sendable {
  static let system = SharedMIMEInfo(folders: Self.folders(ProcessInfo.processInfo.environment))

  private let folders: [URL]
  private var mimeTypes: [String: String] = [:]
  private var extensions: [String: String] = [:]
  private var canonical: [String: String] = [:]
  private var parents: [String: [String]] = [:]

  /// Reads what the folders named `mime` have, the most important one first.
  package init(folders: [URL]) {
    self.folders = folders
    for folder in folders {
      for line in Self.lines(folder.appendingPathComponent("globs2")) { addGlob(line) }
      for line in Self.lines(folder.appendingPathComponent("aliases")) {
        let words = line.split(separator: " ").map(String.init)
        if words.count == 2, canonical[words[0]] == nil { canonical[words[0]] = words[1] }
      }
      for line in Self.lines(folder.appendingPathComponent("subclasses")) {
        let words = line.split(separator: " ").map(String.init)
        if words.count == 2 { parents[words[0], default: []].append(words[1]) }
      }
    }
  }

  /// Where the base-directory specification says that it lies.
  package static func folders(_ environment: [String: String]) -> [URL] {
    let home =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (environment["HOME"] ?? "") + "/.local/share"
    let shared =
      environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    return ([home] + shared.split(separator: ":").map(String.init)).filter { $0.hasPrefix("/") }
      .map { URL(fileURLWithPath: $0).appendingPathComponent("mime") }
  }

  /// The MIME type of a file name extension in small letters.
  package func mimeType(ofExtension name: String) -> String? {
    mimeTypes[name]
  }

  /// The first file name extension of a MIME type.
  package func preferredExtension(ofMIMEType name: String) -> String? {
    extensions[canonical[name] ?? name]
  }

  /// The name by which the database has a MIME type, and the types above it.
  package func lineage(ofMIMEType name: String) -> [String] {
    var (found, waiting) = ([String](), [canonical[name] ?? name])
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      guard !found.contains(next) else { continue }
      found.append(next)
      waiting += parents[next] ?? []
    }
    return found
  }

  /// What users call a MIME type, in the language if the database has it.
  package func comment(ofMIMEType name: String, language: String?) -> String? {
    // A name, and no way out of the folder.
    guard name.split(separator: "/", omittingEmptySubsequences: false).count == 2, !name.contains("..") else {
      return nil
    }
    for folder in folders {
      let lines = Self.lines(folder.appendingPathComponent((canonical[name] ?? name) + ".xml"))
      let marks = (language.map { ["<comment xml:lang=\"\($0)\">"] } ?? []) + ["<comment>"]
      for mark in marks {
        for line in lines {
          guard let begin = line.range(of: mark), let end = line.range(of: "</comment>") else { continue }
          return String(line[begin.upperBound..<end.lowerBound])
        }
      }
    }
    return nil
  }

  /// A line such as `50:image/png:*.png`; heavier ones come first.
  private mutating func addGlob(_ line: Substring) {
    let words = line.split(separator: ":", omittingEmptySubsequences: false)
    guard words.count >= 3, words[2].hasPrefix("*.") else { return }
    let (type, name) = (String(words[1]), words[2].dropFirst(2).lowercased())
    guard !name.contains(where: { "*?[".contains($0) }) else { return }
    if mimeTypes[name] == nil { mimeTypes[name] = type }
    if extensions[type] == nil { extensions[type] = name }
  }

  private static func lines(_ file: URL) -> [Substring] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }
}
