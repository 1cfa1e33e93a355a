/// The words of a command line, taken apart by what a command declares.
///
/// Options may stand anywhere; `--name value`, `--name=value`, `-n value` and clustered `-nvalue` all work; `--` ends
/// options. A word that no declaration matches is a usage error that names it, and so is a value outside the bounds of
/// its declaration.
public struct Arguments: Sendable, Hashable {
  /// An option that a command understands.
  public struct Option: Sendable, Hashable {
    /// Without the dashes: `output`.
    public var name: String
    /// One letter, or `nil`.
    public var letter: Character?
    /// The value's name in the help, or `nil` for a flag without value.
    public var value: String?
    /// The values that the option accepts.
    public var bounds: Bounds
    /// The words that a shell offers for the value.
    public var choices: [String]
    /// The default value, where there is one.
    public var standard: String?
    /// One line of help.
    public var help: String

    /// Declares an option.
    public init(
      _ name: String, _ letter: Character? = nil, value: String? = nil, _ bounds: Bounds = .text,
      choices: [String] = [], default standard: String? = nil, help: String
    ) {
      self.name = name
      self.letter = letter
      self.value = value
      self.bounds = bounds
      self.choices = choices
      self.standard = standard
      self.help = help
    }
  }

  private enum Value: Sendable, Hashable {
    case text
    case wholeNumber(Int)
    case numbers([Double])
  }

  private var texts: [String: String] = [:]
  private var values: [String: Value] = [:]
  private var flags: Set<String> = []
  private let known: Set<String>
  /// An option as it was given.
  struct Given: Sendable, Hashable {
    /// Without the dashes, however it was written.
    var name: String
    /// `nil` for a flag.
    var value: String?
  }

  /// The options, in the order in which they were given.
  private(set) var given: [Given] = []
  /// The words that are not options, in order.
  public private(set) var operands: [String] = []

  /// Takes the first operand away; `nil` when there is none.
  mutating func takeOperand() -> String? {
    operands.isEmpty ? nil : operands.removeFirst()
  }

  /// Takes `words` apart.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` for an unknown option, a missing or unwanted value, or a value
  ///   outside its bounds.
  public init(_ words: [String], options: [Option], command: String) throws(CommandError) {
    known = Set(options.map(\.name))
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
        given.append(Given(name: option.name))
        continue
      }
      guard let text = attached ?? rest.popFirst() else {
        throw CommandError(.usage, "--\(option.name) needs a value; \(hint).")
      }
      texts[option.name] = text
      given.append(Given(name: option.name, value: text))
      values[option.name] = try Self.value(text, option)
    }
  }

  private static func value(_ text: String, _ option: Option) throws(CommandError) -> Value {
    switch option.bounds {
    case .text: return .text
    case .wholeNumber(let range):
      if let number = Int(text), range.contains(number) { return .wholeNumber(number) }
    default:
      if option.bounds.words.contains(text) { return .text }
      if let numbers = option.bounds.numbers(text) { return .numbers(numbers) }
    }
    throw CommandError(
      .usage, "--\(option.name) \(Bounds.shown(text)) is not \(option.bounds.description).")
  }

  /// Whether the flag was given.
  public func has(_ name: String) -> Bool {
    flags.contains(name)
  }

  /// Whether the command has an option of this name.
  func knows(_ name: String) -> Bool {
    known.contains(name)
  }

  /// The option's value, the last one when given twice, or `nil` when not given.
  public subscript(_ name: String) -> String? {
    texts[name]
  }

  /// The value of an option whose bounds are a whole number's, or `nil` when not given.
  public func wholeNumber(_ name: String) -> Int? {
    guard case .wholeNumber(let number) = values[name] else { return nil }
    return number
  }

  /// The value of an option whose bounds are a number's or a time's, in seconds then; `nil` when not given, or when a
  /// word was given that may stand in its place.
  public func number(_ name: String) -> Double? {
    numbers(name)?.first
  }

  /// The value of an option whose bounds are those of several numbers, or `nil` when not given.
  public func numbers(_ name: String) -> [Double]? {
    guard case .numbers(let numbers) = values[name] else { return nil }
    return numbers
  }

  /// The option's value as one of `choices`, or `nil` when not given.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` naming the choices.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of choices: Choice.Type
  ) throws(CommandError) -> Choice? where Choice.RawValue == String {
    guard let text = texts[name] else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        .usage, "--\(name) \(Bounds.shown(text)) is not known; choose one of \(known).")
    }
    return choice
  }
}
