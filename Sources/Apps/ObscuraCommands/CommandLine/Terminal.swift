public import Foundation
internal import Linux

/// Writes a command's answers to standard output, and its progress and messages to standard error.
///
/// An answer that cannot be written is an error. A message that cannot be written is lost, and changes nothing else.
/// Thread-safe.
public final class Terminal: Sendable {
  /// The verbosity of a command beside its answer.
  public enum Volume: Int, Sendable, Comparable {
    case quiet, ordinary, verbose

    /// Whether the left one says less.
    public static func < (left: Volume, right: Volume) -> Bool { left.rawValue < right.rawValue }
  }

  private struct State {
    var volume = Volume.ordinary
    /// Whether a progress line stands on the terminal now.
    var hasProgress = false
  }

  private let output: @Sendable (Data) throws -> Void
  private let check: @Sendable () throws -> Void
  private let messages: @Sendable (String) -> Void
  /// Whether answers are shown on a terminal, which obeys control codes; a program that reads them gets each byte.
  private let isShown: Bool
  /// Whether messages go to a person who watches them.
  let isWatched: Bool
  private let state = Locked(State())

  /// Makes a terminal that hands answers to `output` and each message line to `messages`.
  ///
  /// - Parameter isShown: Whether `output` is a terminal's screen.
  public init(
    isShown: Bool = false, output: @escaping @Sendable (Data) throws -> Void,
    messages: @escaping @Sendable (String) -> Void
  ) {
    self.isShown = isShown
    self.output = output
    self.messages = { messages(String($0.dropLast())) }
    check = {}
    isWatched = false
  }

  private init() {
    output = { try StandardStreams.write($0) }
    check = { try StandardStreams.check() }
    isShown = StandardStreams.hasOutputTerminal
    messages = { StandardStreams.complain($0) }
    isWatched = StandardStreams.hasErrorTerminal
  }

  /// The process's own standard output and standard error.
  public static let standard = Terminal()

  /// The verbosity; `-q` and `-v` set it.
  public var volume: Volume {
    get { state.withLock { $0.volume } }
    set { state.withLock { $0.volume = newValue } }
  }

  // MARK: Answers

  /// Writes one line of the answer.
  ///
  /// On a terminal it is one line without control codes, whatever names and titles it holds; elsewhere it is as it is.
  /// - Throws: ``CommandError`` when it cannot be written.
  public func answer(_ line: String) throws(CommandError) {
    // A tab between columns does no harm.
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    try answer(text: isShown ? columns.map { EscapedText.oneLine(String($0)) }.joined(separator: "\t") : line)
  }

  /// Writes text that the command itself has made, in any number of lines.
  /// - Throws: ``CommandError`` when it cannot be written.
  func answer(text: String) throws(CommandError) {
    try answer(bytes: Data("\(text)\n".utf8))
  }

  /// Writes bytes of the answer as they are; no bytes at all find out whether the output is open.
  /// - Throws: ``CommandError`` when they cannot be written.
  public func answer(bytes: Data) throws(CommandError) {
    state.withLock { eraseProgress(&$0) }
    do { try output(bytes) } catch { throw CommandError(output: error) }
  }

  /// Writes `value` as one line of JSON with sorted keys, in which nothing stands that a terminal might obey.
  /// - Throws: ``CommandError`` when it cannot be written.
  public func answer(json value: some Encodable) throws(CommandError) {
    try answer(text: Self.line(json: value))
  }

  /// The line of JSON that stands for `value`.
  /// - Throws: ``CommandError`` for a number that JSON cannot express.
  static func line(json value: some Encodable) throws(CommandError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line: Data
    do {
      line = try encoder.encode(value)
    } catch {
      throw CommandError(
        .otherFailure, "The answer holds a number that JSON cannot express; leave --json out.")
    }
    return EscapedText.inJSON(String(decoding: line, as: UTF8.self))
  }

  /// Finds out whether the whole answer was kept; the last call of a command.
  /// - Throws: ``CommandError`` when it was not.
  func finish() throws(CommandError) {
    do { try check() } catch { throw CommandError(output: error) }
  }

  // MARK: Messages

  /// Reports something that is not the answer; silent after `-q`.
  public func say(_ line: String) {
    if volume >= .ordinary { complain(line) }
  }

  /// Reports a detail; only after `-v`.
  public func detail(_ line: String) {
    if volume >= .verbose { complain(line) }
  }

  /// Reports why the command failed, even after `-q`.
  ///
  /// Always one line, whatever the user's words in it hold.
  public func complain(_ line: String) {
    state.withLock { state in
      eraseProgress(&state)
      messages(EscapedText.oneLine(line) + "\n")
    }
  }

  // MARK: Progress

  /// Writes `line` in place of the last progress line; only for a person who watches, and not after `-q`.
  func showProgress(_ line: String) {
    guard isWatched else { return }
    state.withLock { state in
      guard state.volume >= .ordinary else { return }
      messages("\r\u{1B}[K\(EscapedText.oneLine(line))")
      state.hasProgress = true
    }
  }

  /// Takes the progress line away.
  func endProgress() {
    state.withLock { eraseProgress(&$0) }
  }

  private func eraseProgress(_ state: inout State) {
    guard state.hasProgress else { return }
    messages("\r\u{1B}[K")
    state.hasProgress = false
  }
}

extension CommandError {
  /// The error of an answer that could not be written.
  fileprivate init(output error: any Error) {
    switch (error as? SystemError)?.reason {
    case .diskFull:
      self.init(
        .diskFull,
        "The answer cannot be written: there is no space left where standard output goes; free some, or send it elsewhere."
      )
    case .readerGone:
      // The reader who went away needs no sentence.
      self.init(silent: .otherFailure)
    case .closed:
      self.init(
        .otherFailure, "The answer cannot be written, because standard output is closed; leave it open.")
    case .timedOut:
      self.init(
        .otherFailure,
        "The answer cannot be written, because nothing has read standard output for a minute; read it.")
    default:
      let reason = (error as? SystemError)?.explanation ?? "it refuses"
      self.init(.otherFailure, "The answer cannot be written to standard output: \(reason).")
    }
  }
}
