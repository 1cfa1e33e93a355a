package import Foundation

/// A moment as files of pictures and movies write it down: the digits of a clock, with the fraction of the second and the offset from UTC
/// where they say them.
///
/// Reads EXIF's `2024:03:10 12:00:00` (with the texts of `SubSecTime…` and `OffsetTime…` beside it, EXIF 2.31, 4.6.5) and the forms of
/// ISO 8601 that XMP, QuickTime and their writers use: `2024-03-10T12:00:00.25+09:00`, `20240310T120000Z`, `2024-03-10`, `2024`. What is
/// not said begins at its smallest value, as XMP has it. A text of blanks or zeros is EXIF's "unknown", and no date.
package struct WrittenDate: Sendable, Hashable {
  /// Year, month, day, hour, minute, second.
  private let numbers: [Int]
  /// The digits behind the second's point; empty where none are said.
  package let fraction: String
  /// Seconds ahead of UTC; `nil` where the file does not say, for time of the place.
  package let offset: Int?
  /// Whether the day is said: a year alone, or a month, says when something was published.
  package let saysDay: Bool

  /// Reads a text that holds all that is said.
  package init?(_ text: String) {
    let text = text.trimmingCharacters(in: Self.padding)
    let (date, rest) = Self.digits(of: text[...], most: 3, [4, 2, 2], between: ":-/.")
    guard date.count >= 1, date[0] > 0 else { return nil }
    let month = date.count > 1 ? date[1] : 1
    let day = date.count > 2 ? date[2] : 1
    guard (1...12).contains(month), (1...Self.days(of: month, date[0])).contains(day) else { return nil }
    var time: [Int] = []
    var tail = rest
    var part = ""
    if let first = tail.first, first == " " || first == "T" || first == "t" {
      (time, tail) = Self.digits(of: tail.dropFirst(), most: 3, [2, 2, 2], between: ":")
      guard time.count >= 2, time[0] < 24, time[1] < 60, time.count == 2 || time[2] <= 60 else { return nil }
      if time.count == 3, let point = tail.first, point == "." || point == "," {
        part = String(tail.dropFirst().prefix { $0.isASCII && $0.isNumber })
        tail = tail.dropFirst(part.count + 1)
      }
    }
    let zone = tail.trimmingCharacters(in: Self.padding)
    offset = Self.offset(zone)
    guard zone.isEmpty || offset != nil else { return nil }
    fraction = part
    saysDay = date.count == 3
    numbers = [date[0], month, day] + time + Array(repeating: 0, count: 3 - time.count)
  }

  /// Reads EXIF's three texts of one time; the fraction and the offset are those that belong to it.
  ///
  /// What the date's own text says of them counts first: XMP and some programs write all in one.
  package init?(_ text: String, fraction: String?, offset: String?) {
    guard let plain = Self(text) else { return nil }
    (numbers, saysDay) = (plain.numbers, plain.saysDay)
    let digits = (fraction ?? "").trimmingCharacters(in: Self.padding)
    let isFraction = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
    self.fraction = plain.fraction.isEmpty && isFraction ? digits : plain.fraction
    self.offset = plain.offset ?? offset.flatMap { Self.offset($0.trimmingCharacters(in: Self.padding)) }
  }

  /// The moment; without an offset that of the clocks of `zone` on that day, summer time included.
  package func date(in zone: TimeZone = .current) -> Date? {
    // Not the user's calendar: files know only this one.
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = offset.flatMap { TimeZone(secondsFromGMT: $0) } ?? zone
    let parts = DateComponents(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5])
    return calendar.date(from: parts)?.addingTimeInterval(Double("0." + fraction) ?? 0)
  }

  /// The digits as EXIF writes them, `2024:03:10 12:00:00`.
  package var exifText: String {
    func text(_ part: Range<Int>, _ mark: String) -> String {
      part.map { Self.padded(numbers[$0], $0 == 0 ? 4 : 2) }.joined(separator: mark)
    }
    return text(0..<3, ":") + " " + text(3..<6, ":")
  }

  /// The offset as EXIF writes it, `+09:00`; `nil` where none is said.
  package var exifOffset: String? {
    offset.map { seconds in
      let minutes = abs(seconds) / 60
      return (seconds < 0 ? "-" : "+") + Self.padded(minutes / 60, 2) + ":" + Self.padded(minutes % 60, 2)
    }
  }

  /// A moment as QuickTime and XMP write it, in UTC, with milliseconds where it has them.
  package static func text(of date: Date) -> String {
    let writer = ISO8601DateFormatter()
    let thousandths = (date.timeIntervalSinceReferenceDate * 1000).rounded()
    if thousandths.truncatingRemainder(dividingBy: 1000) != 0 {
      writer.formatOptions.insert(.withFractionalSeconds)
    }
    // Rounded before, for the formatter cuts off.
    return writer.string(from: Date(timeIntervalSinceReferenceDate: (thousandths + 0.1) / 1000))
  }

  // MARK: Reading texts

  private static let padding = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\0"))

  /// Numbers of fixed widths, with one of the characters between them or none; and what follows.
  private static func digits(
    of text: Substring, most count: Int, _ widths: [Int], between marks: String
  ) -> ([Int], Substring) {
    var found: [Int] = []
    var rest = text
    while found.count < count {
      var next = rest
      if !found.isEmpty, let mark = next.first, marks.contains(mark) { next = next.dropFirst() }
      let width = widths[found.count]
      let part = next.prefix(width)
      guard part.count == width, part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(part) else {
        break
      }
      found.append(number)
      rest = next.dropFirst(width)
    }
    return (found, rest)
  }

  /// `+09:00`, `-0330`, `+09` or `Z` in seconds.
  private static func offset(_ text: String) -> Int? {
    if text == "Z" || text == "z" { return 0 }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let (numbers, rest) = digits(of: text.dropFirst(), most: 2, [2, 2], between: ":")
    guard let hours = numbers.first, rest.isEmpty, hours < 24 else { return nil }
    let minutes = numbers.count > 1 ? numbers[1] : 0
    guard minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
