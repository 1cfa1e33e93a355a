internal import Foundation

/// The login that a camera asks for by HTTP or RTSP: a digest of name, password and what is asked for.
///
/// Only with MD5, which cameras ask for, and without a digest of the body.
///
/// Source: RFC 2617, section 3; RFC 7616.
package struct HTTPDigest: Sendable {
  private let realm: String
  private let nonce: String
  private let opaque: String?
  private let hasQuality: Bool

  /// Reads what the camera asks for; `nil` for another way, or one that is not known.
  ///
  /// - Parameter challenge: The field `WWW-Authenticate`.
  package init?(_ challenge: String) {
    guard challenge.lowercased().hasPrefix("digest "),
      challenge.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { return nil }
    let values = Self.values(challenge.dropFirst(7))
    guard let realm = values["realm"], let nonce = values["nonce"],
      (values["algorithm"] ?? "MD5").uppercased() == "MD5"
    else { return nil }
    let qualities = values["qop"].map { all in
      all.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
    if let qualities, !qualities.contains("auth") { return nil }
    hasQuality = qualities != nil
    self.realm = realm
    self.nonce = nonce
    opaque = values["opaque"]
  }

  /// The words of a challenge: `realm="A, B", qop=auth`.
  private static func values(_ text: Substring) -> [String: String] {
    var result: [String: String] = [:]
    var rest = text
    while let equals = rest.firstIndex(of: "=") {
      let key = rest[..<equals].filter { $0 != "," && $0 != " " }.lowercased()
      rest = rest[rest.index(after: equals)...]
      var value = ""
      if rest.first == "\"" {
        rest.removeFirst()
        while let letter = rest.popFirst(), letter != "\"" {
          value.append(letter == "\\" ? rest.popFirst() ?? letter : letter)
        }
      } else {
        value = rest.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces)
      }
      rest = rest.drop { $0 != "," }
      if result[key] == nil { result[key] = value }
    }
    return result
  }

  /// The field `Authorization` of a request.
  ///
  /// - Parameters:
  ///   - own: A random word of this side's.
  ///   - count: How many requests this is the last of that answer what the camera asks for.
  package func authorization(
    user: String, password: String, method: String, path: String, own: String, count: UInt32 = 1
  ) -> String {
    let name = Self.md5("\(user):\(realm):\(password)")
    let what = Self.md5("\(method):\(path)")
    var fields = [
      "username=\"\(Self.quoted(user))\"", "realm=\"\(Self.quoted(realm))\"",
      "nonce=\"\(Self.quoted(nonce))\"", "uri=\"\(path)\"",
    ]
    if hasQuality {
      let digits = String(count, radix: 16)
      let number = String(repeating: "0", count: max(8 - digits.count, 0)) + digits
      let response = Self.md5("\(name):\(nonce):\(number):\(own):auth:\(what)")
      fields += ["qop=auth", "nc=\(number)", "cnonce=\"\(own)\"", "response=\"\(response)\""]
    } else {
      fields.append("response=\"\(Self.md5("\(name):\(nonce):\(what)"))\"")
    }
    if let opaque { fields.append("opaque=\"\(Self.quoted(opaque))\"") }
    return "Digest " + fields.joined(separator: ", ")
  }

  private static func quoted(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      .filter { !$0.isNewline }
  }

  private static func md5(_ text: String) -> String {
    MessageDigest.md5(Array(text.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }
}
