import Foundation
import MediaStreaming

extension FakeONVIFCamera {
  /// Its answer to the question for cameras.
  func probeMatch(_ id: String) -> String {
    let name = nature.name.map {
      "onvif://www.onvif.org/name/\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") "
    }
    let places =
      "http://[fe80::211:22ff:fe33:44aa]:\(servicePort)/onvif/device_service"
      + " http://192.0.2.9:1/other http://\(host):\(servicePort)/onvif/device_service"
    let ids = nature.copies == 1 ? [nature.id] : (0..<nature.copies).map { "\(nature.id)-\($0)" }
    let matches = ids.map { id in
      """
      <wsdd:ProbeMatch>
        <wsa:EndpointReference><wsa:Address>urn:uuid:\(id.uppercased())</wsa:Address></wsa:EndpointReference>
        <wsdd:Types>dn:NetworkVideoTransmitter tds:Device</wsdd:Types>
        <wsdd:Scopes>onvif://www.onvif.org/type/video_encoder \(name ?? "")onvif://www.onvif.org/hardware/IPC%2D7</wsdd:Scopes>
        <wsdd:XAddrs>\(places)</wsdd:XAddrs><wsdd:MetadataVersion>1</wsdd:MetadataVersion>
      </wsdd:ProbeMatch>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <\(nature.prefix):Envelope xmlns:\(nature.prefix)="http://www.w3.org/2003/05/soap-envelope"
        xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:wsdd="http://schemas.xmlsoap.org/ws/2005/04/discovery">
      <\(nature.prefix):Header><wsa:RelatesTo>\(id)</wsa:RelatesTo></\(nature.prefix):Header>
      <\(nature.prefix):Body><wsdd:ProbeMatches>\(matches.joined())</wsdd:ProbeMatches></\(nature.prefix):Body>
      </\(nature.prefix):Envelope>
      """
  }

  /// Status, fields and body of its answer to a question.
  func answer(_ name: String, _ body: String, _ head: String, _ path: String) -> (String, String, String) {
    // Each service answers its own questions alone.
    let isMedia = ["GetProfiles", "GetStreamUri"].contains(name)
    guard path == (isMedia ? "/onvif/media?n=1" : "/onvif/device_service") else {
      return ("404 Not Found", "", envelope(""))
    }
    if name != "GetSystemDateAndTime" || nature.guardsTime, let refusal = self.refusal(body, head, path) {
      return refusal
    }
    return ("200 OK", "", envelope(content(name, body)))
  }

  private func envelope(_ body: String) -> String {
    "<?xml version=\"1.0\"?><\(nature.prefix):Envelope xmlns:\(nature.prefix)=\"http://www.w3.org/2003/05/soap-envelope\">"
      + "<\(nature.prefix):Body>\(body)</\(nature.prefix):Body></\(nature.prefix):Envelope>"
  }

  private func content(_ name: String, _ body: String) -> String {
    switch name {
    case "GetSystemDateAndTime":
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSinceNow: nature.clockLead))
      return "<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:UTCDateTime>"
        + "<tt:Time><tt:Hour>\(parts.hour ?? 0)</tt:Hour><tt:Minute>\(parts.minute ?? 0)</tt:Minute>"
        + "<tt:Second>\(parts.second ?? 0)</tt:Second></tt:Time><tt:Date><tt:Year>\(parts.year ?? 0)</tt:Year>"
        + "<tt:Month>\(parts.month ?? 0)</tt:Month><tt:Day>\(parts.day ?? 0)</tt:Day></tt:Date>"
        + "</tt:UTCDateTime></tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>"
    case "GetDeviceInformation":
      return "<tds:GetDeviceInformationResponse><tds:Manufacturer>Acme &amp; Sons</tds:Manufacturer>"
        + "<tds:Model>IPC-7</tds:Model></tds:GetDeviceInformationResponse>"
    case "GetCapabilities":
      return "<tds:GetCapabilitiesResponse><tds:Capabilities><tt:Media>"
        + "<tt:XAddr>http://192.0.2.9:\(servicePort)/onvif/media?n=1</tt:XAddr>"
        + "</tt:Media></tds:Capabilities></tds:GetCapabilitiesResponse>"
    case "GetProfiles":
      return
        "<trt:GetProfilesResponse><trt:Profiles token=\"main&amp;1\" fixed=\"true\"><tt:Name>Main</tt:Name>"
        + "<tt:VideoEncoderConfiguration token=\"e\"><tt:Encoding>H264</tt:Encoding><tt:Resolution><tt:Width>1920</tt:Width>"
        + "<tt:Height>1080</tt:Height></tt:Resolution><tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit>"
        + "</tt:RateControl></tt:VideoEncoderConfiguration></trt:Profiles>"
        + "<trt:Profiles token=\"sub\"><tt:Name>Sub</tt:Name></trt:Profiles>\(moreProfiles)</trt:GetProfilesResponse>"
    case "GetStreamUri":
      let address =
        switch Self.text("ProfileToken", in: body) {
        case "main&amp;1": "rtsp://127.0.0.1:5540/main?a=1&amp;b=2"
        case "sub": nature.secondAddress
        case let token: "rtsp://127.0.0.1:5540/\(token ?? "")"
        }
      return
        "<trt:GetStreamUriResponse><trt:MediaUri><tt:Uri>\(address)</tt:Uri></trt:MediaUri></trt:GetStreamUriResponse>"
    default: return ""
    }
  }

  private var moreProfiles: String {
    let padding = "<tt:Extension>\(String(repeating: "x", count: nature.padding))</tt:Extension>"
    return (0..<nature.moreProfiles).map {
      "<trt:Profiles token=\"more\($0)\"><tt:Name>More \($0)</tt:Name>\(padding)</trt:Profiles>"
    }.joined()
  }

  // MARK: The login

  /// The answer to who may not ask; `nil` for who may.
  private func refusal(_ body: String, _ head: String, _ path: String) -> (String, String, String)? {
    switch nature.login {
    case nil: return nil
    case .token:
      if isProven(body) { return nil }
      let fault =
        "<\(nature.prefix):Fault><\(nature.prefix):Code><\(nature.prefix):Value>\(nature.prefix):Sender"
        + "</\(nature.prefix):Value><\(nature.prefix):Subcode><\(nature.prefix):Value>ter:NotAuthorized"
        + "</\(nature.prefix):Value></\(nature.prefix):Subcode></\(nature.prefix):Code></\(nature.prefix):Fault>"
      return ("400 Bad Request", "", envelope(fault))
    case .digest:
      if isProven(head, path) { return nil }
      let challenge =
        "WWW-Authenticate: Basic realm=\"x\"\r\n"
        + "WWW-Authenticate: Digest realm=\"Acme, \\\"7\\\"\", qop=\"auth,auth-int\", nonce=\"n0nce\", algorithm=MD5\r\n"
      return ("401 Unauthorized", challenge, "<html>no</html>")
    }
  }

  /// Whether a message proves the password, at a time that is the camera's.
  private func isProven(_ body: String) -> Bool {
    guard Self.text("Username", in: body) == nature.user, let proof = Self.text("Password", in: body),
      let nonce = Self.text("Nonce", in: body).flatMap({ Data(base64Encoded: $0) }),
      let created = Self.text("Created", in: body), let date = ISO8601DateFormatter().date(from: created)
    else { return false }
    let own = Date(timeIntervalSinceNow: nature.clockLead)
    guard abs(date.timeIntervalSince(own)) < 3600, nonce.count >= 8 else { return false }
    let digest = MessageDigest.sha1(Array(nonce) + Array(created.utf8) + Array(nature.password.utf8))
    return Data(digest).base64EncodedString() == proof
  }

  private func isProven(_ head: String, _ path: String) -> Bool {
    guard
      let line = head.components(separatedBy: "\r\n").first(where: { $0.hasPrefix("Authorization: Digest ") })
    else { return false }
    func value(_ name: String) -> String {
      let start = line.range(of: " \(name)=")?.upperBound ?? line.endIndex
      return String(line[start...].prefix { $0 != "," }).trimmingCharacters(
        in: CharacterSet(charactersIn: "\""))
    }
    func md5(_ text: String) -> String {
      MessageDigest.md5(Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
    let name = md5("\(nature.user):Acme, \"7\":\(nature.password)")
    let what = md5("POST:\(path)")
    if nature.takesNumbersOnce, value("nc") != "00000001" { return false }
    return value("uri") == path && value("nonce") == "n0nce"
      && value("response") == md5("\(name):n0nce:\(value("nc")):\(value("cnonce")):auth:\(what)")
  }
}
