import EventPublishing
import Foundation
import Testing

@Suite("Publishing of events")
struct EventPublisherTests {
  private let stage: PublishingStage

  init() throws {
    stage = try PublishingStage()
  }

  @Test func `events come in their order, each once, and nothing is left`() throws {
    let broker = ScriptedBroker()
    let publisher = try stage.publisher(to: broker)
    publisher.publish(1...100)
    #expect(publisher.close(waiting: 50) == EventPublisher.Ending(waiting: 0, dropped: 0))
    #expect(broker.events == texts(1...100))
    #expect(stage.waitingFiles.isEmpty)
  }

  @Test func `what is kept comes first, the health last, and then a goodbye`() throws {
    let broker = ScriptedBroker()
    let publisher = try stage.publisher(
      to: broker, announcements: [Announcement(topic: "homeassistant/a", payload: Array("{}".utf8))])
    publisher.publish(1...1)
    publisher.close(waiting: 50)
    #expect(
      broker.received == [
        .init(topic: "home/door/health", text: "online", isKept: true),
        .init(topic: "homeassistant/a", text: "{}", isKept: true),
        .init(topic: "home/door/motion", text: "1", isKept: false),
        .init(topic: "home/door/health", text: "offline", isKept: true),
      ])
    #expect(broker.farewells == 1)
  }

  @Test func `the acknowledgement of what is kept is none of an event`() throws {
    let broker = ScriptedBroker(.keptOnly)
    let publisher = try stage.publisher(
      to: broker,
      announcements: (1...9).map { Announcement(topic: "homeassistant/\($0)", payload: []) })
    publisher.publish(1...5)
    #expect(broker.hasEvents(5))
    publisher.abandon()
    #expect(publisher.waitingCount == 5 && stage.waitingFiles.count == 5)
  }

  @Test func `closing waits until the last acknowledgement is there`() throws {
    let broker = ScriptedBroker(.keptOnly)
    let publisher = try stage.publisher(to: broker)
    publisher.publish(1...10)
    #expect(broker.hasEvents(10))
    let acknowledging = Thread { broker.acknowledge(10) }
    acknowledging.start()
    #expect(publisher.close(waiting: 50).waiting == 0)
    #expect(broker.farewells == 1)
  }

  @Test func `after a cut the events that were not acknowledged are sent again, in order`() throws {
    let broker = ScriptedBroker(.keptOnly)
    let publisher = try stage.publisher(to: broker)
    publisher.publish(1...40)
    // More are not under way at a time.
    #expect(broker.hasEvents(16))
    broker.acknowledge(5)
    #expect(broker.hasEvents(21))
    broker.setManners(.everything)
    broker.cut()
    #expect(publisher.close(waiting: 50).waiting == 0)
    #expect(firstAppearances(broker.events) == texts(1...40))
    #expect(Array(broker.events.suffix(35)) == texts(6...40))
    #expect(stage.reports.contains(.away("the connection is lost")))
  }

  @Test func `while the broker is away events wait, and it is said once`() throws {
    let broker = ScriptedBroker(refusal: "the broker cannot be reached: no route")
    let publisher = try stage.publisher(to: broker)
    publisher.publish(1...5)
    #expect(stage.hears { $0 == .away("the broker cannot be reached: no route") })
    broker.refuse("the broker refuses the connection")
    #expect(stage.hears { $0 == .away("the broker refuses the connection") })
    broker.refuse(nil)
    #expect(stage.hears { $0 == .connected(waiting: 5) })
    publisher.close(waiting: 50)
    #expect(broker.events == texts(1...5))
    #expect(stage.reports.count == 3, "\(stage.reports)")
  }

  @Test func `what does not fit is dropped, the oldest first, said and counted`() throws {
    let broker = ScriptedBroker(refusal: "away")
    let publisher = try stage.publisher(to: broker, capacity: 10)
    publisher.publish(1...25)
    #expect(stage.waitingFiles.count == 10)
    broker.refuse(nil)
    #expect(publisher.close(waiting: 50) == EventPublisher.Ending(waiting: 0, dropped: 15))
    #expect(broker.events == texts(16...25))
    #expect(
      stage.reports.filter { if case .dropped = $0 { true } else { false } } == [.dropped(1), .dropped(15)])
  }

  @Test func `events of a run that was ended are sent by the next one, before its own`() throws {
    let away = ScriptedBroker(refusal: "away")
    let first = try stage.publisher(to: away)
    first.publish(1...7)
    first.abandon()
    let broker = ScriptedBroker()
    let second = try stage.publisher(to: broker)
    second.publish(8...9)
    #expect(second.close(waiting: 50).waiting == 0)
    #expect(broker.events == texts(1...9))
    #expect(stage.waitingFiles.isEmpty)
  }

  @Test func `closing gives up when the time is over, and the events stay on the disk`() throws {
    let publisher = try stage.publisher(to: ScriptedBroker(.nothing))
    publisher.publish(1...3)
    #expect(publisher.close(waiting: 0.01).waiting == 3)
    #expect(stage.waitingFiles.count == 3)
  }

  @Test func `a file that is no event is left out`() throws {
    try FileManager.default.createDirectory(atPath: stage.folder, withIntermediateDirectories: true)
    try Data("no line".utf8).write(to: URL(fileURLWithPath: stage.folder + "/0000000000000001.event"))
    let broker = ScriptedBroker()
    let publisher = try stage.publisher(to: broker)
    publisher.publish(2...2)
    publisher.close(waiting: 50)
    #expect(broker.events == ["2"])
  }

  @Test func `a folder has one publisher at a time`() throws {
    let first = try stage.publisher(to: ScriptedBroker())
    let error = #expect(throws: PublishingError.self) { try stage.publisher(to: ScriptedBroker()) }
    #expect(error?.description.contains("Another obscura publishes under that topic") == true)
    first.close(waiting: 50)
    try stage.publisher(to: ScriptedBroker()).close(waiting: 50)
  }

  @Test func `a folder that cannot be made is one sentence`() throws {
    try Data().write(to: URL(fileURLWithPath: stage.folder))
    let error = #expect(throws: PublishingError.self) { try stage.publisher(to: ScriptedBroker()) }
    #expect(error?.description.hasPrefix("The events cannot be kept in \(stage.folder): ") == true)
  }

  @Test func `pauses double up to the longest, and begin anew after a success`() {
    var pauses = GrowingPauses(firstNanoseconds: 3, longestNanoseconds: 20)
    #expect((0..<5).map { _ in pauses.next() } == [3, 6, 12, 20, 20])
    pauses.reset()
    #expect(pauses.next() == 3)
  }
}
