package import Foundation

/// The payload of a code, by the purpose of its text: a link, a network, a contact, an event, or plain text.
package enum ScannedPayload: Sendable, Hashable {
  case text(String)
  case link(String)
  case wifi(ScannedNetwork)
  case contact(ScannedContact)
  case event(ScannedEvent)
  /// No text; the bytes as the symbol holds them.
  case bytes(Data)

  /// The payload of `text`, or the bytes where there is no text.
  package init(text: String?, bytes: Data) {
    guard let text else {
      self = .bytes(bytes)
      return
    }
    if let network = ScannedNetwork(text) {
      self = .wifi(network)
    } else if let contact = ScannedContact(text) {
      self = .contact(contact)
    } else if let event = ScannedEvent(text) {
      self = .event(event)
    } else if Self.isLink(text) {
      self = .link(text)
    } else {
      self = .text(text)
    }
  }

  /// The word for the payload: `text`, `link`, `wifi`, `contact`, `event` or `bytes`.
  package var word: String {
    switch self {
    case .text: "text"
    case .link: "link"
    case .wifi: "wifi"
    case .contact: "contact"
    case .event: "event"
    case .bytes: "bytes"
    }
  }

  /// One line for people, without anything a terminal would obey.
  package var line: String {
    switch self {
    case .text(let text), .link(let text): EscapedText.escape(text)
    case .wifi(let network): Self.line(network.fields)
    case .contact(let contact): Self.line(contact.fields)
    case .event(let event): Self.line(event.fields)
    case .bytes(let bytes): bytes.map { String($0, radix: 16).leftPadded(to: 2) }.joined(separator: " ")
    }
  }

  /// The parts that the payload names; empty for text, links and bytes.
  package var fields: [(name: String, value: String)] {
    switch self {
    case .wifi(let network): network.fields
    case .contact(let contact): contact.fields
    case .event(let event): event.fields
    case .text, .link, .bytes: []
    }
  }

  private static func line(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\($0.name)=\(EscapedText.escape($0.value))" }.joined(separator: "  ")
  }

  private static func isLink(_ text: String) -> Bool {
    guard !text.contains(where: \.isWhitespace),
      let scheme = URLComponents(string: text)?.scheme?.lowercased()
    else { return false }
    return ["http", "https", "mailto", "tel", "sms", "geo"].contains(scheme)
  }
}

extension String {
  fileprivate func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: max(0, length - count)) + self
  }
}

/// A network to join: `WIFI:T:WPA;S:name;P:password;H:true;;`.
///
/// Source: ZXing's barcode contents, which Android and iOS follow.
package struct ScannedNetwork: Sendable, Hashable {
  package var name: String
  /// `WPA`, `WEP`, `nopass`, as the code says; `nil` when it does not.
  package var security: String?
  package var password: String?
  package var isHidden: Bool

  package init?(_ text: String) {
    guard let fields = SemicolonFields(text, scheme: "WIFI"), let name = fields["S"] else { return nil }
    self.name = name
    security = fields["T"]
    password = fields["P"]
    isHidden = fields["H"]?.lowercased() == "true"
  }

  var fields: [(name: String, value: String)] {
    [("name", name)]
      + [("security", security), ("password", password), ("hidden", isHidden ? "true" : nil)]
      .compactMap { name, value in value.map { (name, $0) } }
  }
}

/// A person's card: `MECARD:` or a vCard.
package struct ScannedContact: Sendable, Hashable {
  package var name: String?
  package var organization: String?
  package var phones: [String] = []
  package var emails: [String] = []
  package var address: String?
  package var link: String?

  package init?(_ text: String) {
    if let fields = SemicolonFields(text, scheme: "MECARD") {
      name = fields["N"].map { $0.split(separator: ",").reversed().joined(separator: " ") }
      organization = fields["ORG"]
      phones = fields.all("TEL")
      emails = fields.all("EMAIL")
      address = fields["ADR"]
      link = fields["URL"]
    } else if let card = ContentLines(text, object: "VCARD") {
      let family = card["N"].map { ContentLines.parts($0) } ?? []
      let given = family.count > 1 ? [family[1], family[0]] : family
      name = card["FN"] ?? (given.isEmpty ? nil : given.filter { !$0.isEmpty }.joined(separator: " "))
      organization = card["ORG"].map { ContentLines.parts($0).joined(separator: ", ") }
      phones = card.all("TEL")
      emails = card.all("EMAIL")
      address = card["ADR"].map { ContentLines.parts($0).filter { !$0.isEmpty }.joined(separator: ", ") }
      link = card["URL"]
    } else {
      return nil
    }
  }

  var fields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    if let name { fields.append(("name", name)) }
    if let organization { fields.append(("organization", organization)) }
    fields += phones.map { ("phone", $0) } + emails.map { ("email", $0) }
    if let address { fields.append(("address", address)) }
    if let link { fields.append(("link", link)) }
    return fields
  }
}

/// A calendar event: a `VEVENT`, by itself or inside a calendar.
package struct ScannedEvent: Sendable, Hashable {
  package var summary: String?
  /// As the code writes it: `20261121T090000Z`.
  package var start: String?
  package var end: String?
  package var location: String?

  package init?(_ text: String) {
    guard let lines = ContentLines(text, object: "VEVENT") else { return nil }
    summary = lines["SUMMARY"]
    start = lines["DTSTART"]
    end = lines["DTEND"]
    location = lines["LOCATION"]
  }

  var fields: [(name: String, value: String)] {
    [("summary", summary), ("start", start), ("end", end), ("location", location)]
      .compactMap { name, value in value.map { (name, $0) } }
  }
}
