/// The words of a command line, taken apart by what a command declares.
///
/// Options may stand anywhere; `--name value`, `--name=value`, `-n value` and clustered `-nvalue` all work; `--` ends
/// options. A word that no declaration matches is a usage error that names it.
public struct Arguments: Sendable, Hashable {
  /// An option that a command understands.
  public struct Option: Sendable, Hashable {
    /// Without the dashes: `output`.
    public var name: String
    /// One letter, or `nil`.
    public var letter: Character?
    /// What the value is called in the help, or `nil` for a flag without value.
    public var value: String?
    /// One line of help.
    public var help: String

    /// Declares an option.
    public init(_ name: String, _ letter: Character? = nil, value: String? = nil, help: String) {
      self.name = name
      self.letter = letter
      self.value = value
      self.help = help
    }
  }

  private var values: [String: String] = [:]
  private var flags: Set<String> = []
  /// The words that are not options, in order.
  public private(set) var operands: [String] = []

  /// Takes the first operand away; `nil` when there is none.
  mutating func takeOperand() -> String? {
    operands.isEmpty ? nil : operands.removeFirst()
  }

  /// Takes `words` apart.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` for an unknown option or a missing or unwanted value.
  public init(_ words: [String], options: [Option], command: String) throws {
    var rest = words[...]
    let hint = "see 'obscura \(command) --help'"
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      var attached: String?
      let option: Option?
      if word.hasPrefix("--") {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        option = options.first { $0.name == parts[0] }
        attached = parts.count > 1 ? String(parts[1]) : nil
      } else {
        let letters = word.dropFirst()
        option = options.first { $0.letter == letters.first }
        if letters.count > 1 {
          if option?.value != nil {
            attached = String(letters.dropFirst())
          } else if option != nil {
            rest.insert("-\(letters.dropFirst())", at: rest.startIndex)
          }
        }
      }
      guard let option else {
        throw CommandError(.usage, "'\(word)' is not an option of 'obscura \(command)'; \(hint).")
      }
      guard option.value != nil else {
        if attached != nil {
          throw CommandError(.usage, "--\(option.name) takes no value; \(hint).")
        }
        flags.insert(option.name)
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw CommandError(.usage, "--\(option.name) needs a value; \(hint).")
      }
      values[option.name] = value
    }
  }

  /// Whether the flag was given.
  public func has(_ name: String) -> Bool {
    flags.contains(name)
  }

  /// The option's value, the last one when given twice, or `nil` when not given.
  public subscript(_ name: String) -> String? {
    values[name]
  }

  /// The option's value as a whole number in `range`, or `nil` when not given.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` when it is no such number.
  public func wholeNumber(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw CommandError(
        .usage,
        "--\(name) \(text) is not a whole number from \(range.lowerBound) to \(range.upperBound); give one.")
    }
    return number
  }

  /// The option's value as a number, with or without `unit` behind it, or `nil` when not given.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` when it is no number, or beyond all bounds; `example` shows one.
  public func number(_ name: String, unit: String = "", like example: String) throws -> Double? {
    guard let text = values[name] else { return nil }
    let digits = !unit.isEmpty && text.hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
    let isDecimal = digits.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    guard isDecimal, let number = Double(digits), number.isFinite else {
      throw CommandError(.usage, "--\(name) \(text) is not a number; write it like \(example).")
    }
    return number
  }

  /// The option's value as seconds, or `nil` when not given: `500ms`, `5s`, `2m`, or a bare number of seconds.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` when it is no duration.
  public func seconds(_ name: String) throws -> Double? {
    guard let text = values[name] else { return nil }
    let units: [(suffix: String, factor: Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let number = Double(text.dropLast(unit.suffix.count)), number.isFinite, number >= 0 else { break }
      return number * unit.factor
    }
    throw CommandError(.usage, "--\(name) \(text) is not a duration; write it like 500ms, 5s or 2m.")
  }

  /// The option's value as one of `choices`, or `nil` when not given.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` naming the choices.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of choices: Choice.Type
  ) throws -> Choice? where Choice.RawValue == String {
    guard let text = values[name] else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.usage, "--\(name) \(text) is not known; choose one of \(known).")
    }
    return choice
  }
}
