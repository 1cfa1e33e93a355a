internal import Foundation

/// A camera's answer to the question who is there.
///
/// Everything in it is the camera's word, and of bounded length.
package struct ProbeMatch: Sendable, Hashable {
  private static let mostMatches = 64
  private static let longestText = 100
  // Source: ONVIF Core Specification, section 5.1.1.
  private static let usualPath = "/onvif/device_service"

  /// The camera's own number, a UUID as a rule, without the words `urn:uuid:` before it; in small letters.
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
    var address = (element.child("EndpointReference", "Address")?.text.lowercased() ?? "")[...]
    for word in ["urn:", "uuid:"] where address.hasPrefix(word) { address = address.dropFirst(word.count) }
    endpoint = Self.shown(String(address))
    var scopes: [String: String] = [:]
    for word in Self.words(element.child("Scopes")) {
      // onvif://www.onvif.org/name/Front%20Door
      let parts = word.split(separator: "/", maxSplits: 3)
      guard parts.count == 4, parts[0].lowercased() == "onvif:", parts[1].lowercased() == "www.onvif.org"
      else { continue }
      let value = Self.shown(String(parts[3]).removingPercentEncoding ?? String(parts[3]))
      let kind = parts[2].lowercased()
      if scopes[kind] == nil, !value.isEmpty { scopes[kind] = value }
    }
    self.scopes = scopes
    services = Self.words(element.child("XAddrs")).prefix(16).map(String.init)
  }

  private static func words(_ element: MarkupElement?) -> [Substring] {
    element?.text.split(whereSeparator: \.isWhitespace) ?? []
  }

  /// Text of a machine's, shortened and without what no name has.
  ///
  /// A letter may have any number of marks, each of which counts.
  static func shown(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: continue
      default: plain.append(scalar)
      }
      count += 1
      if count == longestText { break }
    }
    return String(plain).trimmingCharacters(in: .whitespaces)
  }

  /// The addresses of machines that it names for its services.
  var hosts: [String] { services.compactMap { URLComponents(string: $0)?.host } }

  /// The port and path of its service for devices on the machine that answered, whatever addresses it names: none but that machine is
  /// asked.
  ///
  /// Where it names none, it is looked for where ONVIF has it.
  /// - Returns: `nil` where it is had by TLS alone.
  package func service(at sender: String) -> (port: UInt16, path: String)? {
    if let service = Self.service(services, at: sender) { return service }
    let isSecure = services.contains { URLComponents(string: $0)?.scheme?.lowercased() == "https" }
    return isSecure ? nil : (80, Self.usualPath)
  }

  /// The place of any service among addresses, as ``service(at:)``; the sender's own is preferred.
  ///
  /// - Returns: `nil` where none is had by HTTP.
  static func service(_ addresses: [String], at sender: String) -> (port: UInt16, path: String)? {
    let plain = addresses.compactMap { URLComponents(string: $0) }.filter {
      $0.scheme?.lowercased() == "http" && $0.host?.isEmpty == false
    }
    guard let chosen = plain.first(where: { $0.host == sender }) ?? plain.first else { return nil }
    let place = chosen.percentEncodedPath.isEmpty ? usualPath : chosen.percentEncodedPath
    let path = place + (chosen.percentEncodedQuery.map { "?\($0)" } ?? "")
    let isPlain = path.hasPrefix("/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    guard let port = UInt16(exactly: chosen.port ?? 80), port > 0, isPlain, path.utf8.count <= 512 else {
      return nil
    }
    return (port, path)
  }
}
