internal import Foundation
internal import FoundationExtras
internal import Linux

/// One event as `obscura watch` prints it.
struct WatchEvent: LookAnswer {
  /// The kind of an event.
  enum Event: String, Encodable, Sendable {
    case enter, leave
    /// The camera is away.
    case fault
    /// It is back, or there at first.
    case recovered
    /// A run begins, and nothing of the kind is in view.
    case start
  }

  let schema = "obscura.sighting"
  let version = 1
  var event: Event
  /// `motion`, `face`, `person` or `camera`.
  var kind: String
  /// The same for the enter and the leave of one visit, and no other; absent for the camera.
  var visit: String?
  var id: String?
  /// The moment when it was seen first, or last where it leaves, in seconds on the camera's clock.
  var time: Double
  /// The same moment as the world's clock has it, as ISO 8601 writes it.
  var date: String
  /// The place, from the top left: x, y, width and height in fractions of the picture.
  var bounds: [Double]?
  /// How long it was in view, where it leaves.
  var seconds: Double?
  /// How many of the kind are in view after the event.
  var present: Int?
  /// What is wrong with the camera.
  var message: String?

  init(
    _ event: Event, kind: String, at time: Double, now: MonotonicInstant = WorldTime.current.now,
    date: Date = WorldTime.current.date
  ) {
    self.event = event
    self.kind = kind
    self.time = Self.rounded(time, to: 1e3)
    // A device's clock may be another than the machine's: then the event is as old as its arrival.
    let age = Double(now.nanoseconds) / 1e9 - time
    let moment = (0...60).contains(age) ? date.addingTimeInterval(-age) : date
    self.date = moment.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  var subject: String { kind }

  var isFinding: Bool { event == .enter }

  /// The line for people: what, and where it is or how long it was there.
  var line: String {
    let numbers = bounds?.map { String(format: "%.2f", $0) }.joined(separator: ",")
    let rest =
      message.map(EscapedText.escape) ?? seconds.map { "after \(String(format: "%.1f", $0)) s" } ?? numbers
      ?? ""
    return "\(kind)  \(event.rawValue)\(rest.isEmpty ? "" : "  \(rest)")"
  }

  /// The event of a change of visits.
  init(_ change: Visits.Change, kind: WatchKind, visitPrefix: String, present: Int) {
    let visit: Visits.Visit
    switch change {
    case .enter(let entered):
      visit = entered
      self.init(.enter, kind: kind.rawValue, at: visit.began)
    case .leave(let left):
      visit = left
      self.init(.leave, kind: kind.rawValue, at: visit.lastSeen)
      seconds = Self.rounded(visit.lastSeen - visit.began, to: 1e3)
    }
    self.visit = "\(visitPrefix)-\(kind.rawValue)-\(visit.number)"
    self.present = present
    bounds = [visit.bounds.minX, visit.bounds.minY, visit.bounds.width, visit.bounds.height].map {
      Self.rounded(Double($0), to: 1e4)
    }
  }

  /// An event of the camera itself, at this moment.
  init(camera event: Event, message: String? = nil) {
    self.init(event, kind: "camera", at: Double(WorldTime.current.now.nanoseconds) / 1e9)
    self.message = message
  }

  /// The beginning of a run for a kind.
  init(startOf kind: String) {
    self.init(.start, kind: kind, at: Double(WorldTime.current.now.nanoseconds) / 1e9)
    present = 0
  }

  private static func rounded(_ number: Double, to factor: Double) -> Double {
    (number * factor).rounded() / factor
  }
}
