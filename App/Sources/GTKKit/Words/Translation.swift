import CGTK
import Glibc

/// The language of the program's words: gettext with one catalogue.
package enum Translation {
  nonisolated(unsafe) private static var domain = ""  // Safe because it is set once, before there are words.

  /// Takes the user's language, with catalogues in `folder/ko/LC_MESSAGES/domain.mo`.
  @MainActor
  package static func begin(domain: String, folder: String) {
    self.domain = domain
    setlocale(LC_ALL, "")
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
    textdomain(domain)
  }

  fileprivate static func find(_ text: String) -> String {
    guard !domain.isEmpty, !text.isEmpty else { return text }
    // What has no translation comes back as the very bytes that were handed in.
    return text.withCString { key in dgettext(domain, key).map { String(cString: $0) } ?? text }
  }

  fileprivate static func find(_ one: String, _ many: String, _ count: Int) -> String {
    guard !domain.isEmpty else { return count == 1 ? one : many }
    return one.withCString { one in
      many.withCString { many in
        dngettext(domain, one, many, UInt(count)).map { String(cString: $0) } ?? ""
      }
    }
  }
}

/// The text in the user's language; `%@` stands for each of the `values` in turn.
package func tr(_ text: String, _ values: String...) -> String {
  fill(Translation.find(text), values)
}

/// The text for so many things, with the first `%@` for the number.
package func trn(_ one: String, _ many: String, _ count: Int, _ values: String...) -> String {
  fill(Translation.find(one, many, count), [String(count)] + values)
}

private func fill(_ text: String, _ values: [String]) -> String {
  var result = ""
  var rest = text[...]
  for value in values {
    guard let place = rest.firstRange(of: "%@") else { break }
    result += rest[..<place.lowerBound] + value
    rest = rest[place.upperBound...]
  }
  return result + rest
}
