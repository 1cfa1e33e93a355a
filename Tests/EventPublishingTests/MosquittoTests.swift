import EventPublishing
import Foundation
import Testing

@Suite("Publishing to a real broker", .enabled(if: Mosquitto.isInstalled))
struct MosquittoTests {
  private static let offline = "home/door/health offline"
  private let stage: PublishingStage

  init() throws {
    stage = try PublishingStage()
  }

  private func publisher(
    to broker: Mosquitto, scheme: String = "mqtt", login: BrokerLogin = BrokerLogin(), capacity: Int = 10_000
  ) throws -> EventPublisher {
    let text = "\(scheme)://127.0.0.1:\(broker.port)/home/door"
    let address = try BrokerAddress(text)
    let client = "test-\(UUID().uuidString)"
    return try stage.publisher(text, capacity: capacity) { () throws(PublishingError) in
      try MosquittoLink(
        address, login, client: client, will: (address.topic(of: Announcement.health), Array("offline".utf8)))
    }
  }

  private func events(_ lines: [String]) -> [String] {
    lines.filter { $0.hasPrefix("home/door/motion ") }.map { String($0.dropFirst(17)) }
  }

  @Test func `a hundred events arrive in order, between the words of health`() throws {
    let broker = try Mosquitto()
    try broker.start()
    try broker.subscribe()
    let publisher = try publisher(to: broker)
    publisher.publish(1...100)
    #expect(publisher.close(waiting: 50).waiting == 0)
    let lines = try broker.take(through: Self.offline)
    #expect(lines.first == "home/door/health online" && lines.last == "home/door/health offline")
    #expect(events(lines) == texts(1...100))
    #expect(stage.waitingFiles.isEmpty)
  }

  @Test func `events wait on the disk for a broker that is away`() throws {
    let broker = try Mosquitto()
    try broker.start()
    try broker.subscribe()
    broker.end()
    let publisher = try publisher(to: broker)
    publisher.publish(1...20)
    #expect(stage.hears { if case .away = $0 { true } else { false } })
    #expect(stage.waitingFiles.count == 20)
    try broker.start()
    #expect(publisher.close(waiting: 50).waiting == 0)
    #expect(try events(broker.take(through: Self.offline)) == texts(1...20))
  }

  @Test func `a broker that is killed in between gets the rest when it is back`() throws {
    let broker = try Mosquitto()
    try broker.start()
    try broker.subscribe()
    let publisher = try publisher(to: broker)
    publisher.publish(1...50)
    #expect(stage.hears { if case .connected = $0 { true } else { false } })
    broker.kill()
    publisher.publish(51...100)
    #expect(stage.hears { if case .away = $0 { true } else { false } })
    try broker.start()
    try broker.subscribe()
    #expect(publisher.close(waiting: 50).waiting == 0)
    #expect(stage.waitingFiles.isEmpty)
    // What it had taken and not written down is its own loss.
    let last = try events(broker.take(through: Self.offline))
    #expect(Array(firstAppearances(last).suffix(50)) == texts(51...100))
  }

  @Test func `a run that was ended leaves its events to the next, and the broker says that it is offline`()
    throws
  {
    let broker = try Mosquitto()
    let first = try publisher(to: broker)
    first.publish(1...30)
    first.abandon()
    try broker.start()
    try broker.subscribe()
    let second = try publisher(to: broker)
    second.publish(31...60)
    #expect(stage.hears { if case .connected = $0 { true } else { false } })
    #expect(try events(broker.take(through: "home/door/motion 60")) == texts(1...60))
    second.abandon()
    #expect(try broker.take(through: Self.offline).last == Self.offline)
  }

  /// A broker that lets one user in.
  private func guardedBroker() throws -> Mosquitto {
    let broker = try Mosquitto { folder in
      let process = try Process.run(
        URL(fileURLWithPath: "/usr/bin/mosquitto_passwd"),
        arguments: ["-b", "-c", "\(folder)/users", "gate", "open sesame"])
      process.waitUntilExit()
      return ["allow_anonymous false", "password_file \(folder)/users"]
    }
    broker.receiverWords = ["-u", "gate", "-P", "open sesame"]
    return broker
  }

  @Test func `a login is shown to the broker`() throws {
    let broker = try guardedBroker()
    try broker.start()
    try broker.subscribe()
    let publisher = try publisher(to: broker, login: BrokerLogin(text: "user=gate\npassword=open sesame\n"))
    publisher.publish(1...1)
    #expect(publisher.close(waiting: 50).waiting == 0)
    #expect(try events(broker.take(through: Self.offline)) == ["1"])
  }

  @Test(arguments: ["user=gate\npassword=wrong\n", ""])
  func `a wrong login is said, and the events are kept`(text: String) throws {
    let broker = try guardedBroker()
    try broker.start()
    let publisher = try publisher(to: broker, login: BrokerLogin(text: text))
    publisher.publish(1...3)
    #expect(
      stage.hears {
        if case .away(let reason) = $0 {
          reason.contains("refuses the connection") && reason.contains("--login")
        } else {
          false
        }
      }, "\(stage.reports)")
    publisher.abandon()
    #expect(publisher.waitingCount == 3)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
  func `an encrypted connection needs certificates that fit`() throws {
    var certificate = ""
    let broker = try Mosquitto { folder in
      certificate = "\(folder)/cert.pem"
      let process = try Process.run(
        URL(fileURLWithPath: "/bin/sh"),
        arguments: [
          "-c",
          "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout '\(folder)/key.pem' -out '\(certificate)' 2>/dev/null",
        ])
      process.waitUntilExit()
      return ["allow_anonymous true", "certfile \(certificate)", "keyfile \(folder)/key.pem"]
    }
    broker.receiverWords = ["--cafile", certificate]
    try broker.start()
    try broker.subscribe()
    let stranger = try publisher(to: broker, scheme: "mqtts")
    #expect(stage.hears { if case .away = $0 { true } else { false } })
    stranger.abandon()
    let publisher = try publisher(to: broker, scheme: "mqtts", login: BrokerLogin(text: "ca=\(certificate)"))
    publisher.publish(1...40)
    #expect(publisher.close(waiting: 50).waiting == 0)
    #expect(try events(broker.take(through: Self.offline)) == texts(1...40))
  }
}
