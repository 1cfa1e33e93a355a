internal import Foundation

extension NetworkAddress {
  private static let longest = 1024

  /// The address that a camera gives for a stream, without the name and password that some put into it.
  ///
  /// `nil` for one that is none of a stream, or that holds a password elsewhere, as those of some makers do in their paths: it could not
  /// be shown.
  init?(found text: String) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      var components = URLComponents(string: text)
    else { return nil }
    components.user = nil
    components.password = nil
    let words = text.lowercased()
    guard let plain = components.string,
      !["password=", "passwd=", "pwd="].contains(where: { words.contains($0) }),
      let address = try? NetworkAddress(plain), address.scheme.hasPrefix("rtsp")
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
