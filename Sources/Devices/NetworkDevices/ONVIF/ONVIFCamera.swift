internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaStreaming

/// A camera that answered, and the questions for what it is and what it streams.
struct ONVIFCamera {
  /// The most streams that are asked for: two of each of a recorder's 32 cameras.
  static let mostProfiles = 64

  let answer: NetworkProbe.Answer
  let times: SearchTimes

  /// What it tells.
  ///
  /// Blocks for the time of a camera at most, beside what ``CameraLogins`` wait for, once, where it wants a login.
  func told(_ logins: CameraLogins) -> FoundCamera {
    let scopes = answer.match.scopes
    var found = FoundCamera(
      id: answer.match.endpoint, host: answer.sender,
      name: scopes["name"] ?? scopes["hardware"] ?? answer.sender, access: .told, profiles: [], leftOut: 0)
    guard let host = IPv4Place(answer.sender, port: 0), let service = answer.match.service(at: answer.sender)
    else {
      found.access = .failed("its services are had by TLS alone, which is not read")
      return found
    }
    var conversation = ONVIFConversation(host, times: times, deadline: times.deadline(times.camera)) {
      logins.login(at: answer.sender)
    }
    do {
      let lead = try clockLead(&conversation, service)
      conversation.clockLead = lead
      try name(&found, &conversation, service)
      try addProfiles(to: &found, &conversation, service)
    } catch is ONVIFConversation.LoginRefusal {
      found.access =
        switch conversation.login {
        case nil, .missing(_, nil): .wantsLogin
        case .missing(_, let reason?): .silentKeyring(reason)
        case .locked: .lockedKeyring
        case .known: .refusedLogin
        }
    } catch {
      found.access = .failed((error as? NetworkProblem)?.description ?? "it does not answer")
    }
    found.user = conversation.login?.user
    return found
  }

  // MARK: Questions

  /// The answer to a question without which the others are asked as well; `nil` where the camera has none, refuses, or hangs up.
  private func ask(
    _ conversation: inout ONVIFConversation, _ service: (port: UInt16, path: String), _ question: String
  ) throws -> MarkupElement? {
    do {
      return try conversation.answer(to: question, at: service)
    } catch let error as NetworkProblem {
      guard error.kind == .other || conversation.hasAnswered && !conversation.isOver else { throw error }
      return nil
    }
  }

  /// How far its clock is ahead; 0 where it does not say.
  private func clockLead(
    _ conversation: inout ONVIFConversation, _ service: (port: UInt16, path: String)
  ) throws -> Double {
    let question = "<GetSystemDateAndTime xmlns=\"\(SOAPMessage.device)\"/>"
    do {
      let said = try ask(&conversation, service, question).flatMap(Self.date)
      return said?.timeIntervalSince(WorldTime.machine.date) ?? 0
    } catch is ONVIFConversation.LoginRefusal {
      // Some keep even that from strangers; their clock is taken for right.
      return 0
    }
  }

  /// The moment in an answer; `nil` where it names none.
  static func date(_ answer: MarkupElement) -> Date? {
    guard let moment = answer.child("SystemDateAndTime", "UTCDateTime") else { return nil }
    func number(_ part: String, _ name: String, _ range: ClosedRange<Int>) -> Int? {
      moment.child(part, name).flatMap { Int($0.text) }.flatMap { range.contains($0) ? $0 : nil }
    }
    guard let year = number("Date", "Year", 1970...9999), let month = number("Date", "Month", 1...12),
      let day = number("Date", "Day", 1...31), let hour = number("Time", "Hour", 0...23),
      let minute = number("Time", "Minute", 0...59), let second = number("Time", "Second", 0...60),
      let zone = TimeZone(secondsFromGMT: 0)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.date(
      from: DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second))
  }

  private func name(
    _ found: inout FoundCamera, _ conversation: inout ONVIFConversation,
    _ service: (port: UInt16, path: String)
  ) throws {
    let question = "<GetDeviceInformation xmlns=\"\(SOAPMessage.device)\"/>"
    guard let said = try ask(&conversation, service, question) else { return }
    found.manufacturer = Self.text(said.child("Manufacturer"))
    found.model = Self.text(said.child("Model"))
    let parts = [found.manufacturer, found.model].compactMap(\.self)
    if answer.match.scopes["name"] == nil, !parts.isEmpty { found.name = parts.joined(separator: " ") }
  }

  /// Adds its streams as each is told: those before a failure are kept.
  private func addProfiles(
    to found: inout FoundCamera, _ conversation: inout ONVIFConversation,
    _ service: (port: UInt16, path: String)
  ) throws {
    let media = try mediaService(&conversation, service)
    let list = try conversation.answer(to: "<GetProfiles xmlns=\"\(SOAPMessage.media)\"/>", at: media)
    let all = list.children.filter { $0.name == "Profiles" && $0.attributes["token"] != nil }
    found.leftOut = all.count
    for element in all.prefix(Self.mostProfiles) {
      guard let token = element.attributes["token"] else { continue }
      let encoder = element.child("VideoEncoderConfiguration")
      func number(_ group: String, _ name: String) -> Int? {
        encoder?.child(group, name).flatMap { Int($0.text) }.flatMap { (1...100_000).contains($0) ? $0 : nil }
      }
      let address = try streamAddress(token, &conversation, media)
      found.leftOut -= 1
      found.profiles.append(
        FoundCamera.Profile(
          name: Self.text(element.child("Name")) ?? ProbeMatch.shown(token), address: address,
          width: number("Resolution", "Width"), height: number("Resolution", "Height"),
          codec: Self.text(encoder?.child("Encoding")), rate: number("RateControl", "FrameRateLimit")))
    }
  }

  /// Where the service for media is: where the camera says, else where its other service is.
  private func mediaService(
    _ conversation: inout ONVIFConversation, _ service: (port: UInt16, path: String)
  ) throws -> (port: UInt16, path: String) {
    let said = try ask(
      &conversation, service,
      "<GetCapabilities xmlns=\"\(SOAPMessage.device)\"><Category>Media</Category></GetCapabilities>")
    let address = said?.child("Capabilities", "Media", "XAddr")?.text
    return address.flatMap { ProbeMatch.service([$0], at: answer.sender) } ?? service
  }

  /// The address of a stream; `nil` where the camera gives none that can be read and shown.
  private func streamAddress(
    _ token: String, _ conversation: inout ONVIFConversation, _ media: (port: UInt16, path: String)
  ) throws -> NetworkAddress? {
    let schema = "http://www.onvif.org/ver10/schema"
    let question =
      "<GetStreamUri xmlns=\"\(SOAPMessage.media)\"><StreamSetup><Stream xmlns=\"\(schema)\">RTP-Unicast</Stream>"
      + "<Transport xmlns=\"\(schema)\"><Protocol>RTSP</Protocol></Transport></StreamSetup>"
      + "<ProfileToken>\(SOAPMessage.escaped(token))</ProfileToken></GetStreamUri>"
    let uri = try ask(&conversation, media, question)?.child("MediaUri", "Uri")?.text
    return uri.flatMap { NetworkAddress(found: $0, at: answer.sender) }
  }

  private static func text(_ element: MarkupElement?) -> String? {
    element.map { ProbeMatch.shown($0.text) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension CameraLogins.Login {
  /// The name, where there is one.
  fileprivate var user: String? {
    switch self {
    case .missing(let user, _): user
    case .locked(let user), .known(let user, _): user
    }
  }
}
