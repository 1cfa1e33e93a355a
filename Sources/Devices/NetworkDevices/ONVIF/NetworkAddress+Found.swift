internal import Foundation

extension NetworkAddress {
  private static let longest = 1024
  /// How passwords stand in makers' paths and queries.
  private static let passwordWords = ["password=", "passwd=", "pwd=", "pass=", "psw=", "pas=", "auth="]

  /// The address that a camera gives for a stream, on the machine that answered and without the name and password that some put into it.
  ///
  /// Port and path are the camera's word. Its host is not: behind a router it is another than the one that can be reached, and a name and
  /// a password are for the machine that was asked.
  ///
  /// `nil` for one that is none of a stream, or that holds a password elsewhere, as those of some makers do: it could not be shown.
  /// - Parameter host: The machine that answered.
  init?(found text: String, at host: String) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      var components = URLComponents(string: text), components.host?.isEmpty == false
    else { return nil }
    components.user = nil
    components.password = nil
    guard let rest = components.string else { return nil }
    components.host = host
    // A password that is not escaped may end what is taken for the host, and then stands behind it.
    let words = (rest.removingPercentEncoding ?? rest).lowercased()
    guard !words.contains("@"), !words.contains("%40"),
      !Self.passwordWords.contains(where: { words.contains($0) }),
      let plain = components.string, let address = try? NetworkAddress(plain),
      address.scheme.hasPrefix("rtsp")
    else { return nil }
    self = address
  }

  /// The address with a name; without a password.
  package func with(user: String?) -> String {
    guard let user, var components = URLComponents(string: shown) else { return shown }
    components.user = user
    return components.string ?? shown
  }
}
