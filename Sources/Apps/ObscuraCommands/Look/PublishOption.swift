internal import EventPublishing
internal import Foundation
internal import Linux

/// The broker to which a command publishes events: `--publish` and `--login`.
struct PublishOption: Sendable {
  static let options: [Arguments.Option] = [
    .init(
      "publish", value: "ADDRESS",
      help: "publish each event by MQTT, too: mqtt://[user@]host[:port]/topic, or mqtts://"),
    .init(
      "login", value: "FILE", help: "a file of mode 600 with the lines user=, password=, ca= for the broker"),
  ]

  /// How long the end of a command waits for the broker, in seconds.
  static let closingSeconds = 5.0

  let address: BrokerAddress
  let login: BrokerLogin
  /// Where events wait.
  let folder: String

  /// Reads the options; `nil` without them.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init?(_ arguments: Arguments, environment: [String: String]) throws(CommandError) {
    guard let text = arguments["publish"] else {
      guard arguments["login"] == nil else {
        throw CommandError(.usage, "--login is for --publish; name the broker, too.")
      }
      return nil
    }
    do throws(PublishingError) {
      address = try BrokerAddress(text)
    } catch {
      // The address is not quoted: it may hold a password.
      throw CommandError(.usage, "The address of --publish cannot be used: \(error.description)")
    }
    let folders = UserFolders(environment)
    var login = BrokerLogin()
    if let path = arguments["login"].map({ folders.expanded($0) }) {
      let words = try PrivateFile.text(at: path, option: "login")
      do throws(PublishingError) {
        login = try BrokerLogin(text: words)
      } catch {
        throw CommandError(.usage, "--login '\(path)' cannot be used: \(error.description)")
      }
      if let file = login.certificates.map({ folders.expanded($0) }) {
        guard let words = try? String(contentsOfFile: file, encoding: .isoLatin1) else {
          throw CommandError(
            .usage,
            "--login '\(path)' names the certificates ca=\(file), which cannot be read; name a file that is there."
          )
        }
        // The library reads them when it connects, and the broker would be tried for ever.
        guard words.contains("-----BEGIN ") && words.contains("CERTIFICATE-----") else {
          throw CommandError(
            .usage,
            "--login '\(path)' names the certificates ca=\(file), which holds none; name a file in PEM, with BEGIN CERTIFICATE in it."
          )
        }
        login.certificates = file
      }
    }
    self.login = login
    let state =
      environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(folders.home)/.local/state"
    folder = "\(state)/obscura/events/\(address.folderName)"
  }

  /// Begins to publish.
  /// - Throws: ``CommandError`` where the machine lacks the library, or events cannot be kept.
  func open(_ entities: [HomeAssistant.Entity], _ terminal: Terminal) throws(CommandError) -> EventPublisher {
    if let obstacle = MosquittoLink.obstacle { throw CommandError(.otherFailure, obstacle) }
    var settings = EventPublisher.Settings(address, folder: folder)
    settings.announcements = HomeAssistant.announcements(entities, at: address)
    let client = "obscura-\(EventNames.run())"
    let wasAway = Locked(false)
    do throws(PublishingError) {
      return try EventPublisher(settings) { [address, login] () throws(PublishingError) in
        try MosquittoLink(
          address, login, client: client,
          will: (address.topic(of: Announcement.health), Announcement.offline))
      } report: { [shown = address.shown] report in
        Self.say(report, shown, wasAway, terminal)
      }
    } catch {
      throw CommandError(.otherFailure, error.description)
    }
  }

  private static func say(
    _ report: PublishingReport, _ broker: String, _ wasAway: Locked<Bool>, _ terminal: Terminal
  ) {
    switch report {
    case .connected(let count):
      let waiting = count == 0 ? "" : ", \(count) of which have waited"
      let line = "obscura: \(broker) takes events\(waiting)."
      let isNews = wasAway.withLock { wasAway in
        defer { wasAway = false }
        return wasAway
      }
      if isNews || count > 0 { terminal.say(line) } else { terminal.detail(line) }
    case .away(let reason):
      wasAway.withLock { $0 = true }
      terminal.say("obscura: \(broker) takes no events: \(reason); they are kept, and it is tried again.")
    case .dropped(let count):
      terminal.say(
        "obscura: \(count == 1 ? "An event was" : "\(count) events were") dropped, because more wait for \(broker) than are kept."
      )
    case .notKept(let reason):
      terminal.say("obscura: An event is not on the disk, and is lost when obscura is killed: \(reason)")
    }
  }

  /// Ends what was opened; says what is left.
  func close(_ publisher: EventPublisher, _ terminal: Terminal) {
    let ending = publisher.close(waiting: Self.closingSeconds)
    guard ending.waiting > 0 else { return }
    terminal.say(
      "obscura: \(ending.waiting == 1 ? "An event waits" : "\(ending.waiting) events wait") for \(address.shown) in \(folder); the next run sends what is there."
    )
  }
}
