package import Foundation
internal import Glibc

/// A file name with a place for a number (`%04d`) and for the time (strftime's letters).
///
/// `IMG_%Y%m%d_%04d.jpg` becomes `IMG_20260102_0007.jpg`. A number always has a width, since a bare `%d` is strftime's
/// day of the month; `%%` is a percent sign.
package struct FileNamePattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case literal(String)
    case number(width: Int)
  }

  private let parts: [Part]

  private init(parts: [Part]) { self.parts = parts }

  /// The names `stem-1.ext`, `stem-2.ext` … beside the name `stem.ext`, which is taken as it is.
  static func numbered(beside name: String) -> FileNamePattern {
    let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
    func literal(_ text: Substring) -> String { String(text.replacing("%", with: "%%")) }
    return FileNamePattern(parts: [
      .literal(literal(name[..<dot]) + "-"), .number(width: 1), .literal(literal(name[dot...])),
    ])
  }

  /// The pattern of the same names with another extension.
  package func withExtension(_ fileExtension: String) -> FileNamePattern {
    guard case .literal(let end)? = parts.last else { return self }
    let dot = end.lastIndex(of: ".") ?? end.endIndex
    return FileNamePattern(parts: parts.dropLast() + [.literal("\(end[..<dot]).\(fileExtension)")])
  }

  /// Takes the user's words apart.
  package init(_ text: String) {
    var parts: [Part] = []
    var literal = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard character == "%", !digits.isEmpty, digits.count < 3, rest.dropFirst(digits.count).first == "d"
      else {
        literal.append(character)
        // A pair stays together, so that the second sign of "%%04d" does not start a number.
        if character == "%", let next = rest.popFirst() { literal.append(next) }
        continue
      }
      parts.append(.literal(literal))
      literal = ""
      parts.append(.number(width: Int(digits) ?? 1))
      rest = rest.dropFirst(digits.count + 1)
    }
    self.parts = parts + [.literal(literal)]
  }

  /// Whether the pattern has a place for a number.
  package var hasNumber: Bool {
    parts.contains { part in
      if case .number = part { true } else { false }
    }
  }

  /// The highest number that one of `names` has as this pattern's name at `date`; 0 when none has.
  ///
  /// A number of more digits than the pattern's, and than six, is rather a date of another program.
  func highestNumber(in names: some Sequence<String>, date: Date) -> Int {
    var width = 0
    var prefix = ""
    for part in parts {
      if case .number(let digits) = part {
        width = digits
        break
      }
      if case .literal(let text) = part { prefix += formatted(text, date) }
    }
    var highest = 0
    for name in names where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
      guard digits.count <= max(width, 6), let number = Int(digits), number > highest,
        self.name(number: number, date: date) == name
      else { continue }
      highest = number
    }
    return highest
  }

  /// The name for picture `number` taken at `date`, in local time.
  package func name(number: Int, date: Date) -> String {
    var result = ""
    for part in parts {
      switch part {
      case .literal(let text):
        result += formatted(text, date)
      case .number(let width):
        let digits = String(number)
        result += String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
    }
    return result
  }

  private func formatted(_ text: String, _ date: Date) -> String {
    guard text.contains("%") else { return text }
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var local = tm()
    localtime_r(&seconds, &local)
    // Longer than any name may be.
    var buffer = [CChar](repeating: 0, count: 4096)
    // With a letter before it, only what is too long gives an empty result.
    let count = strftime(&buffer, buffer.count, "x\(text)", &local)
    guard count > 0 else { return String(repeating: "x", count: buffer.count) }
    return String(decoding: buffer[1..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
