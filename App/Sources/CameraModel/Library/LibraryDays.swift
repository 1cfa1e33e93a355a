import Foundation

/// The days of a list that is sorted by time, the newest first, each with its places in the list.
package struct LibraryDays: Sendable, Equatable {
  /// A day with what was taken on it.
  package struct Day: Sendable, Equatable {
    /// The day's first moment, in local time.
    package var start: Date
    /// Its places in the list.
    package var places: Range<Int>
  }

  package private(set) var days: [Day] = []

  /// Days without anything.
  package init() {}

  /// Groups times in seconds since 2001, the newest first; what has no time is `nil` and stands at the end.
  package init(_ times: some Collection<Double?>, calendar: Calendar = .current) {
    var first = 0
    var span: DateInterval?
    var place = 0
    for time in times {
      let date = time.map { Date(timeIntervalSinceReferenceDate: $0) } ?? .distantPast
      // The calendar is asked once for each day: it takes its time.
      if let known = span, !(known.start <= date && date < known.end) {
        days.append(Day(start: known.start, places: first..<place))
        first = place
        span = nil
      }
      if span == nil { span = Self.day(of: date, calendar) }
      place += 1
    }
    if let span, first < place { days.append(Day(start: span.start, places: first..<place)) }
  }

  private static func day(of date: Date, _ calendar: Calendar) -> DateInterval {
    let start = calendar.startOfDay(for: date)
    let end = calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
    return DateInterval(start: start, end: max(end, start.addingTimeInterval(1)))
  }
}

/// The rows of a grid of days: a heading for each day, then its places in rows of so many.
///
/// Nothing is kept for single rows, so that a hundred thousand photos cost no more than their days.
package struct GridRows: Sendable, Equatable {
  /// The content of a row: a day's heading, or photos by their places in the list.
  package enum Row: Sendable, Equatable {
    case heading(day: Int)
    case places(Range<Int>)
  }

  private var days: [LibraryDays.Day]
  /// The first row of each day, and the count of all rows at the end.
  private var firstRows: [Int]
  package let columns: Int

  /// Rows for days in so many columns.
  package init(_ days: LibraryDays = LibraryDays(), columns: Int) {
    self.days = days.days
    self.columns = max(1, columns)
    firstRows = [0]
    firstRows.reserveCapacity(self.days.count + 1)
    for day in self.days {
      firstRows.append(
        firstRows[firstRows.count - 1] + 1 + (day.places.count + self.columns - 1) / self.columns)
    }
  }

  /// The number of rows.
  package var count: Int { firstRows[firstRows.count - 1] }

  /// The row at a place; `nil` outside.
  package func row(at index: Int) -> Row? {
    guard index >= 0, index < count else { return nil }
    let day = lastDay { firstRows[$0] <= index }
    let line = index - firstRows[day]
    if line == 0 { return .heading(day: day) }
    let places = days[day].places
    let first = places.lowerBound + (line - 1) * columns
    return .places(first..<min(first + columns, places.upperBound))
  }

  /// The row that shows a place of the list; `nil` outside.
  package func row(of place: Int) -> Int? {
    guard let last = days.last, place >= 0, place < last.places.upperBound else { return nil }
    let day = lastDay { days[$0].places.lowerBound <= place }
    return firstRows[day] + 1 + (place - days[day].places.lowerBound) / columns
  }

  /// The upper edge of a row, with headings and rows of such heights; of the row after the last, the height of all.
  package func top(of row: Int, heading: Int, line: Int) -> Int {
    guard row > 0, !days.isEmpty else { return 0 }
    let day = row >= count ? days.count - 1 : lastDay { firstRows[$0] <= row }
    let headings = row > firstRows[day] ? day + 1 : day
    return headings * heading + (min(row, count) - headings) * line
  }

  /// The row at a height; the first or the last where there is none.
  package func row(atHeight height: Int, heading: Int, line: Int) -> Int {
    guard count > 0, heading + line > 0 else { return 0 }
    let day = lastDay { top(of: firstRows[$0], heading: heading, line: line) <= height }
    let inside = height - top(of: firstRows[day], heading: heading, line: line) - heading
    let lines = firstRows[day + 1] - firstRows[day] - 1
    return inside < 0 ? max(0, firstRows[day]) : firstRows[day] + 1 + min(inside / max(1, line), lines - 1)
  }

  private func lastDay(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, days.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
