internal import Foundation

/// A camera's answer to the question who is there.
///
/// Everything in it is the camera's word, and of bounded length.
package struct ProbeMatch: Sendable, Hashable {
  private static let mostMatches = 64
  private static let longestText = 100

  /// The camera's own number, a UUID as a rule; in small letters.
  package let endpoint: String
  /// What its scopes say by their kind: `name`, `hardware`, `location`.
  package let scopes: [String: String]
  /// The addresses of its services, in its order.
  package let services: [String]

  /// The matches in a message that answers the question of that number; none in any other.
  package static func matches(_ bytes: [UInt8], answering id: String) -> [ProbeMatch] {
    guard let envelope = MarkupReader.document(bytes), envelope.name == "Envelope",
      let relation = envelope.child("Header", "RelatesTo")?.text,
      relation.lowercased().hasSuffix(id.lowercased()),
      let matches = envelope.child("Body", "ProbeMatches")
    else { return [] }
    return matches.children.filter { $0.name == "ProbeMatch" }.prefix(mostMatches).map(ProbeMatch.init)
  }

  private init(_ element: MarkupElement) {
    let address = element.child("EndpointReference", "Address")?.text.lowercased() ?? ""
    endpoint = String((address.split(separator: ":").last ?? "").prefix(Self.longestText))
    var scopes: [String: String] = [:]
    for word in Self.words(element.child("Scopes")) {
      // onvif://www.onvif.org/name/Front%20Door
      let parts = word.split(separator: "/", maxSplits: 3)
      guard parts.count == 4, parts[0].lowercased() == "onvif:", parts[1].lowercased() == "www.onvif.org"
      else { continue }
      let value = String(parts[3]).removingPercentEncoding ?? String(parts[3])
      let kind = parts[2].lowercased()
      if scopes[kind] == nil { scopes[kind] = Self.shown(value) }
    }
    self.scopes = scopes
    services = Self.words(element.child("XAddrs")).prefix(16).map(String.init)
  }

  private static func words(_ element: MarkupElement?) -> [Substring] {
    element?.text.split(whereSeparator: \.isWhitespace) ?? []
  }

  /// Text of a machine's, shortened and without what no name has.
  static func shown(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: break
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return String(plain.prefix(longestText)).trimmingCharacters(in: .whitespaces)
  }

  /// The port and path of a service on the machine that answered, whatever addresses it names: none but that machine is asked.
  ///
  /// - Returns: `nil` where it is had by TLS alone, or not by HTTP.
  package func service(at sender: String) -> (port: UInt16, path: String)? {
    Self.service(services, at: sender)
  }

  /// As ``service(at:)``, of any addresses; the sender's own is preferred.
  static func service(_ addresses: [String], at sender: String) -> (port: UInt16, path: String)? {
    let plain = addresses.compactMap { URLComponents(string: $0) }.filter {
      $0.scheme?.lowercased() == "http" && $0.host?.isEmpty == false
    }
    guard let chosen = plain.first(where: { $0.host == sender }) ?? plain.first else { return nil }
    let path = chosen.percentEncodedPath + (chosen.percentEncodedQuery.map { "?\($0)" } ?? "")
    let isPlain = path.hasPrefix("/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    guard let port = UInt16(exactly: chosen.port ?? 80), port > 0, isPlain, path.utf8.count <= 512 else {
      return nil
    }
    return (port, path)
  }
}
