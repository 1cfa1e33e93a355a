package import Foundation
internal import MediaStreaming

/// A name with proof of its password, which a message to a camera carries in its header.
///
/// The proof is a digest of the password, a random number and the time by the camera's clock; the password itself is not sent.
///
/// Source: OASIS Web Services Security, UsernameToken Profile 1.0, section 3.
package struct UsernameToken: Sendable {
  private static let security = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss"

  private let user: String
  private let nonce: String
  private let created: String
  private let digest: String

  /// - Parameters:
  ///   - nonce: Random bytes that no message before had.
  ///   - date: The time by the camera's clock.
  package init(user: String, password: String, nonce: [UInt8], date: Date) {
    self.user = user
    self.nonce = Data(nonce).base64EncodedString()
    let created = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: false))
    self.created = created
    digest = Self.digest(password, nonce, created)
  }

  /// The proof of a password, in base 64.
  package static func digest(_ password: String, _ nonce: [UInt8], _ created: String) -> String {
    Data(MessageDigest.sha1(nonce + Array(created.utf8) + Array(password.utf8))).base64EncodedString()
  }

  /// The element of a message's header.
  package var markup: String {
    [
      "<w:Security xmlns:w=\"\(Self.security)-wssecurity-secext-1.0.xsd\"",
      " xmlns:u=\"\(Self.security)-wssecurity-utility-1.0.xsd\"><w:UsernameToken>",
      "<w:Username>\(SOAPMessage.escaped(user))</w:Username>",
      "<w:Password Type=\"\(Self.security)-username-token-profile-1.0#PasswordDigest\">\(digest)</w:Password>",
      "<w:Nonce EncodingType=\"\(Self.security)-soap-message-security-1.0#Base64Binary\">\(nonce)</w:Nonce>",
      "<u:Created>\(created)</u:Created></w:UsernameToken></w:Security>",
    ].joined()
  }
}
