package import Foundation

/// The date of a frame's capture, as people date their photos: to the millisecond.
package struct CaptureDate: Sendable, Hashable {
  /// Since the start of 2001, Greenwich time.
  private let milliseconds: Int64
  package let timeZone: TimeZone
  /// `2026:11:21 01:20:03`, as EXIF writes it.
  package let text: String
  /// The milliseconds, as EXIF's sub-second tags write them.
  package let subsecondText: String
  /// `+09:00`, as EXIF's offset tags write it.
  package let offsetText: String

  /// The moment `date`, written in `timeZone`.
  package init(date: Date, timeZone: TimeZone) {
    milliseconds = Int64((date.timeIntervalSinceReferenceDate * 1000).rounded())
    self.timeZone = timeZone
    let (seconds, subsecond) = milliseconds.quotientAndFloorRemainder(by: 1000)
    // Of the whole second, for a fraction could round up into the next one.
    let whole = Date(timeIntervalSinceReferenceDate: Double(seconds))
    // Not the user's calendar: EXIF knows only this one.
    let parts = Calendar(identifier: .gregorian).dateComponents(in: timeZone, from: whole)
    let day = [Self.digits(parts.year, 4), Self.digits(parts.month, 2), Self.digits(parts.day, 2)]
    let time = [Self.digits(parts.hour, 2), Self.digits(parts.minute, 2), Self.digits(parts.second, 2)]
    text = day.joined(separator: ":") + " " + time.joined(separator: ":")
    subsecondText = Self.digits(Int(subsecond), 3)
    let minutes = timeZone.secondsFromGMT(for: whole) / 60
    offsetText =
      (minutes < 0 ? "-" : "+") + Self.digits(abs(minutes) / 60, 2) + ":"
      + Self.digits(abs(minutes) % 60, 2)
  }

  /// The moment when a frame was exposed.
  package init(of frame: PhotoFrameFacts) {
    self.init(date: frame.date, timeZone: frame.timeZone)
  }

  /// The moment, rounded to a millisecond.
  package var date: Date {
    Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
  }

  private static func digits(_ number: Int?, _ count: Int) -> String {
    let text = String(number ?? 0)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

extension Int64 {
  fileprivate func quotientAndFloorRemainder(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
