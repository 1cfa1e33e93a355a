internal import Glibc

/// The folders of a user, by the rules of the freedesktop: base directories, and the desktop's list of folders.
///
/// Nothing is made. The desktop's list and, without `$HOME`, the system's list of users are read anew at each call, which may block
/// for the disk or the network. A variable that is empty or holds a
/// relative path counts as one that is not set, as the rules say. Thread-safe.
///
/// Source: the XDG Base Directory Specification; `user-dirs.dirs(5)`.
public struct UserFolders: Sendable {
  private let environment: [String: String]

  /// The folders that an environment names.
  public init(_ environment: [String: String]) {
    self.environment = environment
  }

  // MARK: By the rules

  /// `$HOME`, else what the system's list of users says, else `/`.
  public var home: String { absolute("HOME") ?? SystemUser()?.home ?? "/" }

  /// A name among the user's settings: in `$XDG_CONFIG_HOME`, else in `~/.config`.
  public func configuration(_ name: String) -> String { place(name, "XDG_CONFIG_HOME", ".config") }

  /// A name among what programs keep for the user: in `$XDG_DATA_HOME`, else in `~/.local/share`.
  public func data(_ name: String) -> String { place(name, "XDG_DATA_HOME", ".local/share") }

  /// A name among what may be made anew: in `$XDG_CACHE_HOME`, else in `~/.cache`.
  public func caches(_ name: String) -> String { place(name, "XDG_CACHE_HOME", ".cache") }

  /// The folder of pictures: `$XDG_PICTURES_DIR`, in the environment or in `user-dirs.dirs`, else `~/Pictures`.
  public var pictures: String {
    absolute("XDG_PICTURES_DIR") ?? listed("XDG_PICTURES_DIR") ?? Self.path("Pictures", in: home)
  }

  // MARK: By users' words

  /// `path` with `~` or `~name` at its start replaced by a user's home, as a shell does outside quotes.
  ///
  /// A name that no user has stays.
  package func expanded(_ path: String) -> String {
    guard path.hasPrefix("~") else { return path }
    let name = path.dropFirst().prefix { $0 != "/" }
    guard let home = name.isEmpty ? home : SystemUser(named: String(name))?.home else { return path }
    let rest = path.dropFirst(name.count + 1)
    return rest.isEmpty ? home : Self.path(rest.dropFirst(), in: home)
  }

  /// The path in one of Obscura's own variables: a tilde is a home, and other than in the XDG variables a relative path counts from the
  /// working folder; `nil` where it is not set or empty.
  package func named(_ variable: String) -> String? {
    guard let word = environment[variable], !word.isEmpty else { return nil }
    let path = Self.trimmed(expanded(word))
    // Where the working folder was deleted, nothing can be there.
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return Self.path(path, in: String(cString: here))
  }

  // MARK: Reading

  private func absolute(_ variable: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? Self.trimmed($0) : nil }
  }

  private func place(_ name: String, _ variable: String, _ standard: String) -> String {
    Self.path(name, in: absolute(variable) ?? Self.path(standard, in: home))
  }

  /// What the desktop's list says; of several lines the last counts, and a line that is no absolute path does not.
  private func listed(_ name: String) -> String? {
    let lines = Self.text(configuration("user-dirs.dirs")).split(whereSeparator: \.isNewline)
    return lines.reversed().lazy.compactMap { line -> String? in
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].split(whereSeparator: \.isWhitespace) == [name[...]] else {
        return nil
      }
      return folder(parts[1])
    }.first
  }

  /// A value such as `"$HOME/Pictures"`, whose backslashes protect what follows them.
  private func folder(_ value: Substring) -> String? {
    var rest = value.drop(while: \.isWhitespace)
    let isQuoted = rest.first == "\""
    if isQuoted { rest.removeFirst() }
    let isInHome = rest.hasPrefix("$HOME")
    if isInHome { rest.removeFirst(5) }
    var path = ""
    while let next = rest.popFirst(), isQuoted ? next != "\"" : !next.isWhitespace {
      path.append(next == "\\" ? rest.popFirst() ?? next : next)
    }
    // A name that is not UTF-8 cannot be said here; a folder of a similar name is not meant.
    guard !path.contains("\u{FFFD}") else { return nil }
    if isInHome, path.isEmpty { return home }
    guard path.hasPrefix("/") else { return nil }
    return Self.trimmed(isInHome ? Self.path(path.dropFirst(), in: home) : path)
  }

  private static func text(_ path: String) -> String {
    // Opening a pipe would wait.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func path(_ name: some StringProtocol, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
