internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaStreaming

/// A camera that answered, and the questions for what it is and what it streams.
struct ONVIFCamera {
  /// The most streams that are asked for.
  static let mostProfiles = 8

  let answer: NetworkProbe.Answer
  let times: SearchTimes

  /// What it tells.
  ///
  /// Blocks for the time of a camera at most, beside the search for names and the keyring.
  func told(_ logins: CameraLogins) -> FoundCamera {
    let scopes = answer.match.scopes
    var found = FoundCamera(
      id: answer.match.endpoint, host: answer.sender,
      name: scopes["name"] ?? scopes["hardware"] ?? answer.sender, access: .told, profiles: [])
    guard let host = IPv4Place(answer.sender, port: 0), let service = answer.match.service(at: answer.sender)
    else {
      found.access = .failed("its services are had by TLS alone, which is not read")
      return found
    }
    let login = logins.login(at: answer.sender)
    var conversation = ONVIFConversation(
      host, times: times, deadline: times.deadline(times.camera), login: login.pair)
    do {
      let lead = try clockLead(&conversation, service)
      conversation.clockLead = lead
      try name(&found, &conversation, service)
      found.profiles = try profiles(&conversation, service)
    } catch is ONVIFConversation.LoginRefusal {
      found.access =
        switch login {
        case .missing: .wantsLogin
        case .locked: .lockedKeyring
        case .known: .refusedLogin
        }
    } catch {
      found.access = .failed((error as? NetworkProblem)?.description ?? "it does not answer")
    }
    found.user = login.user
    return found
  }

  // MARK: Questions

  /// The answer to a question; `nil` where the camera has none, or refuses.
  private func ask(
    _ conversation: inout ONVIFConversation, _ service: (port: UInt16, path: String), _ question: String
  ) throws -> MarkupElement? {
    do {
      return try conversation.answer(to: question, at: service)
    } catch let error as NetworkProblem where error.kind == .other {
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

  private func profiles(
    _ conversation: inout ONVIFConversation, _ service: (port: UInt16, path: String)
  ) throws -> [FoundCamera.Profile] {
    let media = try mediaService(&conversation, service)
    let list = try conversation.answer(to: "<GetProfiles xmlns=\"\(SOAPMessage.media)\"/>", at: media)
    var profiles: [FoundCamera.Profile] = []
    for element in list.children.filter({ $0.name == "Profiles" }).prefix(Self.mostProfiles) {
      guard let token = element.attributes["token"] else { continue }
      let encoder = element.child("VideoEncoderConfiguration")
      func number(_ group: String, _ name: String) -> Int? {
        encoder?.child(group, name).flatMap { Int($0.text) }.flatMap { (1...100_000).contains($0) ? $0 : nil }
      }
      let address = try streamAddress(token, &conversation, media)
      profiles.append(
        FoundCamera.Profile(
          name: Self.text(element.child("Name")) ?? ProbeMatch.shown(token), address: address,
          width: number("Resolution", "Width"), height: number("Resolution", "Height"),
          codec: Self.text(encoder?.child("Encoding")), rate: number("RateControl", "FrameRateLimit")))
    }
    return profiles
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
    case .missing: nil
    case .locked(let user), .known(let user, _): user
    }
  }

  /// Name and password, where there are both.
  fileprivate var pair: (user: String, password: String)? {
    guard case .known(let user, let password) = self else { return nil }
    return (user, password)
  }
}
