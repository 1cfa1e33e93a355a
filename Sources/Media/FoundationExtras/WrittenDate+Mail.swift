extension WrittenDate {
  /// Reads a date as mail and PNG's texts write it: `Sun, 10 Mar 2024 12:00:00 +0900`, with or without the day of the week, the seconds and
  /// the zone (RFC 5322, 3.3, which the PNG specification names by an older number).
  package init?(mail text: String) {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    if let first = words.first, first.first?.isLetter == true { words.removeFirst() }
    guard (4...5).contains(words.count), let day = Int(words[0]), let year = Int(words[2]), year >= 1000,
      let month = Self.months.firstIndex(of: words[1].prefix(3).lowercased())
    else { return nil }
    let zone = words.count == 5 ? words[4] : ""
    let offset = ["GMT", "UT", "UTC"].contains(zone.uppercased()) ? "Z" : zone
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    self.init("\(year)-\(two(month + 1))-\(two(day))T\(words[3])\(offset)")
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}
