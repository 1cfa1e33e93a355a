import EventPublishing
import Foundation
import Linux

/// A folder for events, and what a publisher says.
final class PublishingStage: Sendable {
  let folder: String
  private let said = Monitor<[PublishingReport]>([])

  init() throws {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString)")
    folder = place.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// What was said so far.
  var reports: [PublishingReport] { said.withLock { $0 } }

  /// Blocks until something was said; whether it was.
  func hears(_ isWanted: @escaping (PublishingReport) -> Bool) -> Bool {
    said.wait(until: ScriptedBroker.limit, for: { $0.contains(where: isWanted) }, then: { _ in true })
      ?? false
  }

  /// The files of events that wait.
  var waitingFiles: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".event") }
      .sorted()
  }

  /// A publisher whose pauses are short.
  func publisher(
    _ address: String = "mqtt://broker/home/door", capacity: Int = 10_000, announcements: [Announcement] = [],
    _ makeLink: @escaping @Sendable () throws(PublishingError) -> any BrokerLink
  ) throws -> EventPublisher {
    var settings = EventPublisher.Settings(try BrokerAddress(address), folder: folder)
    settings.capacity = capacity
    settings.announcements = announcements
    settings.pauses = GrowingPauses(firstNanoseconds: 1_000_000, longestNanoseconds: 20_000_000)
    return try EventPublisher(settings, makeLink: makeLink) { [said] report in
      said.withLock { $0.append(report) }
    }
  }

  /// A publisher to a broker of a script.
  func publisher(
    to broker: ScriptedBroker, capacity: Int = 10_000, announcements: [Announcement] = []
  ) throws -> EventPublisher {
    try publisher(capacity: capacity, announcements: announcements) { () throws(PublishingError) in
      broker.makeLink()
    }
  }
}

extension EventPublisher {
  /// Publishes numbered events.
  func publish(_ numbers: ClosedRange<Int>) {
    for number in numbers { publish("motion", Array("\(number)".utf8)) }
  }
}

/// Each value's first appearance, in order.
func firstAppearances(_ values: [String]) -> [String] {
  var seen: Set<String> = []
  return values.filter { seen.insert($0).inserted }
}

/// The texts of numbers.
func texts(_ numbers: ClosedRange<Int>) -> [String] { numbers.map(String.init) }
