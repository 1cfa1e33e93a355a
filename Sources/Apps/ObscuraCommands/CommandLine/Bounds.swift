internal import CameraTasks

extension Arguments {
  /// The values that an option accepts.
  public enum Bounds: Sendable, Hashable {
    /// Anything; the command itself reads it.
    case text
    /// A whole number.
    case wholeNumber(ClosedRange<Int>)
    /// A number, with or without `unit` behind it, or one of some words.
    case number(ClosedRange<Double>, unit: String = "", or: [String] = [], like: String)
    /// A time in seconds: `500ms`, `5s`, `2m`, `1h`, or a bare number of seconds.
    case time(ClosedRange<Double>)
    /// An exposure time in seconds: `1/100`, `10ms`, `250us`, `2s`, or a bare number of seconds.
    case exposureTime(ClosedRange<Double>)
    /// So many numbers from 0 to 1, separated by commas.
    case fractions(count: Int, like: String)

    var words: [String] {
      if case .number(_, _, let words, _) = self { words } else { [] }
    }

    /// The numbers in `text`, or `nil` when they are none, or outside the bounds.
    func numbers(_ text: String) -> [Double]? {
      switch self {
      case .text, .wholeNumber: nil
      case .number(let range, let unit, _, _):
        Self.inside(range, Self.decimal(text) ?? (unit.isEmpty ? nil : Self.decimal(text, unit: unit)))
      case .time(let range):
        Self.inside(range, Self.seconds(text, [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]))
      case .exposureTime(let range):
        Self.inside(range, Self.exposureSeconds(text))
      case .fractions(let count, _): Self.fractions(text, count)
      }
    }

    /// A claim about the value, and what to do: `a time from 0 s to 24 h; write it like 500ms, 5s or 2m`.
    var description: String {
      switch self {
      case .text: "text"
      case .wholeNumber(let range):
        "a whole number from \(range.lowerBound) to \(range.upperBound); give one"
      case .number(let range, _, let words, let example):
        "\(words.map { "\($0) or " }.joined())a number from \(Figures.text(range.lowerBound)) to "
          + "\(Figures.text(range.upperBound)); write it like \(example)"
      case .time(let range):
        "a time from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)); write it like 500ms, 5s or 2m"
      case .exposureTime(let range):
        "an exposure time from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)); "
          + "write it like 1/100, 10ms or 0.01"
      case .fractions(let count, let example):
        "\(count) numbers from 0 to 1; write them like \(example)"
      }
    }

    /// A value as a sentence quotes it: short, and visible when it is empty.
    static func shown(_ text: String) -> String {
      text.isEmpty ? "''" : text.count > 40 ? "\(text.prefix(40))…" : text
    }

    // MARK: Reading

    /// A number in decimal digits; `nil` for everything else that Swift reads, such as `0x10`, `nan` and `inf`.
    static func decimal(_ text: some StringProtocol) -> Double? {
      let isDecimal = text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
      }
      return isDecimal ? Double(text) : nil
    }

    private static func decimal(_ text: String, unit: String) -> Double? {
      text.hasSuffix(unit) ? decimal(text.dropLast(unit.count)) : nil
    }

    private static func inside(_ range: ClosedRange<Double>, _ number: Double?) -> [Double]? {
      number.flatMap { range.contains($0) ? [$0] : nil }
    }

    private static func seconds(_ text: String, _ units: [(suffix: String, factor: Double)]) -> Double? {
      for unit in units where text.hasSuffix(unit.suffix) {
        return decimal(text.dropLast(unit.suffix.count)).map { $0 * unit.factor }
      }
      return nil
    }

    private static func exposureSeconds(_ text: String) -> Double? {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let units: [(suffix: String, factor: Double)] = [("ms", 0.001), ("us", 0.000_001), ("s", 1), ("", 1)]
      guard parts.count == 2 else { return seconds(text, units) }
      guard let above = decimal(parts[0]), above > 0 else { return nil }
      for unit in units where parts[1].hasSuffix(unit.suffix) {
        guard let below = decimal(parts[1].dropLast(unit.suffix.count)), below > 0 else { return nil }
        return above / below * unit.factor
      }
      return nil
    }

    private static func fractions(_ text: String, _ count: Int) -> [Double]? {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { decimal($0) }
      return numbers.count == count && numbers.allSatisfy((0...1).contains)
        && text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == count - 1 ? numbers : nil
    }

    private static func text(_ seconds: Double) -> String {
      switch seconds {
      case 3600...: "\(Figures.text(seconds / 3600)) h"
      case 1..., 0: "\(Figures.text(seconds)) s"
      case 1e-3...: "\(Figures.text(seconds * 1e3)) ms"
      case 1e-6...: "\(Figures.text(seconds * 1e6)) µs"
      default: "\(Figures.text(seconds * 1e9)) ns"
      }
    }
  }
}
