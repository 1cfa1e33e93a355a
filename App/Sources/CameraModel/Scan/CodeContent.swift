import Foundation

/// The meaning of a code's text, which decides what the user can do with it.
package enum CodeContent: Sendable, Equatable {
  case link(URL)
  case network(WiFiNetwork)
  case mail(String)
  case phone(String)
  case text(String)

  /// Reads a code's text.
  package init(_ text: String) {
    let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let network = WiFiNetwork(plain) {
      self = .network(network)
    } else if plain.lowercased().hasPrefix("mailto:"), plain.count > 7 {
      self = .mail(String(plain.dropFirst(7)))
    } else if plain.lowercased().hasPrefix("tel:"), plain.count > 4 {
      self = .phone(String(plain.dropFirst(4)))
    } else if let url = URL(string: plain), let scheme = url.scheme?.lowercased(),
      scheme == "https" || scheme == "http", url.host?.isEmpty == false
    {
      self = .link(url)
    } else {
      self = .text(text)
    }
  }

  /// The text that the user reads and copies.
  package var text: String {
    switch self {
    case .link(let url): url.absoluteString
    case .network(let network): network.name
    case .mail(let text), .phone(let text), .text(let text): text
    }
  }

  /// The URL that the desktop opens; nothing else is ever opened.
  package var opens: URL? {
    switch self {
    case .link(let url): url
    case .mail(let address): URL(string: "mailto:" + address)
    case .phone(let number): URL(string: "tel:" + number)
    case .network, .text: nil
    }
  }
}
