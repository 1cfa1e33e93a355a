public import Foundation
internal import Glibc
internal import Linux

/// Where a command's words go: answers to standard output, progress and messages to standard error.
///
/// Thread-safe.
public final class Terminal: Sendable {
  /// How much a command says beside its answer.
  public enum Volume: Int, Sendable, Comparable {
    case quiet, ordinary, verbose

    /// Whether the left one says less.
    public static func < (left: Volume, right: Volume) -> Bool { left.rawValue < right.rawValue }
  }

  private let output: @Sendable (Data) -> Void
  private let messages: @Sendable (String) -> Void
  private let currentVolume = Locked(Volume.ordinary)

  /// Makes a terminal that hands answers to `output` and each message line to `messages`.
  public init(output: @escaping @Sendable (Data) -> Void, messages: @escaping @Sendable (String) -> Void) {
    self.output = output
    self.messages = messages
  }

  /// The process's own standard output and standard error.
  public static let standard = Terminal(
    output: { data in
      // Unbuffered, so that a program reading our pipe sees each line at once and bytes keep their order.
      data.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
          if written < 0 && errno == EINTR { continue }
          if written <= 0 { return }
          rest = rest.dropFirst(written)
        }
      }
    },
    messages: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })

  /// How much is said; `-q` and `-v` set it.
  public var volume: Volume {
    get { currentVolume.withLock { $0 } }
    set { currentVolume.withLock { $0 = newValue } }
  }

  /// Writes one line of the answer.
  public func answer(_ line: String) {
    output(Data("\(line)\n".utf8))
  }

  /// Writes bytes of the answer as they are.
  public func answer(bytes: Data) {
    output(bytes)
  }

  /// Writes `value` as one line of JSON with sorted keys.
  public func answer(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    output(try encoder.encode(value) + Data("\n".utf8))
  }

  /// Tells the user something that is not the answer; silent after `-q`.
  public func say(_ line: String) {
    if volume >= .ordinary { messages(line) }
  }

  /// Tells the user a detail; only after `-v`.
  public func detail(_ line: String) {
    if volume >= .verbose { messages(line) }
  }

  /// Tells the user why the command failed; said even after `-q`.
  public func complain(_ line: String) {
    messages(line)
  }
}
